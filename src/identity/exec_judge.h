// Whether a file that was executed, or is to be mapped for execution, may run: by its content and
// by where it lies. For the exec stop, which asks while the process stands.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/fd.h"
#include "identity/exec_rules.h"
#include "identity/file_key.h"

namespace ringwall::identity {

// A tree that the sandbox shows. The innermost that holds a file says what it is: a read-only mount
// over one file of a writable tree is no tree of its own.
struct StopPlace {
  std::string path;  // inside
  bool writable = false;
};

struct StopRules {
  ExecRules rules;
  // In allow mode: what lies on a read-only mount, and cannot be written by the agent under another
  // name, may run. Libraries there may be mapped in any case.
  bool system_runs = false;
  bool judges_mappings = false;
  std::vector<StopPlace> places;
  // In deny mode: programs that run any file they are given, and so may not be run themselves.
  std::unordered_set<Digest, DigestHash> loaders;
};

struct Judgement {
  bool may_run = false;
  bool is_first = false;         // this file was not judged before
  bool is_too_new = false;       // nothing but `only_known` speaks against it
  bool is_systems = false;       // it lies in a read-only tree, and the agent cannot change it
  bool is_unknown = false;       // no rule names it, and one could allow it
  bool brings_loader = false;    // it names an interpreter that is not the system's own
  std::optional<Digest> digest;  // none: it could not be read
  std::string rule;
  std::string_view why;  // it may not run
};

class ExecJudge {
 public:
  // `processes` is the host's /proc.
  ExecJudge(int processes, StopRules rules) : processes_(processes), rules_(std::move(rules)) {}

  const StopRules& rules() const { return rules_; }

  // What this process executes: `path` is its "PID/exe" in `folder`, a /proc.
  Judgement program(int folder, const std::string& path);
  // `fd` is open for reading.
  Judgement mapping(int fd);

  // From now on only what has run already may run.
  void only_known(bool only_known) { only_known_ = only_known; }

  // What a linker wrote here.
  void vouch_for(const Digest& digest) { built_here_.insert(digest); }

 private:
  struct Key {
    FileKey file;
    uint64_t mount = 0;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const {
      return key.file.inode * 0x9e3779b97f4a7c15u ^ static_cast<size_t>(key.file.ctime) ^ key.mount;
    }
  };

  Judgement judge(int fd, const Key& key, bool is_program);
  void judge_content(Judgement& judged, bool is_program) const;
  void judge_age(Judgement& judged);

  bool is_systems(int fd) const;

  int processes_;
  StopRules rules_;
  std::unordered_set<Digest, DigestHash> built_here_;
  std::unordered_set<Digest, DigestHash> ran_;
  bool only_known_ = false;
  std::unordered_map<Key, Judgement, KeyHash> programs_, mappings_;
};

// True if no process of this id could write what `fd` shows: it lies on a read-only mount, and if
// the agent owns it, has no other name.
bool is_out_of_reach(int fd);

}  // namespace ringwall::identity
