#include "risk/level.h"

#include <algorithm>

namespace ringwall::risk {
namespace {

constexpr std::array<std::string_view, kLevels> kNames = {"normal", "caution", "restricted",
                                                          "isolated", "killed"};
constexpr uint32_t kNever = UINT32_MAX;

uint32_t millionths(const policy::Number& thousandths) {
  uint64_t value = thousandths.or_host(policy::kNoLimit);
  return value == policy::kNoLimit ? kNever : static_cast<uint32_t>(value * 1000);
}

void add_named(Acts& acts, const std::vector<policy::Text>& names) {
  auto known = policy::risk_acts();
  for (size_t i = 0; i < known.size(); i++) {
    if (std::ranges::find(names, known[i], &policy::Text::value) != names.end())
      acts.add(static_cast<policy::RiskAct>(i));
  }
}

}  // namespace

std::string_view name_of(Level level) { return kNames[static_cast<size_t>(level)]; }

std::optional<Level> level_by_name(std::string_view name) {
  for (size_t i = 0; i < kLevels; i++) {
    if (kNames[i] == name) return static_cast<Level>(i);
  }
  return std::nullopt;
}

Thresholds thresholds_of(const policy::Policy::Risk& risk) {
  return {{0, millionths(risk.caution), millionths(risk.restricted), millionths(risk.isolated),
           millionths(risk.killed)}};
}

std::array<Acts, kLevels> acts_of(const policy::Policy::Risk& risk) {
  using enum policy::RiskAct;
  std::array<Acts, kLevels> levels;
  Acts acts;
  acts.add(refuse_unanswered);
  add_named(acts, risk.at_caution);
  levels[1] = acts;
  acts.add(refuse_new_destinations);
  acts.add(refuse_new_programs);
  add_named(acts, risk.at_restricted);
  levels[2] = acts;
  acts.add(cut_network);
  acts.add(freeze);
  add_named(acts, risk.at_isolated);
  levels[3] = acts;
  acts.add(kill);
  levels[4] = acts;
  return levels;
}

Level next_level(const Thresholds& thresholds, Level now, uint32_t score, uint32_t seen) {
  auto level = static_cast<size_t>(now);
  Level highest = seen >= kLeastSeen ? Level::killed : Level::restricted;
  for (size_t higher = static_cast<size_t>(highest); higher > level; higher--) {
    if (score >= thresholds.at[higher]) return static_cast<Level>(higher);
  }
  if (now >= Level::isolated) return now;
  while (level > 0 && (thresholds.at[level] == kNever || score + kMargin < thresholds.at[level]))
    level--;
  return static_cast<Level>(level);
}

}  // namespace ringwall::risk
