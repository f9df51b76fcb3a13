#include "learn/learned_hosts.h"

#include <algorithm>
#include <cstring>

#include "policy/hosts.h"

namespace ringwall::learn {
namespace {

using policy::HostPattern;

constexpr uint16_t kUsualPort = 443;

// Names that no public resolver answers, or that lead into somebody's own network.
constexpr std::string_view kPrivateEnds[] = {
    ".local", ".localhost", ".internal", ".intranet", ".private",     ".corp",
    ".home",  ".lan",       ".localnet", ".test",     ".localdomain", ".home.arpa"};

// Empty: it is one of the public internet, as far as its name says.
std::string why_private(const HostPattern& host) {
  if (host.kind == HostPattern::Kind::address) {
    net::Address address{host.is_ipv6, {}};
    memcpy(address.bytes, host.address, sizeof address.bytes);
    auto special = net::why_not_public(address);
    return special ? std::string(*special) + ": it may be yours, not the internet's" : "";
  }
  bool has_private_end = std::ranges::any_of(
      kPrivateEnds, [&](std::string_view end) { return host.name.ends_with(end); });
  if (has_private_end || host.name.find('.') == std::string::npos)
    return "a name of a private network";
  return {};
}

std::string shown(const HostPattern& host) {
  std::string text = host.text();
  std::string usual = ":" + std::to_string(kUsualPort);
  if (text.ends_with(usual)) text.resize(text.size() - usual.size());
  return text;
}

net::Decision decide(const net::EgressRules& rules, const HostPattern& host) {
  if (host.kind != HostPattern::Kind::address)
    return net::decide(rules, host.name, host.first_port);
  net::Address address{host.is_ipv6, {}};
  memcpy(address.bytes, host.address, sizeof address.bytes);
  return net::decide_address(rules, address, host.first_port, {});
}

// Who asks for a name and gets none says nothing of the port. 443 is what is meant without one.
std::string port_of(const AskedHost& asked) {
  bool has_port = asked.destination.find(':') != std::string::npos;
  return !has_port && asked.program == "ssh" ? ":22" : "";
}

}  // namespace

std::vector<policy::Wish> wishes_for_hosts(const std::vector<AskedHost>& asked,
                                           const net::EgressRules& rules) {
  std::vector<policy::Wish> wishes;
  for (const AskedHost& one : asked) {
    policy::Wish wish{policy::Wish::Kind::reach, one.destination, false, one.times};
    if (!one.program.empty()) wish.programs.insert(one.program);
    auto host = policy::parse_host_pattern(one.destination + port_of(one));
    wish.left_out = one.why;
    if (host && host->kind != HostPattern::Kind::below) {
      wish.what = shown(*host);
      net::Decision decision = decide(rules, *host);
      // If not, a grant would not help: something else stands against it.
      bool is_new = !decision.granted && decision.by == nullptr;
      if (is_new) wish.left_out = why_private(*host);
    }
    wishes.push_back(std::move(wish));
  }
  return wishes;
}

}  // namespace ringwall::learn
