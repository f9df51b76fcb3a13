// The second opinion of [tools.advisor]: whom to ask, and one question on its way. Key and call
// stay out here; what comes back can only make an answer stricter, and no answer in time means that
// the person is asked.
#pragma once

#include <optional>
#include <string>

#include "base/digest.h"
#include "base/result.h"
#include "gate/advice.h"
#include "policy/policy.h"
#include "processes/outside_program.h"

namespace ringwall::desks {

struct AdvisorPlan {
  std::string program;
  std::string url;
  std::string model;
  std::string key;
  int milliseconds = 0;
  std::string kept;  // folder for answers

  bool is_on() const { return !program.empty(); }
};

// Reads the key. Nothing is on without a URL; half of what is needed is an error.
Result<AdvisorPlan> plan_advisor(const policy::Tools::Advisor& advisor, const std::string& home,
                                 const std::string& state);

// An answer to the same question that is not an hour old.
std::optional<gate::Advice> find_advice(const AdvisorPlan& plan,
                                        const gate::AdviceQuestion& question);

Result<processes::OutsideProcess> start_advisor(const AdvisorPlan& plan,
                                                const gate::AdviceQuestion& question);

// Reads what it said and keeps it. One that failed or was late advises to ask.
gate::Advice finish_advisor(const AdvisorPlan& plan, const gate::AdviceQuestion& question,
                            processes::OutsideProcess process);

// All of that in one, for who can wait.
gate::Advice ask_advisor(const AdvisorPlan& plan, const gate::AdviceQuestion& question);

}  // namespace ringwall::desks
