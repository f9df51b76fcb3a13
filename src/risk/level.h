// From a score to what is done: levels, each with its threshold. Up at once, down only when the
// score is well below, and from `isolated` on only by the person.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "policy/policy.h"
#include "policy/risk_acts.h"

namespace ringwall::risk {

enum class Level : uint8_t { normal, caution, restricted, isolated, killed };
inline constexpr size_t kLevels = 5;

std::string_view name_of(Level level);
std::optional<Level> level_by_name(std::string_view name);

// What is done at a level, which includes what is done at lower ones.
struct Acts {
  std::array<bool, 6> does = {};  // by policy::RiskAct
  bool has(policy::RiskAct act) const { return does[static_cast<size_t>(act)]; }
  void add(policy::RiskAct act) { does[static_cast<size_t>(act)] = true; }
  void remove(policy::RiskAct act) { does[static_cast<size_t>(act)] = false; }
};

struct Thresholds {
  std::array<uint32_t, kLevels> at = {};  // millionths
};

Thresholds thresholds_of(const policy::Policy::Risk& risk);
std::array<Acts, kLevels> acts_of(const policy::Policy::Risk& risk);

// So far below its threshold a level ends.
inline constexpr uint32_t kMargin = 100'000;

// What hooks say can be forged by anything inside, and alone it stops no run: from `isolated` on,
// so much of the score must have been seen at the walls.
inline constexpr uint32_t kLeastSeen = 80'000;

// The level that a run at `now` has with this score, of which `seen` is no hearsay. A score never
// brings it down from `isolated`.
Level next_level(const Thresholds& thresholds, Level now, uint32_t score, uint32_t seen);

}  // namespace ringwall::risk
