// The person's own switch: an installed agent runs without walls for a while. It is noted who said
// so and why, it ends by itself, and it lies where no run can reach.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "state/places.h"

namespace ringwall::install {

struct Off {
  std::string agent;
  int64_t from = 0;  // seconds since 1970
  int64_t until = 0;
  std::string reason;
  std::string by;     // "ann, uid 1000, pid 4711"
  int64_t ended = 0;  // by the person, before its time; 0: not
};

inline constexpr int64_t kLongestOff = 24 * 3600;

// Every time that it was used, oldest first.
Result<std::vector<Off>> read_offs(const state::Places& places);
std::string offs_text(const std::vector<Off>& offs);
Result<std::vector<Off>> parse_offs(std::string_view text);

// The one that holds now. What cannot be read is none: walls stand then.
std::optional<Off> find_off(const std::vector<Off>& offs, std::string_view agent, int64_t now);

// An error where the policy's walls.no_off, of an organisation or the person, forbids it: by whom.
Status check_off_is_free(const state::Caller& caller, const state::Places& places);

Status turn_off(const state::Caller& caller, const state::Places& places, Off off);
// False if it was not off.
Result<bool> turn_on(const state::Caller& caller, const state::Places& places,
                     std::string_view agent, int64_t now);

// What a start and a hook ask: is it off now, and may it be?
std::optional<Off> off_in_force(const state::Caller& caller, const state::Places& places,
                                std::string_view agent);

}  // namespace ringwall::install
