// The guard's programs in the kernel: loads them, puts sandboxes into their scopes, and leaves
// verdicts for them. They stay when we are gone: their links are pinned.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/digest.h"
#include "base/fd.h"
#include "base/result.h"
#include "bpf/layout.h"
#include "guard/guard_protocol.h"

struct bpf_object;
struct bpf_link;
struct ring_buffer;

namespace ringwall::guard {

// An argument of ours: the program ends at once.
inline constexpr const char* kDoNothing = "--do-nothing";

inline constexpr uint32_t kMostFiles = 16384;  // of one sandbox that verdicts are kept for

// A file as the kernel will find it behind a mapping.
struct MappedFile {
  rw_file_key key;
  uint64_t filesystem;
  int writers;
  bool is_mapped_elsewhere;
};

// What one scope may run, in the kernel. Without it, nothing.
struct VerdictTable {
  uint32_t scope = 0;
  Fd map;
};

class KernelGate {
 public:
  // The strongest kind that works here, tried on a process of our own. `why_not` gets why a
  // stronger one does not.
  static Result<std::unique_ptr<KernelGate>> load(const std::string& pins, Kind most,
                                                  std::string& why_not);
  ~KernelGate();

  Kind kind() const { return kind_; }

  // Nothing is looked at before; both may be called again and again.
  Status attach();
  void detach();

  // By a mapping of it. Fails where there can be none.
  Result<MappedFile> describe(int fd) const;

  // As it was opened, which is what the LSM's programs see of it.
  Result<rw_file_key> key_of_opened(int fd) const;

  // A new scope's. The kernel takes ten milliseconds to make one, so some are kept in advance, made
  // when there is time.
  Result<VerdictTable> take_table();
  void make_spare_table();

  Status begin_scope(const rw_scope& scope, int pidfd, uint32_t process_namespace);
  bool has_scope(uint32_t process_namespace) const;
  // Its processes stay in it, and nothing more runs in them.
  void end_scope(uint32_t id);

  // `fd` is the file's. The generation is of before its content was read.
  Result<uint64_t> generation_of(int fd) const;
  Status let_run(const VerdictTable& table, int fd, const rw_file_key& key, const Digest& digest,
                 uint64_t generation, uint32_t what) const;
  // `digest` if no other file of that sandbox has this content.
  void forget(const VerdictTable& table, const rw_file_key& key, const Digest* digest) const;
  // Whether the tracepoints' programs would let a file in this state be mapped.
  bool is_known(const VerdictTable& table, const rw_file_key& key) const;

  // Readable when something was refused.
  int refusals_fd() const;
  void take_refusals(const std::function<void(const rw_refusal&)>& take);

 private:
  KernelGate(Kind kind, std::string pins);
  Status open();
  Status try_out();
  int map_fd(const char* name) const;
  Result<VerdictTable> make_table();

  Kind kind_;
  std::string pins_;
  bpf_object* object_ = nullptr;
  ring_buffer* ring_ = nullptr;
  std::function<void(const rw_refusal&)> take_;
  std::vector<bpf_link*> links_;
  int describe_program_ = -1;
  int opened_program_ = -1;
  std::mutex mutex_;  // of the two that follow
  uint32_t next_scope_ = 1;
  std::vector<VerdictTable> spare_tables_;
};

}  // namespace ringwall::guard
