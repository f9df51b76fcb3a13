// A record's lines as a person reads them: when, what, and in a few words the rest.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ringwall::events {

struct ShownLine {
  std::string time;   // "2026-01-31T09:00:00.123Z"
  std::string kind;   // "blocked"
  std::string words;  // escaped: texts in it were chosen by others
  bool is_refusal = false;
  bool is_network = false;
};

// Nothing if the line is none of a record.
std::optional<ShownLine> show_line(std::string_view line);

// What a line tells of: "blocked", …; empty if it is none of ours.
std::string event_of(std::string_view line);
// How many refusals it stands for.
uint64_t refusals_in(std::string_view line);

}  // namespace ringwall::events
