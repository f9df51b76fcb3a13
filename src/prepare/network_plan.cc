#include "prepare/network_plan.h"

#include "base/file.h"
#include "base/text.h"
#include "net/redirect.h"
#include "policy/hosts.h"
#include "sandbox/wall.h"

namespace ringwall::prepare {
namespace {

Result<std::vector<net::EgressRule>> rules_of(std::string_view key,
                                              const std::vector<policy::Text>& hosts,
                                              policy::NoPort no_port) {
  std::vector<net::EgressRule> rules;
  for (const policy::Text& host : hosts) {
    TRY_ASSIGN(policy::HostPattern pattern, policy::parse_host_pattern(host.value, no_port));
    rules.push_back({std::move(pattern), {key, host.origin}});
  }
  return rules;
}

std::string encode_base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t at = 0; at < bytes.size(); at += 3) {
    size_t count = std::min<size_t>(3, bytes.size() - at);
    uint32_t group = 0;
    for (size_t i = 0; i < 3; i++)
      group = group << 8 | (i < count ? static_cast<uint8_t>(bytes[at + i]) : 0u);
    for (size_t i = 0; i < 4; i++)
      out += i <= count ? kDigits[group >> (18 - 6 * i) & 0x3f] : '=';
  }
  return out;
}

Result<std::optional<desks::Upstream>> plan_upstream(const policy::Policy::Network& network) {
  if (network.upstream.value.empty()) return std::nullopt;
  TRY_ASSIGN(policy::Proxy proxy, policy::parse_proxy(network.upstream.value));
  desks::Upstream upstream{proxy.host, proxy.port, {}};
  if (network.upstream_login.value.empty()) return upstream;
  TRY_ASSIGN(std::string login, file::read(network.upstream_login.value, 4096));
  while (login.ends_with('\n') || login.ends_with('\r'))
    login.pop_back();
  if (login.find(':') == std::string::npos || login.find('\n') != std::string::npos) {
    return fail("the login " + text::quote(network.upstream_login.value) +
                    " for the upstream proxy is not USER:PASSWORD",
                "write one line into it");
  }
  upstream.authorization = "Basic " + encode_base64(login);
  return upstream;
}

}  // namespace

Result<PlannedNetwork> plan_network(const policy::Policy::Network& network, bool learns) {
  PlannedNetwork planned;
  planned.login_callback = network.login_callback.on;
  for (const policy::Text& port : network.publish) {
    TRY_ASSIGN(policy::PublishedPort published, policy::parse_published_port(port.value));
    for (const policy::Text& reached : network.reach_host) {
      if (reached.value != std::to_string(published.inside)) continue;
      return fail("port " + reached.value + " inside cannot be published (" + port.origin.text() +
                      ") and lead to the host (" + reached.origin.text() + ")",
                  "serve on another port inside");
    }
    planned.published.push_back(published);
  }
  planned.request.is_off = network.off.on;
  if (network.off.on) return planned;
  planned.plan.may_change = !sandbox::is_taken_away(sandbox::Wall::network_namespace) &&
                            !sandbox::is_taken_away(sandbox::Wall::user_namespace);
  desks::NetworkRequest& request = planned.request;
  TRY_ASSIGN(request.rules.allow, rules_of("network.allow", network.allow, policy::NoPort::https));
  TRY_ASSIGN(request.rules.deny, rules_of("network.deny", network.deny, policy::NoPort::any));
  TRY_ASSIGN(request.rules.may_be_private,
             rules_of("network.private", network.private_hosts, policy::NoPort::any));
  for (const policy::Text& port : network.reach_host) {
    TRY_ASSIGN(uint16_t number, policy::parse_port(port.value));
    request.rules.host_ports.push_back(number);
  }
  request.most_to_name = network.upload_limit.or_host(UINT64_MAX);
  request.most_in_all = network.upload_total.or_host(UINT64_MAX);
  request.most_names_below = network.wildcard_names.or_host(256);
  TRY_ASSIGN(request.upstream, plan_upstream(network));
  request.learns = learns;
  request.asks = network.ask.on;
  request.patience = static_cast<int64_t>(network.ask_time.or_host(0)) * 1'000'000;
  bool reaches = !request.rules.allow.empty() || !request.rules.host_ports.empty();
  if (reaches || request.asks || learns) plan_wall(request, learns, planned.plan);
  return planned;
}

void plan_wall(const desks::NetworkRequest& request, bool learns, sandbox::NetworkPlan& plan) {
  net::Redirected redirected{{}, request.rules.host_ports, request.asks};
  for (const net::EgressRule& rule : request.rules.allow)
    redirected.grants.push_back(rule.pattern);
  // Every port of a name: of names the ports count alone.
  if (learns) redirected.grants.push_back({.kind = policy::HostPattern::Kind::name});
  plan.has_wall = true;
  plan.redirect = net::encode_redirect(redirected);
  plan.wall_port = net::kWallPort;
  plan.resolver_port = net::kResolverPort;
}

std::string find_judged_name(const net::EgressRules& rules) {
  for (const net::EgressRule& rule : rules.allow) {
    if (rule.pattern.kind == policy::HostPattern::Kind::address) continue;
    bool is_below = rule.pattern.kind == policy::HostPattern::Kind::below;
    std::string name = is_below ? "any." + rule.pattern.name : rule.pattern.name;
    for (uint16_t port : {uint16_t{443}, uint16_t{80}}) {
      if (net::decide(rules, name, port).granted) return name;
    }
  }
  return {};
}

}  // namespace ringwall::prepare
