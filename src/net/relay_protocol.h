// What the network relay and the supervisor say to each other. Fixed layouts; whoever reads checks
// length and range. A relay that was taken over can say any of it: it can ask for what is granted
// anyway, and nothing else.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace ringwall::net {

inline constexpr size_t kNameRoom = 256;  // a name has at most 253 characters

// Where somebody inside wants to go.
struct Destination {
  char name[kNameRoom] = {};  // empty: by address
  uint8_t address[16] = {};   // IPv4 in the first four bytes
  uint8_t is_ipv6 = 0;
  uint16_t port = 0;  // 0: a question for a name
};

// The near end of somebody inside, for finding out which program it is.
struct Asker {
  uint8_t is_udp = 0;
  uint8_t is_ipv6 = 0;
  uint16_t port = 0;
};

// From the relay to the supervisor.
struct RelayNotice {
  enum class Type : uint32_t {
    ready = 1,          // its walls stand
    name,               // may this name be known? answered
    connection,         // may this connection be made? answered
    left,               // whoever asked for that connection is gone
    half_closed,        // it sends nothing more, and may still wait for the answer, or be gone
    refused,            // the relay has refused by itself: why; `value`: more, not told of
    sent,               // `bytes` left by a connection since it was last told of
    closed,             // a connection that was made has ended; `bytes`: the rest of what left
    refused_by_kernel,  // `value` times, at this name or address
    act,                // one forbidden act: its name in `why`, and the error that it gave
    acts_done,
    finished,  // the answer to `finish`
  } type;
  uint32_t id = 0;
  int32_t value = 0;
  Destination to{};
  Asker asker{};
  char why[2 * kNameRoom] = {};  // a name and some words
  uint64_t bytes = 0;
};

inline RelayNotice about_bytes(RelayNotice::Type type, uint32_t id, uint64_t bytes) {
  RelayNotice notice{type, id};
  notice.bytes = bytes;
  return notice;
}

// From the supervisor to the relay.
struct RelayOrder {
  enum class Type : uint32_t {
    sockets = 1,  // descriptors: the sockets of the wall; `value` has a bit for each that is there
    answer,       // to `id`: verdict, why; descriptor if a connection was made
    join,         // descriptors: two connected sockets, the first leads inside
    cut,          // ends connection `id`, which is not granted any more; 0: all there are
    try_acts,
    refused_by_kernel,  // `value` times, at this address: which name does it stand for?
    finish,             // nobody inside is left: say when all that they have sent was passed on
  } type;
  enum class Verdict : uint32_t { yes, no, unreachable } verdict = Verdict::yes;
  uint32_t id = 0;
  uint32_t value = 0;  // of an answer to `name`: 1 if a grant names it as it is
  // sockets: bytes that may be sent out, to each name and in all.
  uint64_t most_to_name = UINT64_MAX;
  uint64_t most_in_all = UINT64_MAX;
  bool checks_names = true;  // false only in the build for tests
  Destination to{};
  char why[2 * kNameRoom] = {};
};

Result<RelayNotice> parse_relay_notice(std::string_view bytes);
Result<RelayOrder> parse_relay_order(std::string_view bytes);

}  // namespace ringwall::net
