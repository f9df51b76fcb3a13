// Between the supervisor and the exec stop: whole messages of fixed layout. Whoever reads checks
// length and range.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/digest.h"
#include "base/result.h"

namespace ringwall::identity {

// From the supervisor.
struct StopOrder {
  enum class Type : uint32_t {
    try_acts = 1,  // try what its walls forbid
    only_known,    // value 1: what did not run yet does not run, 0: it does again
  };
  Type type;
  uint32_t value = 0;
};

// To the supervisor.
struct StopNotice {
  enum class Type : uint32_t {
    seized = 1,  // pid 1 is held: value is 0, or the error why not
    refused,     // a program, or a file that was to be mapped for execution
    first_seen,  // a program ran for the first time
    act,         // one forbidden act: path, and in value the error that it gave
    acts_done,
  };
  enum class How : uint32_t {
    killed = 1,   // before its first instruction
    not_mapped,   // the call was refused
    was_changed,  // while it ran, by a write that waited until it was ended
  };
  Type type;
  int32_t value = 0;     // refused: 1 if a rule could allow it
  uint32_t by_risk = 0;  // refused: only because it did not run before
  How how = How::killed;
  uint32_t has_digest = 0;
  Digest digest = {};
  char path[1024] = {};   // as seen inside
  char parent[512] = {};  // the program that started it, or that wanted to map it
  char rule[256] = {};    // the policy's entry; empty: none names it
  char why[160] = {};
};

Result<StopOrder> parse_stop_order(std::string_view bytes);
Result<StopNotice> parse_stop_notice(std::string_view bytes);

}  // namespace ringwall::identity
