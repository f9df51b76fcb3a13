#include "desks/risk_desk.h"

#include <algorithm>

namespace ringwall::desks {
namespace {

constexpr size_t kMostReasons = 8;

std::vector<std::string> names_of(const risk::Acts& acts) {
  std::vector<std::string> names;
  auto known = policy::risk_acts();
  for (size_t i = 0; i < known.size(); i++) {
    if (acts.has(static_cast<policy::RiskAct>(i))) names.emplace_back(known[i]);
  }
  return names;
}

}  // namespace

policy::Policy::Risk without_levels(policy::Policy::Risk risk) {
  for (policy::Number* threshold : {&risk.caution, &risk.restricted, &risk.isolated, &risk.killed})
    threshold->value = policy::kNoLimit;
  return risk;
}

std::vector<uint32_t> risk_weights(const policy::Policy::Risk& policy) {
  auto weights = risk::weights_of(policy).thousandths;
  return {weights.begin(), weights.end()};
}

std::vector<uint32_t> risk_thresholds(const policy::Policy::Risk& policy) {
  auto thresholds = risk::thresholds_of(policy).at;
  return {thresholds.begin(), thresholds.end()};
}

RiskDesk::RiskDesk(std::string run, const policy::Policy::Risk& policy, bool judges_programs)
    : run_(std::move(run)),
      thresholds_(risk::thresholds_of(policy)),
      acts_(risk::acts_of(policy)),
      score_(risk::weights_of(policy)) {
  // Only what is really done is told.
  for (risk::Acts& acts : acts_) {
    if (!judges_programs) acts.remove(policy::RiskAct::refuse_new_programs);
  }
}

void RiskDesk::hear(int64_t at, std::string_view event) {
  if (score_.hear(at, event)) has_news_ = true;
}

std::vector<std::string> RiskDesk::reasons(int64_t at) const {
  std::vector<std::string> out;
  for (const risk::Contribution& one : score_.heaviest(at, kMostReasons))
    out.push_back(risk::show(one));
  return out;
}

std::optional<events::RiskLevel> RiskDesk::look(int64_t at) {
  has_news_ = false;
  risk::Reading reading = score_.look(at);
  risk::Level before = level_,
              next = risk::next_level(thresholds_, level_, reading.score, reading.seen);
  // What stands still is let go by the person alone.
  if (next > level_ || !acts().has(policy::RiskAct::freeze)) level_ = next;
  if (level_ == before) return std::nullopt;
  return events::RiskLevel{
      .run = run_,
      .level = std::string(name_of(level_)),
      .before = std::string(name_of(before)),
      .score = reading.score,
      .axes = {reading.axes.begin(), reading.axes.end()},
      .looked = at,
      .because = reasons(at),
      .does = names_of(acts()),
      .asks = acts().has(policy::RiskAct::freeze) && !acts().has(policy::RiskAct::kill)};
}

events::RiskLowered RiskDesk::lower(int64_t at, std::string reason, std::string by) {
  events::RiskLowered lowered{run_, std::move(reason), score(at), std::string(name_of(level_)),
                              std::move(by)};
  score_.forget();
  level_ = risk::Level::normal;
  has_news_ = false;
  return lowered;
}

boost::json::object RiskDesk::describe(int64_t at) const {
  boost::json::object out = risk::describe(score_, at);
  out["level"] = name_of(level_);
  boost::json::object thresholds;
  for (size_t i = 1; i < risk::kLevels; i++)
    thresholds[name_of(static_cast<risk::Level>(i))] = thresholds_.at[i];
  out["thresholds"] = std::move(thresholds);
  boost::json::array does;
  for (const std::string& act : names_of(acts()))
    does.emplace_back(act);
  out["does"] = std::move(does);
  return out;
}

}  // namespace ringwall::desks
