// The supervisor's side of the broker: starts the process, and says when everything inside stands.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "broker/broker_protocol.h"
#include "broker/deletion_count.h"
#include "broker/staged_watch.h"
#include "git/branches.h"
#include "git/remote_ways.h"
#include "git/run_remotes.h"
#include "prepare/guarded_files.h"

namespace ringwall::session {

struct BrokerRequest {
  const prepare::GuardedFiles& guarded;
  std::string quarantine;  // its folder
  std::string unswept;     // folder for the list of what is there
  std::string run_name;
  files::LinkRules links;
  std::span<char> start_area;
  std::string journals;  // folder for what mends a config after a crash
  std::string remotes;   // folder for which remotes runs have added
  broker::DeletionLimits deletions = {};
  int hand = -1;  // where updates of git configs are asked for; -1: nowhere
};

// The trees as they are before anything runs that could change them.
struct BrokerGround {
  std::vector<std::string> writable, only_read;  // their paths
  std::vector<Fd> folders = {};                  // of those that may be written
  std::vector<broker::StartIndex> indexes = {};  // of the repositories in these
  std::vector<bool> stamped = {};                // of these; see broker::stamps_files()
  // Of each git config's repository.
  std::vector<std::optional<git::Branches>> branches = {};
  int64_t start = 0;  // nanoseconds, of file times
  std::vector<std::vector<git::OtherName>> other_names = {};
  std::vector<std::string> modules = {};  // what its .gitmodules says
  git::RemoteNames named = {};            // remotes that settings for all of them name
  git::RemoteWays ways = {};              // to the places of its remotes
};
Result<BrokerGround> look_at_ground(const prepare::GuardedFiles& guarded, const std::string& home);

class BrokerLink {
 public:
  BrokerLink() = default;
  BrokerLink(BrokerLink&& other) noexcept;
  BrokerLink& operator=(BrokerLink&& other) noexcept;
  ~BrokerLink();

  static Result<BrokerLink> start(const BrokerRequest& request, const BrokerGround& ground);

  bool is_running() const { return static_cast<bool>(channel_); }
  int fd() const { return channel_.get(); }
  pid_t pid() const { return pid_; }
  const broker::DeletionLimits& deletions() const { return deletions_; }

  Status order(broker::BrokerOrder::Type type);
  struct Heard {
    broker::BrokerNotice notice;
    std::vector<Fd> fds;
  };
  Result<Heard> receive();
  // One that has swept ends by itself; nobody has to wait for that before end().
  void let_go() { channel_.close(); }
  void end();

 private:
  Fd channel_;
  pid_t pid_ = -1;
  broker::DeletionLimits deletions_;
};

}  // namespace ringwall::session
