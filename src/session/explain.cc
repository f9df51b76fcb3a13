#include "session/explain.h"

#include <cstdlib>
#include <cstring>

#include "base/shell_word.h"
#include "base/text.h"
#include "events/redact.h"
#include "policy/hosts.h"
#include "policy/variables.h"

namespace ringwall::session {
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
  }
  return "";
}

Answer explain_variable(const Preparation& run, const std::string& name) {
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

Result<Answer> explain_connect(const policy::Policy& policy, const std::string& host) {
  TRY_ASSIGN(policy::HostPattern wanted, policy::parse_host_pattern(host));
  if (wanted.kind == policy::HostPattern::Kind::below ||
      (wanted.kind == policy::HostPattern::Kind::address &&
       wanted.bits != (wanted.is_ipv6 ? 128u : 32u)))
    return fail("names more than one host", "ask for one of them");
  if (wanted.first_port != wanted.last_port)
    return fail("names more than one port", "ask for one of them, as in example.com:443");
  Answer answer{.subject = wanted.text()};
  policy::HostPattern loopback = *policy::parse_host_pattern("127.0.0.0/8:*");
  policy::HostPattern loopback6 = *policy::parse_host_pattern("[::1]:*");
  if (wanted.name == "localhost" || loopback.covers(wanted) || loopback6.covers(wanted)) {
    answer.verdict = Verdict::yes;
    answer.why = "the run has a loopback of its own; no server of this host is on it";
    return answer;
  }
  const policy::Policy::Network& network = policy.network;
  if (network.off.on) {
    answer.why = "there is no network inside";
    answer.rule = {"network.off", network.off.origin};
    return answer;
  }
  TRY_ASSIGN(PlannedNetwork planned, plan_network(network));
  const net::EgressRules& rules = planned.request.rules;
  net::Address address{wanted.is_ipv6, {}};
  memcpy(address.bytes, wanted.address, sizeof address.bytes);
  net::Decision decision = wanted.kind == policy::HostPattern::Kind::address
                               ? net::decide_address(rules, address, wanted.first_port)
                               : net::decide(rules, wanted.name, wanted.first_port);
  if (decision.by != nullptr) answer.rule = decision.by->rule;
  answer.verdict = decision.granted ? Verdict::yes : Verdict::no;
  answer.why =
      decision.granted ? "network.allow names it: " + decision.by->pattern.text() : decision.why;
  if (!decision.granted && decision.by == nullptr)
    answer.wishes = {{"network.allow", wanted.text()}};
  return answer;
}

}  // namespace ringwall::session
