#include "gate/operands.h"

#include <algorithm>

#include "base/path.h"
#include "shell/global_options.h"

namespace ringwall::gate {
namespace {

using shell::Word;

struct ClassName {
  std::string_view name;
  uint16_t bits;
};
constexpr ClassName kClasses[] = {{"root", operand::root},           {"system", operand::system},
                                  {"home", operand::home},           {"above", operand::above},
                                  {"workspace", operand::workspace}, {"git", operand::git},
                                  {"outside", operand::outside},     {"device", operand::device},
                                  {"unknown", operand::unknown}};

constexpr std::string_view kSystemFolders[] = {"bin",   "boot",  "dev",    "etc",    "lib",
                                               "lib32", "lib64", "libx32", "proc",   "sbin",
                                               "sys",   "usr",   "var",    "System", "Library"};
constexpr std::string_view kHarmlessDevices[] = {"null",    "zero",  "full",   "random",
                                                 "urandom", "stdin", "stdout", "stderr",
                                                 "tty",     "fd",    "pts",    "shm"};
constexpr std::string_view kTemporary[] = {"/tmp", "/var/tmp", "/dev/shm", "/private/tmp"};

bool is_flag(const Word& word) { return word.text.size() > 1 && word.text[0] == '-'; }

bool begins_unknown(const Word& word) {
  return !word.gaps.empty() && word.gaps[0].at == 0 && word.gaps[0].kind == Word::Gap::Kind::text;
}

// "python3.11" is python.
std::string without_version(std::string_view name) {
  for (std::string_view known : {"python", "pip", "ruby", "perl", "php", "node", "lua", "pypy"}) {
    if (name.starts_with(known) && name.find_first_not_of("0123456789.", known.size()) == name.npos)
      return std::string(known);
  }
  return std::string(name);
}

uint16_t classify_device(std::string_view path) {
  std::string_view name = path.substr(5);
  name = name.substr(0, name.find('/'));
  bool harmless = std::find(std::begin(kHarmlessDevices), std::end(kHarmlessDevices), name) !=
                  std::end(kHarmlessDevices);
  return harmless ? 0 : operand::device | operand::system;
}

bool is_whole_home(std::string_view path, std::string_view home) {
  if (path == home || path == "/root") return true;
  std::string folder = path::parent(path);
  return folder == "/home" || folder == "/Users";
}

// What lies at an absolute path without "..".
uint16_t classify_path(std::string_view path, const Surrounding& around) {
  if (path == "/") return operand::root;
  bool has_workspace = !around.workspace.empty();
  if (has_workspace && path == around.workspace)
    return static_cast<uint16_t>(operand::workspace |
                                 (is_whole_home(path, around.home) ? operand::home : 0));
  if (has_workspace && path::is_beneath(path, around.workspace))
    return path::basename(path) == ".git" ? operand::git : 0;
  uint16_t bits = has_workspace && path::is_beneath(around.workspace, path) ? operand::above : 0;
  if (is_whole_home(path, around.home))
    return static_cast<uint16_t>(bits | operand::home | operand::outside);
  for (std::string_view folder : kTemporary) {
    if (path::is_beneath(path, folder))
      return static_cast<uint16_t>(bits | (path == folder ? operand::outside : 0));
  }
  if (path.starts_with("/dev/")) return static_cast<uint16_t>(bits | classify_device(path));
  std::string_view top = path.substr(1, path.find('/', 1) - 1);
  bool is_system = std::find(std::begin(kSystemFolders), std::end(kSystemFolders), top) !=
                   std::end(kSystemFolders);
  bool is_top = path.find('/', 1) == path.npos;
  if (!path::is_beneath(path, around.home) && (is_system || is_top)) bits |= operand::system;
  return static_cast<uint16_t>(bits | operand::outside);
}

// A gap that may be anything: what lies before it may be all there is.
std::string known_part(const Word& word, bool& is_unknown, bool& is_certain) {
  const Word::Gap& gap = word.gaps[0];
  std::string_view before = std::string_view(word.text).substr(0, gap.at);
  std::string_view after = std::string_view(word.text).substr(gap.at);
  if (gap.kind == Word::Gap::Kind::text) {
    is_certain = false;
    bool is_bare = after.empty() || after == "/" || after == "/." || after == "/*";
    is_unknown = before.empty() && (is_bare || word.gaps.size() > 1);
    if (before.empty()) return {};
    // "/tmp/x-" and something is a name of its own; "/" and something may be nothing.
    return before.ends_with('/') || !after.empty() ? std::string(before)
                                                   : std::string(before) + "x";
  }
  bool is_all = (before.empty() || before.ends_with('/')) && after.empty();
  return is_all ? std::string(before.empty() ? "." : before) : std::string(before) + "x";
}

}  // namespace

uint16_t operand_class(std::string_view name) {
  for (const ClassName& known : kClasses) {
    if (known.name == name) return known.bits;
  }
  return 0;
}

uint16_t classify(const Word& word, const Surrounding& around) {
  bool is_unknown = false;
  bool is_certain = true;
  std::string text = word.gaps.empty() ? word.text : known_part(word, is_unknown, is_certain);
  if (is_unknown) return operand::unknown;
  if (text.empty()) return 0;
  // "of=~/x": bash reads it so.
  if (text == "~" || text.starts_with("~/")) text = std::string(around.home) + text.substr(1);
  if (text[0] != '/') {
    bool is_whole = text == "." || text == ".." || text.ends_with("/..") || text == "./";
    if (around.folder.empty()) return is_whole ? operand::unknown : 0;
    text = path::join(around.folder, text);
  }
  std::string plain = path::normalize(text);
  std::string target = around.resolver->resolve(text, around.folder);
  uint16_t bits = classify_path(plain, around);
  if (target != plain) bits |= classify_path(target, around);
  return bits;
}

std::string_view base_name(std::string_view program) {
  size_t slash = program.rfind('/');
  return slash == program.npos ? program : program.substr(slash + 1);
}

Operands::Operands(const std::vector<Word>& command)
    : kept_(shell::without_global_options(command)) {
  if (kept_.empty()) return;
  program = without_version(base_name(kept_[0].text));
  bool only_operands = false;
  for (size_t i = 1; i < kept_.size(); i++) {
    const Word& word = kept_[i];
    all.push_back(&word);
    if (word.splits && begins_unknown(word)) may_be_more = true;
    if (!only_operands && word.text == "--" && word.gaps.empty()) {
      only_operands = true;
    } else if (!only_operands && is_flag(word) && (word.gaps.empty() || word.gaps[0].at > 0)) {
      flags.push_back(&word);
    } else {
      words.push_back(&word);
    }
  }
}

}  // namespace ringwall::gate
