#include "git/index_path.h"

#include <algorithm>
#include <string>

#include "base/text.h"

namespace ringwall::git {
namespace {

constexpr uint32_t kKind = 0170000;
constexpr uint32_t kLink = 0120000;
constexpr uint32_t kFolder = 0040000;

// Characters that HFS+ leaves out when it compares names, in UTF-8.
constexpr std::string_view kIgnored[] = {"\u200c", "\u200d", "\u200e", "\u200f", "\u202a", "\u202b",
                                         "\u202c", "\u202d", "\u202e", "\u206a", "\u206b", "\u206c",
                                         "\u206d", "\u206e", "\u206f", "\ufeff"};

std::string without_ignored(std::string_view name) {
  std::string left;
  while (!name.empty()) {
    size_t skipped = 0;
    for (std::string_view one : kIgnored) {
      if (name.starts_with(one)) skipped = one.size();
    }
    if (skipped == 0) left += name[0];
    name.remove_prefix(skipped == 0 ? 1 : skipped);
  }
  return left;
}

// As NTFS ends a name: at a colon, and without the dots and spaces before it.
std::string_view without_end(std::string_view name) {
  name = name.substr(0, name.find_first_of(":\\"));
  size_t last = name.find_last_not_of(". ");
  return last == name.npos ? std::string_view() : name.substr(0, last + 1);
}

}  // namespace

bool may_mean_git(std::string_view name) {
  constexpr size_t kLongest = 128;  // git's own name is short, whatever stands in and behind it
  if (name.find_first_of("gG") == name.npos) return false;
  std::string small = text::in_small_letters(name.substr(0, kLongest));
  std::string_view end = without_end(small);
  return end == ".git" || end == "git~1" || without_ignored(small) == ".git";
}

bool is_index_path(std::string_view path, uint32_t mode, size_t from) {
  if ((mode & kKind) == kFolder && path.ends_with('/')) path.remove_suffix(1);
  if (path.empty()) return false;
  for (size_t at = from; at <= path.size();) {
    size_t end = std::min(path.find('/', at), path.size());
    std::string_view name = path.substr(at, end - at);
    if (name.empty() || name == "." || name == ".." || may_mean_git(name)) return false;
    bool is_link = end == path.size() && (mode & kKind) == kLink;
    // git reads it in the tree, and does not follow links there.
    if (is_link && text::in_small_letters(name) == ".gitmodules") return false;
    at = end + 1;
  }
  return true;
}

}  // namespace ringwall::git
