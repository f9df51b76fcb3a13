// What a supervisor and root's guard say to each other, over a socket that no sandbox sees. Fixed
// layouts; the guard takes all that comes as untrusted, and the supervisor checks what it reads.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace ringwall::guard {

inline constexpr const char* kSocketPath = "/run/ringwall/guard.sock";

// How rules are enforced, from the least to the most.
enum class Kind : uint32_t {
  none = 0,
  tracepoints = 1,  // what is not known is killed before its first instruction
  lsm = 2,          // the call itself is refused
};

std::string_view name_of(Kind kind);

inline constexpr uint32_t kMostDigests = 1 << 18;  // of all sandboxes of one user
inline constexpr size_t kDigestSize = 32;

struct GuardRequest {
  enum class Type : uint32_t {
    describe = 1,  // which kind is there?
    enforce,       // descriptors: a pidfd of the sandbox's pid 1; the digests, sealed
  } type = Type::describe;
  enum Flags : uint32_t {
    kAllowList = 1,  // only what is allowed runs; without it: all that is not denied
    kSystem = 2,     // allowed: programs of read-only trees; their libraries always are
    kBuiltHere = 4,  // allowed: what a linker of those trees wrote in this sandbox
    kAnonymous = 8,  // memory that belongs to no file may be executed
  };
  uint32_t flags = 0;
  uint32_t least = 0;    // a weaker kind refuses
  uint32_t denied = 0;   // digests, first in the file
  uint32_t allowed = 0;  // those after them
  uint32_t named =
      0;  // and the last: allowed, and with memory that belongs to no file, as JITs use
};

struct GuardNotice {
  enum class Type : uint32_t {
    answer = 1,  // to the request; `text` says why not
    refused,     // a program
  } type = Type::answer;
  uint32_t accepted = 0;
  uint32_t kind = 0;
  uint32_t how = 0;  // rw_how and rw_why of bpf/layout.h
  uint32_t why = 0;
  int32_t pid = 0;
  uint32_t killed = 0;               // and not only refused
  uint32_t more = 0;                 // refusals since the last notice that nobody could be told of
  uint8_t digest[kDigestSize] = {};  // zeros: not known
  char program[16] = {};
  char parent[16] = {};
  char path[256] = {};
  char text[160] = {};
};

// Check length, type, and the ends of the texts.
Result<GuardRequest> parse_request(std::string_view bytes);
Result<GuardNotice> parse_notice(std::string_view bytes);

}  // namespace ringwall::guard
