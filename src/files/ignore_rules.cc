#include "files/ignore_rules.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"
#include "files/watched_tree.h"

namespace ringwall::files {
namespace {

constexpr size_t kMostText = 256 << 10;
constexpr size_t kMostLevels = 10'000;

}  // namespace

void IgnoreRules::read_lines(std::string_view text, Level& level) {
  std::vector<std::string_view> lines = text::split_in_place(text, '\n');
  std::reverse(lines.begin(), lines.end());
  for (std::string_view line : lines) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with('#')) continue;
    bool is_negated = line.starts_with('!');
    if (is_negated) line.remove_prefix(1);
    auto pattern = NamePattern::parse(line);
    if (!pattern) continue;
    level.patterns.add(std::move(*pattern));
    level.negated.push_back(is_negated);
  }
}

const IgnoreRules::Level* IgnoreRules::rules_of(size_t tree, const std::string& folder) const {
  if (levels_.empty()) return nullptr;
  std::pair<size_t, std::string> at{tree, folder};
  for (;;) {
    auto level = levels_.find(at);
    if (level != levels_.end()) return &level->second;
    if (at.second.empty()) return nullptr;
    at.second = parent_of(at.second);
  }
}

const IgnoreRules::Level* IgnoreRules::enter(size_t tree, const std::string& folder, int fd) {
  const Level* above = rules_of(tree, folder);
  constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  Fd file(openat(fd, ".gitignore", kFlags));
  struct stat facts;
  bool is_file = file && fstat(file.get(), &facts) == 0 && S_ISREG(facts.st_mode);
  if (!is_file || levels_.size() >= kMostLevels) return above;
  auto text = file::read_all(file.get(), kMostText);
  if (!text) return above;
  Level& level = levels_[{tree, folder}];
  level.folder = folder;
  level.above = above;
  read_lines(*text, level);
  return &level;
}

bool IgnoreRules::is_ignored(const Level* rules, std::string_view path, EntryKind kind) {
  for (; rules != nullptr; rules = rules->above) {
    std::string_view relative = path;
    if (!rules->folder.empty()) relative.remove_prefix(rules->folder.size() + 1);
    if (auto found = rules->patterns.match(relative, kind)) return !rules->negated[*found];
  }
  return false;
}

}  // namespace ringwall::files
