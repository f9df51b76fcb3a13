// Which remotes of a repository runs have added, remembered outside of it: in the next run they are
// not the person's, as long as they lead where the run had them lead.
#pragma once

#include <set>
#include <string>

#include "base/result.h"
#include "git/config.h"

namespace ringwall::git {

struct AddedRemote {
  std::string name, address;
  bool is_submodule = false;  // fetched from there, not pushed to
};

using RemoteNames = std::set<std::string, std::less<>>;

RemoteNames remotes_of(const GitConfig& config);

class RunRemotes {
 public:
  RunRemotes() = default;
  // `folder` is ours and nobody inside sees it. Without one nothing is remembered.
  RunRemotes(int folder, std::string name) : folder_(folder), name_(std::move(name)) {}

  // Of those in the config, the ones that runs have added. One that cannot be read: all of them.
  RemoteNames find_in(const GitConfig& config) const;

  // From now on these, with the addresses that the config gives them.
  Status keep(const GitConfig& config, const RemoteNames& names);

 private:
  int folder_ = -1;
  std::string name_;
};

}  // namespace ringwall::git
