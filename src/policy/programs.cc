#include "policy/programs.h"

#include <algorithm>
#include <array>

#include "base/path.h"

namespace ringwall::policy {
namespace {

constexpr std::string_view kContent = "sha256:";
constexpr std::string_view kFile = "file:";
constexpr std::array<std::string_view, 3> kModes = {"any", "deny", "allow"};
constexpr std::array<std::string_view, 3> kGuards = {"none", "tracepoints", "lsm"};

Result<ProgramRule> parse_content(std::string_view hex) {
  auto digest = Digest::parse(hex);
  if (!digest)
    return fail("must have 64 hexadecimal digits after sha256:",
                "ringwall programs hash FILE prints them");
  return ProgramRule{ProgramRule::Kind::content, std::string(kContent) + digest->hex(), *digest};
}

Result<ProgramRule> parse_file(std::string_view path, std::string_view home) {
  std::string whole(path);
  if (path.starts_with("~/") && !home.empty()) whole = std::string(home) + whole.substr(1);
  if (!whole.starts_with('/'))
    return fail("must be an absolute path after file:", "file:/usr/bin/wget, file:~/bin/tool");
  return ProgramRule{ProgramRule::Kind::file, path::normalize(whole)};
}

}  // namespace

Result<ProgramRule> parse_program_rule(std::string_view text, std::string_view home,
                                       bool may_be_class) {
  if (text.starts_with(kContent)) return parse_content(text.substr(kContent.size()));
  if (text.starts_with(kFile)) return parse_file(text.substr(kFile.size()), home);
  bool is_class = text == "system" || text == "built-here";
  if (is_class && !may_be_class) return fail("can be allowed, not denied");
  if (text == "system") return ProgramRule{ProgramRule::Kind::system, std::string(text)};
  if (text == "built-here") return ProgramRule{ProgramRule::Kind::built_here, std::string(text)};
  if (text.find('/') != text.npos) {
    return fail("is a path, not the name of a program",
                "file:" + std::string(text) + " names what that file holds");
  }
  if (text == "." || text == ".." || text.size() > 255) return fail("is not the name of a program");
  return ProgramRule{ProgramRule::Kind::name, std::string(text)};
}

std::span<const std::string_view> exec_modes() { return kModes; }
std::span<const std::string_view> guard_kinds() { return kGuards; }

}  // namespace ringwall::policy
