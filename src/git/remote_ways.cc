#include "git/remote_ways.h"

#include "base/path.h"
#include "git/place.h"

namespace ringwall::git {

std::vector<std::string> RemoteWays::links_below(const std::string& whole) const {
  std::vector<std::string> links;
  // "a-b" stands between "a" and "a/b".
  for (auto at = ways_.lower_bound(whole); at != ways_.end() && at->starts_with(whole); ++at) {
    if (path::is_beneath(*at, whole) && is_link(*at)) links.push_back(*at);
  }
  return links;
}

}  // namespace ringwall::git
