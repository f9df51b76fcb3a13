#include "policy/pattern.h"

#include <algorithm>

#include "base/text.h"

namespace ringwall::policy {
namespace {

constexpr size_t kLongest = 1024;

Status check_part(std::string_view part) {
  if (part.empty()) return fail("has an empty part", "write each '/' once");
  if (part == "." || part == "..") {
    return fail("has a part that is '.' or '..'",
                "a name fits at any depth; a leading '/' is the workspace's top");
  }
  if (part.find("**") != std::string_view::npos)
    return fail("has '**'", "leave it out: a name fits at any depth");
  return {};
}

}  // namespace

Status check_pattern(std::string_view pattern) {
  if (pattern.size() > kLongest) return fail("is longer than 1024 bytes");
  if (std::any_of(pattern.begin(), pattern.end(),
                  [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    return fail("holds a control character");
  if (pattern.starts_with('!'))
    return fail("starts with '!'", "exceptions are files.show and files.unprotect");
  if (pattern.starts_with("~/"))
    return fail("starts with '~/'", "names are relative to the workspace");
  // In other languages of patterns they mean something, here they would quietly fit nothing.
  if (pattern.find_first_of("?{}\\") != std::string_view::npos) {
    return fail("has one of ? { } \\",
                "only '*' stands for other characters; "
                "write one pattern for each name");
  }
  if (pattern.starts_with('/')) pattern.remove_prefix(1);
  if (pattern.ends_with('/')) pattern.remove_suffix(1);
  for (const std::string& part : text::split(pattern, '/'))
    TRY(check_part(part));
  return {};
}

bool fits_everything(std::string_view pattern) {
  return pattern.find_first_not_of("*/") == std::string_view::npos;
}

}  // namespace ringwall::policy
