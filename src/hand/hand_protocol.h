// Between the supervisor and the hand: whole messages of fixed layout. Whoever reads checks length
// and range.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace ringwall::hand {

// From the supervisor to the hand.
struct HandOrder {
  enum class Type : uint32_t {
    renew_read_only = 1,  // what lies at `path` inside becomes read-only again
    renew_mask,           // what lies at `path` inside is covered again
    renew_pin,            // `path` in the hidden copies of the trees is pinned again
    try_acts,             // try what its walls forbid
  };
  Type type;
  uint32_t id = 0;
  char path[4096] = {};
};

// From the hand to the supervisor.
struct HandNotice {
  enum class Type : uint32_t {
    ready = 1,       // its walls stand
    renewed,         // id of the order; value: errno, 0 if the mount stands
    refused_update,  // id: which config; text: why, with names that were chosen inside
    act,             // one forbidden act: text, and in value the error that it gave
    acts_done,
  };
  Type type;
  uint32_t id = 0;
  int32_t value = 0;
  char text[1024] = {};
};

Result<HandOrder> parse_hand_order(std::string_view bytes);
Result<HandNotice> parse_hand_notice(std::string_view bytes);

}  // namespace ringwall::hand
