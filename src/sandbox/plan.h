// What one sandbox will be: made by pure functions from policy and host facts, printed by
// --explain, applied by child.cc without any decision of its own.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "calls/exec_filter.h"
#include "limits/limits.h"
#include "policy/origin.h"
#include "sandbox/network.h"

namespace ringwall::sandbox {

// What a tree may be used for; mounts and Landlock both follow it.
enum class Access {
  none,        // a mount point that holds nothing of use by itself
  read,        // read and execute
  write,       // read, execute and change
  write_data,  // read and change, no execute
  device,      // one device file
  terminals,   // devpts
  proc,
};

// One entry of the new root. Entries are applied in order of their paths, parents first.
struct Mount {
  enum class Kind {
    bind,        // `source` of the host appears at `target`
    overlay,     // `source` below, changes kept in `upper`; Access::read: both only looked at
    without,     // the folder `source` read-only, `names` missing in it
    tmpfs,       // empty, in memory
    proc,        // a fresh one
    devpts,      // a fresh one
    mqueue,      // POSIX queues of the own ipc namespace
    read_only,   // what is at `target` already, made read-only (Access::read: it may be executed)
    file,        // a small file with `content`
    symlink,     // pointing to `source`
    own_folder,  // the folder `source` of the new root, over what lies at `target`
    own_link,    // a link to `source` over the file at `target`, where nobody can put another
    folder,      // an empty one
    socket,      // one that a process of ours answers at
    mask,        // an unreadable file over whatever is there
    pin,         // `target`, a folder or a link in the tree `source`, cannot be renamed away
  };
  Kind kind;
  std::string target;
  std::string source;
  Access access = Access::none;
  std::string reason;

  std::string content;                  // file
  std::string upper;                    // overlay: folder that holds upper/ and work/
  bool is_reviewed = false;             // overlay: of a tree that is changed after a person's look
  std::vector<std::string> names = {};  // without
  uint64_t bytes = 0;                   // tmpfs: most bytes
  uint64_t inodes = 0;                  // tmpfs: most files
  unsigned mode = 0755;                 // tmpfs, file, folder
  bool callers_own =
      false;  // the caller's files: opened by the supervisor, idmapped, when it is root
  bool whole_messages = false;  // socket: of packets, not of a stream
  bool may_be_missing = false;  // mask: what is not there needs none
  bool roots_own = false;       // file: it and the folders above it are of the id that shows as 0
  policy::Rule rule = {};
};

// Who the agent is. For an ordinary caller inside and host ids are his own. Root becomes an
// ordinary id that owns nothing on this host (0 would still own /proc/sys and /etc/shadow without
// any capability).
struct Identity {
  uid_t uid = 0;
  gid_t gid = 0;
  bool caller_is_root = false;
  std::string user;  // names for the inside's /etc/passwd and /etc/group
  std::string group;
  // The host id that shows as 0 inside, where files must be root's: it owns these, and no process.
  std::optional<uid_t> shown_as_root = {};
};

struct EnvironmentEntry {
  std::string name;
  std::string value;
  std::string reason;
  policy::Rule rule = {};
};

struct Plan {
  std::string run_name;
  std::string hostname = "ringwall";
  Identity identity;
  std::vector<Mount> mounts;
  std::vector<EnvironmentEntry> environment;
  std::string workspace;
  std::string working_folder;
  std::string program;                 // path inside
  std::string builtin;                 // not empty: a function of Ringwall's own in its place
  std::vector<std::string> arguments;  // with argv[0]
  mode_t umask = 022;                  // the caller's
  int landlock_abi = 0;                // 0: this host has none
  limits::Limits limits;
  NetworkPlan network;
  bool has_hand = false;                 // mounts may have to be renewed
  bool masks_later = false;              // sockets that the host makes while it goes on
  std::vector<std::string> git_configs;  // protected; updates of them are caught and judged
  calls::ExecPlan exec;
  bool learns = false;        // what is wanted of files is noted by the hand
  bool awaits_start = false;  // the command starts only when the supervisor says so
};

}  // namespace ringwall::sandbox
