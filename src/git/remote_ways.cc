#include "git/remote_ways.h"

#include <fcntl.h>

#include "base/file.h"
#include "base/path.h"
#include "git/config_judge.h"
#include "git/config_update.h"

namespace ringwall::git {

std::vector<std::string> ways_of_config(const std::string& path, std::span<const std::string> trees,
                                        std::span<const std::string> only_read) {
  auto config = read_git_config(path);
  if (!config) return {};
  return ways_of_remotes(*config, {path::parent(path), trees, only_read});
}

void RemoteWays::begin(const std::vector<std::string>& ways) {
  for (const std::string& way : ways)
    add_one(way, file::read_link(way).value_or(""));
}

void RemoteWays::add(const std::vector<std::string>& ways) {
  for (const std::string& way : ways)
    add_one(way, "");
}

void RemoteWays::add_one(const std::string& way, const std::string& target) {
  for (std::string at = path::parent(way); at != "/"; at = path::parent(at)) {
    auto above = ways_.find(at);
    if (above != ways_.end() && !above->second.empty()) return;
  }
  ways_.try_emplace(way, target);
}

std::vector<std::string> RemoteWays::links_below(const std::string& whole) const {
  std::vector<std::string> links;
  // "a-b" stands between "a" and "a/b".
  for (auto at = ways_.lower_bound(whole); at != ways_.end() && at->first.starts_with(whole);
       ++at) {
    const auto& [way, target] = *at;
    if (!path::is_beneath(way, whole) || !is_link(way)) continue;
    if (target.empty() || file::read_link(way).value_or("") != target) links.push_back(way);
  }
  return links;
}

}  // namespace ringwall::git
