// One sandbox under the guard: its rules, and the thread that answers the kernel's questions about
// files that are opened there.
#pragma once

#include <sys/stat.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <unordered_set>

#include "base/digest.h"
#include "base/fd.h"
#include "base/file_id.h"
#include "guard/examined_file.h"
#include "guard/guard_protocol.h"
#include "guard/kernel_gate.h"
#include "guard/owner_check.h"
#include "guard/recheck.h"
#include "guard/touched_files.h"
#include "guard/watched_mounts.h"

struct fanotify_event_metadata;

namespace ringwall::guard {

struct ScopeRules {
  uint32_t flags = 0;  // of GuardRequest
  std::unordered_set<Digest, DigestHash> denied;
  std::unordered_set<Digest, DigestHash> allowed;
  std::unordered_set<Digest, DigestHash> named;  // one by one: what it compiles may run too
};

class ExecScope {
 public:
  // `peer` is told of the start and of refusals.
  ExecScope(VerdictTable table, KernelGate& gate, DigestCache& cache, ScopeRules rules,
            Sandbox sandbox, int peer);
  // Nothing more runs in the sandbox from here on.
  ~ExecScope();

  // By a thread of its own, since what lies in the sandbox may take its time.
  void start();

  uint32_t id() const { return table_.scope; }
  int pidfd() const { return sandbox_.pidfd.get(); }
  Fd take_pidfd() { return std::move(sandbox_.pidfd); }

  // By the kernel's programs.
  void take_refusal(const rw_refusal& refusal);

 private:
  struct Known {
    struct timespec changed;
    off_t size;
    rw_file_key key;
    Digest digest;
    uint32_t may_be;    // RW_PROGRAM, RW_LIBRARY
    int64_t since;      // when it was looked at
    bool is_unwatched;  // the kernel does not ask for it again
  };
  struct Event {
    int fd;
    pid_t pid;
    bool is_exec;
    struct stat info;
    WatchedMount mount;
  };

  using KnownFiles = std::map<file::Id, Known>;

  void run();
  Status begin();
  void answer_events();
  void answer(const fanotify_event_metadata& metadata);
  bool judge(Event& event);
  bool judge_writing(Event& event, bool is_code);
  bool judge_known(Event& event, const Known& known, bool is_code);
  Known* find(const Event& event);
  Known* look_at(Event& event);
  uint32_t decide(const Event& event, const ExaminedFile& file);
  KnownFiles::iterator drop(KnownFiles::iterator at);
  void ignore(const Event& event, uint64_t mask);
  void heed(const Event& event);
  void leave_unwatched(Event& event, Known& known);
  void take_touched();
  void ask_again(KnownFiles::iterator at);
  void forget_touched(const rw_file_key& key);
  void forget_old();
  bool is_linker(pid_t pid) const;
  void tell_refused(const rw_refusal& refusal);
  void tell_refused(const Event& event, const Known* known, uint32_t how, uint32_t why);
  void send(GuardNotice notice);
  bool is_denied(const Digest& digest) const { return rules_.denied.contains(digest); }

  const VerdictTable table_;
  KernelGate& gate_;
  DigestCache& cache_;
  const ScopeRules rules_;
  Sandbox sandbox_;
  const int peer_;
  struct timespec began_ = {};
  Fd group_;
  Fd stop_;
  std::map<uint64_t, WatchedMount> mounts_;
  std::mutex mutex_;  // of what follows: refusals come from another thread
  KnownFiles known_;
  std::unordered_map<Digest, uint32_t, DigestHash> uses_;  // of each content among them
  std::map<file::Id, bool> built_;                         // whether a linker alone has written it
  size_t unwatched_ = 0;
  TouchedFiles touched_;
  int64_t second_ = 0;  // in which so many were told
  uint32_t told_ = 0;
  uint32_t untold_ = 0;
  std::thread thread_;
  std::unique_ptr<Recheck> recheck_;  // ends first: what it opens, the thread answers for
};

}  // namespace ringwall::guard
