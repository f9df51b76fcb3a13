// What the run has made git do elsewhere, said to the supervisor: addresses that it has given the
// person's repositories and its own, and branches that have become other names.
#pragma once

#include "broker/broker_line.h"
#include "broker/guards.h"
#include "broker/staged_watch.h"
#include "broker/vet.h"
#include "git/config_desk.h"

namespace ringwall::broker {

class GitNews {
 public:
  GitNews(const std::vector<files::WatchedTree>& trees, const Guards& guards, Vetter& vetter,
          git::GitConfigDesk& desk, BrokerLine& line)
      : trees_(trees), guards_(guards), vetter_(vetter), desk_(desk), line_(line) {}

  // Written into the person's configs since this was asked last.
  void tell_added();
  // Found in configs that the run made.
  void tell_made();
  // Links that lead out, protected files in an index, and names by which git would show something
  // else.
  void tell_in_the_end(const std::vector<StagedWatch::Staged>& staged);

 private:
  const std::vector<files::WatchedTree>& trees_;
  const Guards& guards_;
  Vetter& vetter_;
  git::GitConfigDesk& desk_;
  BrokerLine& line_;
};

// Who pushes in a repository that has this config may not know where to. `whole` is the config's
// absolute path.
BrokerNotice made_remote_notice(const std::string& whole, const git::AddedRemote& remote);

}  // namespace ringwall::broker
