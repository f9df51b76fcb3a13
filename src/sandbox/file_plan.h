// From what was granted to the list of mounts: pure, golden-tested.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "limits/limits.h"
#include "sandbox/host_facts.h"
#include "sandbox/plan.h"

namespace ringwall::sandbox {

struct Grant {
  std::string path;  // real path: no component is a symlink
  Access access = Access::read;
  std::string reason;
  policy::Rule rule = {};
  // Where changes go in place of the tree itself; holds upper/ and work/. Empty: to the tree. With
  // Access::read, what earlier changes have made of the tree is shown.
  std::string layer = {};
};

// A symlink on the way to a granted path, made again inside so that both names work.
struct LinkOnTheWay {
  std::string path;
  std::string target;
};

struct HomeState {
  std::string target;  // path inside
  std::string source;  // folder on disk
  std::string reason = "state that persists between runs";
  policy::Rule rule = {};
};

// A file with this content, made anew for each run.
struct MadeFile {
  std::string target;
  std::string content;
  unsigned mode = 0644;
  std::string reason;
  policy::Rule rule = {};
  bool roots_own = false;    // of use only if it is root's inside; see Identity::shown_as_root
  std::string seen_at = {};  // the path that it is known by, if not `target`
};

inline const std::string& path_of(const MadeFile& made) {
  return made.seen_at.empty() ? made.target : made.seen_at;
}

// What this run alone has of a folder that other runs change too.
struct OwnPlace {
  std::string target;  // path inside, in a folder of `state`
  std::string source;  // where it lies: below kOwnPlaces of the home in memory
  std::string around;  // target of that `state`
  bool is_folder = false;
  policy::Rule rule = {};
};

struct CacheLayer {
  std::string target;
  std::string lower;  // the real home's cache
  std::string upper;  // where changes go
};

// A file or folder in a granted tree that the inside may not change, or not even read.
struct Protection {
  enum class Kind {
    read_only,
    link,  // stays as it is; where it leads is protected by itself
    hidden,
  };
  Kind kind;
  std::string path;  // real path
  std::string reason;
  bool may_be_missing = false;
};

// Names that are missing in a folder of a read-only tree.
struct MissingNames {
  std::string target;
  std::string source;
  std::vector<std::string> names;
  bool callers_own = false;
};

struct FileGrants {
  std::vector<Grant> grants;
  std::vector<LinkOnTheWay> links;
  std::string home;
  std::string shell;
  std::vector<HomeState> state;
  std::vector<OwnPlace> own;
  std::vector<CacheLayer> caches;
  std::vector<MadeFile> made;             // unless a tree of the host covers them
  std::vector<std::string> sockets;       // found in the granted trees
  std::vector<Protection> protections;    // found in the granted trees
  std::vector<MissingNames> missing;      // programs that are taken away
  std::vector<Mount> in_review;           // over trees under review: what is not reviewed
  std::string ignored_by_git;             // lines for kGitIgnoreFile; empty: there is none
  std::string git_settings;               // for kGitSettingsFile; empty: there is none
  std::optional<std::string> own_binary;  // Ringwall's program, if it lies in a writable grant
  std::vector<std::string> served;        // paths of sockets that processes of ours answer at
  std::string gate_socket;                // where an agent's hooks are heard; empty: nowhere
  std::string gate_program;               // Ringwall's own program, for those hooks
  bool has_resolver = false;              // names can be asked for
  limits::FolderInMemory in_memory;       // each of /tmp, /dev/shm and the home
  bool only_known = false;                // see calls::ExecPlan
  bool keeps_code = false;                // see calls::ExecPlan
  std::vector<std::string> exec_trees;    // writable, and may be executed all the same
};

// In the home, which is in memory: what lies there can be named, since links lead to it.
inline constexpr const char* kOwnPlaces = ".ringwall-own";

// Where git looks for settings of all users: below those of the home and of a repository.
inline constexpr const char* kGitSettingsFile = "/etc/gitconfig";
inline constexpr const char* kGitIgnoreFile = "/etc/ringwall-gitignore";

// Sorted so that parents come before what lies below them.
std::vector<Mount> plan_files(const FileGrants& files, const HostFacts& host,
                              const Identity& identity);

}  // namespace ringwall::sandbox
