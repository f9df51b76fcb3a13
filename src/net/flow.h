// One direction of a connection: bytes from one socket to another, by splice where a pipe is to be
// had. Never blocks; whoever calls comes back when a socket is ready.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "net/low_water.h"
#include "net/pipe_pool.h"

namespace ringwall::net {

// How many bytes may still leave, for one name and for the run. Null counters: not counted.
struct Budget {
  uint64_t* sent_to_name = nullptr;
  uint64_t* sent_in_all = nullptr;
  uint64_t* sent_here = nullptr;  // by one connection; has no limit
  uint64_t most_to_name = UINT64_MAX;
  uint64_t most_in_all = UINT64_MAX;

  uint64_t left() const;
  // The name of the limit that leaves the least.
  const char* tightest() const;
  void count(uint64_t bytes) const;
};

// Why nothing more may leave.
std::string words_of_limit(std::string_view limit);

class Flow {
 public:
  enum class Step {
    blocked,      // until a socket is ready
    yields,       // there is more, but others wait too
    used_up,      // what may be moved blindly was moved; see `allow`
    ended,        // the end was passed on
    broken,       // one of the sockets was reset
    over_budget,  // more wants to leave than may
  };

  Flow() = default;
  Flow(int from, int to, Budget budget = {}) : from_(from), to_(to), budget_(budget) {}

  // These bytes go first; they were read by somebody else. False: more than may leave.
  bool put_first(std::string_view bytes);
  // So many more bytes may be moved without a look at them.
  void allow(uint64_t bytes) { allowance_ = bytes; }
  // Whoever reads has seen the end of what comes.
  void end_input() { input_ended_ = true; }

  Step pump(PipePool& pipes);
  // It waits for more than a byte; after a moment without, `hurry` has it take what there is.
  bool is_patient() const { return low_water_.is_high() && in_pipe_ == 0 && front_.empty(); }
  void hurry() { low_water_.lower(from_); }
  // Nothing more is to be moved.
  void give_up(PipePool& pipes) { pipes.drop(std::exchange(pipe_, {})); }
  bool has_ended() const { return has_ended_; }

 private:
  enum class Move { moved, blocked, broken };
  Move send_front();
  Move empty_pipe(PipePool& pipes);
  void push_the_rest();
  Step fill(PipePool& pipes, bool& got_some);
  Step fill_by_copy(uint64_t most, bool& got_some);

  int from_ = -1;
  int to_ = -1;
  Budget budget_;
  uint64_t allowance_ = 0;
  std::string front_;
  size_t front_sent_ = 0;
  Pipe pipe_;
  size_t in_pipe_ = 0;
  LowWater low_water_;
  bool more_follows_ = false;
  bool input_ended_ = false;
  bool has_ended_ = false;
};

}  // namespace ringwall::net
