// The ways by which git comes to the local addresses of remotes: a link that is put on one of them
// would lead a push to where nobody looks at the hooks.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace ringwall::git {

class RemoteWays {
 public:
  void add(const std::vector<std::string>& ways) { ways_.insert(ways.begin(), ways.end()); }
  bool are_there() const { return !ways_.empty(); }

  // Links that lie on them now, at this absolute path or below it.
  std::vector<std::string> links_below(const std::string& whole) const;

 private:
  std::set<std::string> ways_;
};

}  // namespace ringwall::git
