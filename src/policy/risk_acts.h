// What is done when the risk of a run has reached a level.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ringwall::policy {

// In the order of their names.
enum class RiskAct : uint8_t {
  refuse_unanswered,        // what would be asked is refused when nobody answers
  refuse_new_destinations,  // that were not reached in this run
  refuse_new_programs,      // that did not run in it, where programs are judged when they start
  cut_network,
  freeze,
  kill,
};

std::span<const std::string_view> risk_acts();

}  // namespace ringwall::policy
