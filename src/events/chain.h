// The chain that a record's lines form: each has a number and the SHA-256 of the line before it, so
// that none can be changed, removed, swapped or added without all that follow being written anew.
// The hash of the last one, the head, is kept apart.
//
//   {"n":2,"time":"2026-01-31T09:00:00.123Z","at":0.004,"event":"…",…,"prev":"64 hex digits"}
//
// Pure. `at` counts seconds from the run's start and never goes back; `time` is what the host's
// clock said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ringwall::events {

inline constexpr size_t kHashDigits = 64;

// The last line so far.
struct Link {
  uint64_t number = 0;
  std::string hash = std::string(kHashDigits, '0');
};

struct Moment {
  int64_t wall_milliseconds = 0;   // since 1970
  int64_t since_milliseconds = 0;  // since the start
};

// "2026-01-31T09:00:00.123Z"
std::string show_time(int64_t wall_milliseconds);

// The line for an event (a JSON object of one line), without a newline; `link` becomes its own.
std::string chain_line(Link& link, const Moment& moment, std::string_view event);

struct LinkedLine {
  uint64_t number = 0;
  std::string prev;
};
// What a line says of its place; nothing if it is none that we wrote.
std::optional<LinkedLine> parse_line(std::string_view line);

// What is kept apart: the last line's number and hash, and how many refusals there are. It is
// written before the lines that it vouches for, so after a kill they may be missing; `written` is
// the last one that surely was there before them.
struct Head {
  Link last;
  uint64_t refusals = 0;
  Link written = {};
  uint64_t refusals_written = 0;  // up to that one
};
std::string show_head(const Head& head);
std::optional<Head> parse_head(std::string_view text);

}  // namespace ringwall::events
