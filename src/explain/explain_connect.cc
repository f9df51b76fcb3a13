// "May it connect?": answered by the rules that the desk of a run decides by.
#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "explain/explain.h"
#include "net/own_networks.h"
#include "policy/hosts.h"

namespace ringwall::explain {
namespace {

using policy::HostPattern;
using Verdict = Answer::Verdict;
using Network = policy::Policy::Network;

Result<HostPattern> parse_wanted(const std::string& host) {
  TRY_ASSIGN(HostPattern wanted, policy::parse_host_pattern(host));
  bool is_block =
      wanted.kind == HostPattern::Kind::address && wanted.bits != (wanted.is_ipv6 ? 128u : 32u);
  if (wanted.kind == HostPattern::Kind::below || is_block)
    return fail("names more than one host", "ask for one of them");
  if (wanted.first_port != wanted.last_port)
    return fail("names more than one port", "ask for one of them, as in example.com:443");
  return wanted;
}

net::Address address_of(const HostPattern& wanted) {
  net::Address address{wanted.is_ipv6, {}};
  memcpy(address.bytes, wanted.address, sizeof address.bytes);
  return address;
}

Answer explain_loopback(const Network& network, const net::EgressRules& rules, uint16_t port) {
  Answer own{.verdict = Verdict::yes};
  own.why = "the run has a loopback of its own; no server of this host is on it";
  auto reached = std::ranges::find_if(network.reach_host, [&](const policy::Text& one) {
    return one.value == std::to_string(port);
  });
  if (network.off.on || reached == network.reach_host.end()) return own;
  Answer answer{.verdict = Verdict::yes};
  answer.why = "network.reach_host names this port: the server of this host answers";
  answer.rule = {"network.reach_host", reached->origin};
  net::Decision decision = net::decide_address(rules, net::loopback_addresses()[0], port, {});
  if (decision.granted) return answer;
  answer.verdict = Verdict::no;
  answer.why = decision.why;
  if (decision.by != nullptr) answer.rule = decision.by->rule;
  return answer;
}

// A denial that leaves a name no address to lead to.
const net::EgressRule* find_denial_of_all(const net::EgressRules& rules, uint16_t port) {
  const net::EgressRule* found = nullptr;
  for (const char* family : {"0.0.0.0/0", "[::/0]"}) {
    auto all = policy::parse_host_pattern(family);
    all->first_port = all->last_port = port;
    auto rule = std::ranges::find_if(
        rules.deny, [&](const net::EgressRule& one) { return one.pattern.covers(*all); });
    if (rule == rules.deny.end()) return nullptr;
    found = &*rule;
  }
  return found;
}

// What else is looked at once the name is asked for.
std::string where_it_may_lead(const net::EgressRules& rules, const HostPattern& wanted) {
  bool may_be_private = net::may_be_private(rules, wanted.name);
  std::string text = std::string("; where it leads is judged when it is connected to: public ") +
                     (may_be_private ? "and private addresses" : "addresses") + " may be reached";
  if (!may_be_private) text += ", private ones with --private";
  std::string denied;
  for (const net::EgressRule& rule : rules.deny) {
    uint16_t port = wanted.first_port;
    bool is_about_it = rule.pattern.kind == HostPattern::Kind::address &&
                       rule.pattern.first_port <= port && port <= rule.pattern.last_port;
    if (is_about_it) denied += (denied.empty() ? "" : ", ") + rule.pattern.text();
  }
  return denied.empty() ? text : text + "; not those of network.deny: " + denied;
}

Answer explain_granted(const Network& network, const net::EgressRules& rules,
                       const HostPattern& wanted, const net::EgressRule& by) {
  constexpr uint16_t kNames = 53;
  Answer answer{.verdict = Verdict::yes};
  answer.rule = by.rule;
  answer.why = "network.allow names it: " + by.pattern.text();
  auto refuse = [&](std::string why, policy::Rule rule) {
    answer.verdict = Verdict::no;
    answer.why = std::move(why);
    answer.rule = rule;
    return answer;
  };
  if (wanted.first_port == kNames)
    return refuse("at port 53 Ringwall's own resolver answers, whatever host is meant", {});
  bool is_name = wanted.kind == HostPattern::Kind::name;
  if (!network.upstream.value.empty()) {
    if (!is_name)
      return refuse("addresses are not reached through the upstream proxy, only names",
                    {"network.upstream", network.upstream.origin});
    answer.why += "; the upstream proxy decides where it leads";
    return answer;
  }
  if (!is_name) return answer;
  if (const net::EgressRule* all = find_denial_of_all(rules, wanted.first_port))
    return refuse("every address that it could lead to is denied: " + all->pattern.text(),
                  all->rule);
  answer.why += where_it_may_lead(rules, wanted);
  return answer;
}

// A toolchain's profile that would grant it, if the person agreed.
const prepare::Offer* find_offer(const std::vector<prepare::Offer>& offers,
                                 const HostPattern& wanted) {
  auto grants_it = [&](const policy::Setting& setting) {
    const auto* host = std::get_if<std::string>(&setting.value);
    if (setting.field->key != "network.allow" || host == nullptr) return false;
    auto pattern = policy::parse_host_pattern(*host);
    return pattern && pattern->covers(wanted);
  };
  auto found = std::ranges::find_if(offers, [&](const prepare::Offer& offer) {
    return std::ranges::any_of(offer.settings, grants_it);
  });
  return found == offers.end() ? nullptr : &*found;
}

void advise(const prepare::PolicyLayers& layers, const HostPattern& wanted, Answer& answer) {
  bool is_address = wanted.kind == HostPattern::Kind::address;
  if (is_address && net::is_metadata_service(address_of(wanted))) return;
  answer.wishes = {{"network.allow", wanted.text()}};
  const prepare::Offer* offer = find_offer(layers.offers, wanted);
  if (offer == nullptr) return;
  answer.advice = "agree to the profile " + offer->name() + ": ringwall trust --workspace " +
                  text::quote(layers.workspace);
}

}  // namespace

Result<Answer> explain_connect(const policy::Policy& policy, const std::string& host,
                               const prepare::PolicyLayers& layers) {
  TRY_ASSIGN(HostPattern wanted, parse_wanted(host));
  const Network& network = policy.network;
  TRY_ASSIGN(prepare::PlannedNetwork planned, prepare::plan_network(network));
  const net::EgressRules& rules = planned.request.rules;
  Answer answer;
  if (policy::is_own_loopback(wanted)) {
    answer = explain_loopback(network, rules, wanted.first_port);
  } else if (network.off.on) {
    answer.why = "there is no network inside";
    answer.rule = {"network.off", network.off.origin};
  } else if (Status possible = policy::check_grant(wanted); !possible) {
    answer.why = "it " + possible.error().what;
    answer.advice = possible.error().hint;
  } else {
    TRY_ASSIGN(std::vector<net::OwnNetwork> own, net::read_own_networks());
    net::Decision decision =
        wanted.kind == HostPattern::Kind::address
            ? net::decide_address(rules, address_of(wanted), wanted.first_port, own)
            : net::decide(rules, wanted.name, wanted.first_port);
    if (decision.granted) {
      answer = explain_granted(network, rules, wanted, *decision.by);
    } else {
      answer.why = decision.why;
      if (decision.by != nullptr) answer.rule = decision.by->rule;
      if (decision.by == nullptr && network.ask.on) {
        answer.verdict = Verdict::asked;
        answer.why += "; network.ask is on, so that it waits for your answer";
        answer.rule = {"network.ask", network.ask.origin};
      }
      if (decision.by == nullptr) advise(layers, wanted, answer);
    }
  }
  answer.subject = wanted.text();
  return answer;
}

}  // namespace ringwall::explain
