// The risk of a run that goes on: hears every line of its record, and says when another level
// holds. What is done then is the supervisor's (supervise_risk.cc).
#pragma once

#include <array>
#include <boost/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "events/event.h"
#include "policy/policy.h"
#include "risk/level.h"
#include "risk/score.h"

namespace ringwall::desks {

class RiskDesk {
 public:
  // `judges_programs`: when they start, so that new ones can be refused.
  RiskDesk(std::string run, const policy::Policy::Risk& policy, bool judges_programs);

  // Times are milliseconds since the start of the run, as the record has them.
  void hear(int64_t at, std::string_view event);

  bool has_news() const { return has_news_; }
  // What has changed, if anything has.
  std::optional<events::RiskLevel> look(int64_t at);
  // Whether the level may fall by time alone, so that somebody has to look now and then.
  bool has_to_look() const { return level_ != risk::Level::normal; }

  risk::Level level() const { return level_; }
  const risk::Acts& acts() const { return acts_[static_cast<size_t>(level_)]; }
  uint32_t score(int64_t at) const { return score_.look(at).score; }

  // By the person: everything begins anew.
  events::RiskLowered lower(int64_t at, std::string reason, std::string by);

  // For explain: the sum, and what is behind it.
  boost::json::object describe(int64_t at) const;

 private:
  std::vector<std::string> reasons(int64_t at) const;

  std::string run_;
  risk::Thresholds thresholds_;
  std::array<risk::Acts, risk::kLevels> acts_;
  risk::Score score_;
  risk::Level level_ = risk::Level::normal;
  bool has_news_ = false;
};

// For a run that learns: refusals are what it is for.
policy::Policy::Risk without_levels(policy::Policy::Risk risk);

// As the start of a record has them.
std::vector<uint32_t> risk_weights(const policy::Policy::Risk& policy);
std::vector<uint32_t> risk_thresholds(const policy::Policy::Risk& policy);

}  // namespace ringwall::desks
