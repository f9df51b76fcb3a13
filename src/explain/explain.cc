#include "explain/explain.h"

#include <cstdlib>

#include "base/shell_word.h"
#include "base/text.h"
#include "events/redact.h"
#include "policy/variables.h"

namespace ringwall::explain {
namespace {

using Verdict = Answer::Verdict;

}  // namespace

// A profile cannot be changed, but left out.
std::string removal_of(const policy::Origin& origin) {
  if (origin.layer == policy::Layer::profile)
    return "do without " + origin.text() + ": ringwall run --no-profile …";
  return (origin.line == 0 ? "leave out " : "remove it from ") + origin.text();
}

std::string_view name_of(Answer::Verdict verdict) {
  switch (verdict) {
    case Verdict::yes:
      return "yes";
    case Verdict::no:
      return "no";
    case Verdict::hidden:
      return "hidden";
    case Verdict::protected_file:
      return "protected";
    case Verdict::asked:
      return "ask";
  }
  return "";
}

Answer explain_variable(const prepare::Preparation& run, const std::string& name) {
  Answer answer{.subject = name};
  for (const sandbox::EnvironmentEntry& entry : run.plan.environment) {
    if (entry.name != name) continue;
    answer.verdict = Verdict::yes;
    answer.why = entry.reason + ": " + text::quote(events::redact_value(name, entry.value));
    answer.rule = entry.rule;
    const policy::Origin& origin = entry.rule.origin;
    if (!origin.is_default()) answer.advice = removal_of(origin);
    // What a profile sets is lifted by its name.
    if (origin.layer == policy::Layer::profile && entry.rule.key == "environment.set")
      answer.advice = "ringwall run --set " + name + "=VALUE …";
    return answer;
  }
  const policy::KnownVariable* known = policy::known_variable(name);
  bool injects = known != nullptr && known->kind == policy::VariableKind::injects;
  bool steers = known != nullptr && known->kind == policy::VariableKind::steers;
  bool is_set = getenv(name.c_str()) != nullptr;
  if (injects) {
    answer.why = "never given to a run: " + std::string(known->reason);
    answer.advice = "give it to one program inside: ringwall run -- env " + text::shell_word(name) +
                    "=VALUE COMMAND";
  } else if (steers || !is_set) {
    answer.why =
        steers ? "never passed on: " + std::string(known->reason) : "it is not set outside";
    answer.advice = "ringwall run --env " + text::shell_word(name) + "=VALUE …";
  } else {
    answer.why = "no variable is inherited but those of a short list";
    answer.wishes = {{"environment.pass", name}};
  }
  return answer;
}

}  // namespace ringwall::explain
