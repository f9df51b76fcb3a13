// From what was granted to the list of mounts: pure, golden-tested.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sandbox/host_facts.h"
#include "sandbox/limits.h"
#include "sandbox/plan.h"

namespace ringwall::sandbox {

struct Grant {
  std::string path;  // real path: no component is a symlink
  Access access = Access::read;
  std::string reason;
};

// A symlink on the way to a granted path, made again inside so that both names work.
struct LinkOnTheWay {
  std::string path;
  std::string target;
};

struct HomeState {
  std::string target;  // path inside
  std::string source;  // folder on disk
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
};

struct FileGrants {
  std::vector<Grant> grants;
  std::vector<LinkOnTheWay> links;
  std::string home;
  std::string shell;
  std::vector<HomeState> state;
  std::vector<CacheLayer> caches;
  std::vector<std::string> sockets;       // found in the granted trees
  std::vector<Protection> protections;    // found in the granted trees
  std::string ignored_by_git;             // lines for kGitIgnoreFile; empty: there is none
  std::optional<std::string> own_binary;  // Ringwall's program, if it lies in a writable grant
  FolderInMemory in_memory;               // each of /tmp, /dev/shm and the home
};

inline constexpr const char* kGitIgnoreFile = "/etc/ringwall-gitignore";

// Sorted so that parents come before what lies below them.
std::vector<Mount> plan_files(const FileGrants& files, const HostFacts& host,
                              const Identity& identity);

}  // namespace ringwall::sandbox
