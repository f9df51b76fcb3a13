// Who we are here: a process that asks the host's own resolver for addresses of granted names. What
// comes back was chosen by whoever holds the name, so it is not read in the supervisor. Every
// question has a thread of its own: a slow one holds up nobody.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/tried_act.h"
#include "net/addresses.h"
#include "net/relay_protocol.h"

namespace ringwall::net {

inline constexpr size_t kMostAddresses = 256;  // of one name
inline constexpr size_t kMostThreads = 128;    // a question that nobody answers holds one for long

struct ResolverOrder {
  uint32_t id = 0;
  char name[kNameRoom] = {};
  bool tries_acts = false;  // instead: what its walls forbid
};

struct ResolverNotice {
  enum class Type : uint32_t { addresses, act, acts_done };
  uint32_t id = 0;
  int32_t error = 0;  // EAI_*; 0: it worked
  uint32_t count = 0;
  Address addresses[kMostAddresses] = {};
  Type type = Type::addresses;
  char act[64] = {};  // its name; `error` is its errno
};

Result<ResolverOrder> parse_resolver_order(std::string_view bytes);
Result<ResolverNotice> parse_resolver_notice(std::string_view bytes);

// Returns when the supervisor is gone.
void run_resolver(int channel, TryActs try_acts);

}  // namespace ringwall::net
