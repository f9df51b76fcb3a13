// The broker's end of the channel to the hand: takes the updates of protected git configs that are
// asked for inside, and answers each.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/config_update.h"
#include "base/fd.h"
#include "git/config_update.h"

namespace ringwall::git {

class GitConfigDesk {
 public:
  GitConfigDesk() = default;
  // `configs` in the order in which the hand knows them; their journals lie in `journals`,
  // what is remembered of their remotes in `remotes`.
  GitConfigDesk(Fd hand, std::vector<ProtectedGitConfig> configs, Fd journals, Fd remotes)
      : hand_(std::move(hand)),
        journals_(std::move(journals)),
        remotes_(std::move(remotes)),
        configs_(std::move(configs)) {}

  int fd() const { return hand_.get(); }  // -1: none, or the hand is gone

  void take_ask();

  // Addresses that were written since this was asked last.
  std::vector<AddedRemote> take_added() { return std::exchange(added_, {}); }
  // Every way that git takes to the local addresses in them.
  std::vector<std::string> local_ways() const;

  // The person has a remote there, or of a submodule's address: it is listed as that of one.
  bool knows(std::string_view address, bool of_submodule) const;

  // Null: no such config here.
  ProtectedGitConfig* find(std::string_view path);

  // Of all of them; when nothing inside lives any more.
  std::vector<OtherName> other_names() const;
  std::vector<std::string> replacements() const;

  // The run is over.
  void finish();

 private:
  ConfigUpdateAnswer judge(const ConfigUpdateAsk& ask, const std::vector<Fd>& fds);

  Fd hand_;
  Fd journals_, remotes_;
  std::vector<ProtectedGitConfig> configs_;
  std::vector<AddedRemote> added_;
};

}  // namespace ringwall::git
