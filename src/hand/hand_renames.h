// The caught renames, as the hand takes them: all but those of a lock over a protected git config
// go on as they are, and the broker is asked about those. In a run that learns, the other calls
// that name files come this way too, and are noted.
//
// The arguments lie in the agent's memory and may change at any moment. It does not matter: a
// rename that goes on meets the mount, and what the broker is given is a descriptor of the lock
// beside a config that we know, not a name.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config_update.h"
#include "base/fd.h"
#include "base/file_id.h"
#include "calls/rename_listener.h"
#include "hand/wanted_files.h"

namespace ringwall::hand {

class CaughtRenames {
 public:
  struct Inputs {
    calls::RenameListener listener;
    int processes = -1;                // the host's /proc: callers have their numbers there
    Fd broker;                         // a channel
    std::vector<std::string> configs;  // protected ones, absolute paths inside
    WantedFiles* wanted = nullptr;     // of a run that learns
  };
  // A refusal of the broker's, for the person.
  using TellRefusal = std::function<void(uint32_t config, const char* text)>;

  CaughtRenames(Inputs inputs, TellRefusal tell);

  int listener() const { return in_.listener.fd(); }  // -1: everything inside has ended
  int broker() const { return in_.broker.get(); }     // -1: it is gone

  void take_rename(bool hung_up);
  void take_answer();

 private:
  // The call as its caller made it.
  struct Call {
    uint64_t id;
    pid_t caller;
    int from_folder, to_folder;  // descriptors of the caller's
    uint64_t from, to;           // addresses
  };
  struct Waiting {
    uint32_t ticket;
    uint64_t id;
    uint32_t config;
    Fd folder;              // that holds lock and config
    std::string_view name;  // of the lock
    file::Id lock;
  };

  void take_file_call(const seccomp_notif& notice);
  bool may_be_update() const;
  bool asks_broker(const Call& call);
  Fd open_folder_of(const Call& call, int folder, const std::string& path) const;
  int find_config(int folder, std::string_view name) const;  // -1: not a protected one
  void finish(Waiting& waiting, const ConfigUpdateAnswer& answer);
  void lose_broker();

  Inputs in_;
  std::vector<std::string> locks_;  // git's, beside the configs
  TellRefusal tell_;
  std::vector<Waiting> waiting_;
  uint32_t last_ticket_ = 0;
};

}  // namespace ringwall::hand
