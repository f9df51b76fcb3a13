// The ways by which git comes to the local addresses of remotes: a link that is put on one of them
// would lead a push to where nobody looks at the hooks.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "git/place.h"

namespace ringwall::git {

// Of the config at this path. None of one that cannot be read or understood: no update of it is let
// through either.
std::vector<std::string> ways_of_config(const std::string& path, std::span<const std::string> trees,
                                        std::span<const std::string> only_read = {});

class RemoteWays {
 public:
  // Where the links lead that lie on them at the start: those are the person's. To be asked before
  // anything runs that could put one there.
  void begin(const std::vector<std::string>& ways);
  // What lies behind a link of the start is not looked at.
  void add(const std::vector<std::string>& ways);
  bool are_there() const { return !ways_.empty(); }

  // Links that have come to lie on them, at this absolute path or below it.
  std::vector<std::string> links_below(const std::string& whole) const;

 private:
  void add_one(const std::string& way, const std::string& target);
  std::map<std::string, std::string> ways_;  // and where the link leads that lay there at the start
};

}  // namespace ringwall::git
