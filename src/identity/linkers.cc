#include "identity/linkers.h"

#include <algorithm>

#include "base/text.h"

namespace ringwall::identity {
namespace {

struct Linker {
  std::string_view name;  // of the program, after the name of a target if it has one
  std::string_view why;
};

// strip, objcopy, patchelf, cp and install are not among them: they write what they are given.
constexpr Linker kLinkers[] = {
    {"ld", "the linker that compilers start"},
    {"ld.bfd", "GNU's linker"},
    {"ld.gold", "GNU's other linker"},
    {"gold", "GNU's other linker"},
    {"lld", "LLVM's linker, under the name of its file"},
    {"ld.lld", "LLVM's linker"},
    {"rust-lld", "LLVM's linker as Rust brings it"},
    {"mold", "a linker"},
    {"ld.mold", "a linker"},
    {"wild", "a linker"},
    {"tcc", "a compiler that links by itself"},
};

// "ld.lld-14" is ld.lld.
std::string_view without_version(std::string_view name) {
  size_t dash = name.rfind('-');
  if (dash == std::string_view::npos || dash + 1 == name.size()) return name;
  bool is_version = name.find_first_not_of("0123456789.", dash + 1) == std::string_view::npos;
  return is_version ? name.substr(0, dash) : name;
}

// Go's linker has a name that is everybody's.
constexpr std::string_view kGoTools = "/pkg/tool/";

}  // namespace

bool is_linker(std::string_view path) {
  std::string_view name = without_version(path.substr(path.rfind('/') + 1));
  if (name == "link" && path.find(kGoTools) != std::string_view::npos) return true;
  return std::ranges::any_of(kLinkers, [&](const Linker& linker) {
    if (!name.ends_with(linker.name)) return false;
    std::string_view before = name.substr(0, name.size() - linker.name.size());
    bool is_target = before.ends_with('-') && before.find("linux") != std::string_view::npos;
    return before.empty() || is_target;  // x86_64-linux-gnu-ld
  });
}

// -b binary, --format=binary, --oformat binary and their short forms.
bool copies_its_input(std::string_view command_line) {
  constexpr std::string_view kFormat = "binary";
  for (std::string_view word : text::split_in_place(command_line, '\0')) {
    bool is_value = word == kFormat || word == "-bbinary";
    bool has_value = word.starts_with('-') && word.ends_with("=binary");
    if (is_value || has_value) return true;
  }
  return false;
}

}  // namespace ringwall::identity
