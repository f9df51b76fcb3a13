#include "net/egress.h"

#include <algorithm>
#include <cstring>

namespace ringwall::net {
namespace {

const EgressRule* find(const std::vector<EgressRule>& rules, std::string_view name, uint16_t port) {
  auto found = std::ranges::find_if(
      rules, [&](const EgressRule& rule) { return rule.pattern.matches(name, port); });
  return found == rules.end() ? nullptr : &*found;
}

const EgressRule* find(const std::vector<EgressRule>& rules, const Address& address, uint16_t port,
                       unsigned least_bits = 0) {
  auto found = std::ranges::find_if(rules, [&](const EgressRule& rule) {
    return rule.pattern.bits >= least_bits &&
           rule.pattern.matches_address(address.bytes, address.is_ipv6, port);
  });
  return found == rules.end() ? nullptr : &*found;
}

// What is denied is so however it is written.
const EgressRule* find_denial(const EgressRules& rules, const Address& address, uint16_t port) {
  const EgressRule* rule = find(rules.deny, address, port);
  for (const Address& carried : carried_addresses(address)) {
    if (rule == nullptr) rule = find(rules.deny, carried, port);
  }
  return rule;
}

Decision denied_by(const EgressRule& rule) {
  return {false, "denied by " + rule.pattern.text() + " (" + rule.rule.origin.text() + ")", &rule};
}

bool is_in(const Address& address, const OwnNetwork& network) {
  if (address.is_ipv6 != network.address.is_ipv6) return false;
  for (unsigned bit = 0; bit < network.bits; bit++) {
    int mask = 0x80 >> (bit % 8);
    if ((address.bytes[bit / 8] & mask) != (network.address.bytes[bit / 8] & mask)) return false;
  }
  return true;
}

bool is_same(const Address& address, const OwnNetwork& network) {
  return network.address.is_ipv6 == address.is_ipv6 &&
         memcmp(network.address.bytes, address.bytes, address.is_ipv6 ? 16 : 4) == 0;
}

bool is_this_machine(const Address& address, const std::vector<OwnNetwork>& own) {
  std::vector<Address> meant = carried_addresses(address);
  meant.push_back(address);
  return std::ranges::any_of(meant, [&](const Address& one) {
    return std::ranges::any_of(own,
                               [&](const OwnNetwork& network) { return is_same(one, network); });
  });
}

// What a grant of private addresses is for: other machines of a company's networks.
bool is_of_other_machines(const Address& address) {
  const uint8_t* a = address.bytes;
  if (address.is_ipv6) return (a[0] & 0xfe) == 0xfc && !(a[0] == 0xfd && a[2] == 0x0e);
  return a[0] == 10 || (a[0] == 172 && (a[1] & 0xf0) == 16) || (a[0] == 192 && a[1] == 168) ||
         (a[0] == 100 && (a[1] & 0xc0) == 64);
}

}  // namespace

Decision decide(const EgressRules& rules, std::string_view name, uint16_t port) {
  if (const EgressRule* rule = find(rules.deny, name, port)) return denied_by(*rule);
  if (const EgressRule* rule = find(rules.allow, name, port)) return {true, {}, rule};
  bool other_port = std::ranges::any_of(rules.allow, [&](const EgressRule& rule) {
    return rule.pattern.matches(name, rule.pattern.first_port);
  });
  return {false, other_port ? "granted, but not on this port" : "no grant names it", nullptr};
}

Decision decide_name(const EgressRules& rules, std::string_view name) {
  Decision last{false, "no grant names it", nullptr};
  for (const EgressRule& rule : rules.allow) {
    if (rule.pattern.kind == policy::HostPattern::Kind::address) continue;
    if (!rule.pattern.matches(name, rule.pattern.first_port)) continue;
    last = decide(rules, name, rule.pattern.first_port);
    if (last.granted) return last;
  }
  return last;
}

Decision decide_address(const EgressRules& rules, const Address& address, uint16_t port,
                        const std::vector<OwnNetwork>& own) {
  if (const EgressRule* rule = find_denial(rules, address, port)) return denied_by(*rule);
  if (is_loopback(address)) {
    bool reached = std::ranges::find(rules.host_ports, port) != rules.host_ports.end();
    return {reached, reached ? "" : "no --reach-host names this port", nullptr};
  }
  bool is_own = is_this_machine(address, own);
  unsigned least_bits = is_own ? (address.is_ipv6 ? 128 : 32) : least_bits_of_block(address);
  if (const EgressRule* rule = find(rules.allow, address, port, least_bits))
    return {true, {}, rule};
  const EgressRule* block = find(rules.allow, address, port);
  if (block == nullptr) return {false, "no grant names this address", nullptr};
  std::string what(is_own ? "this machine itself"
                          : why_not_public(address).value_or("a special address"));
  return {false,
          "it is " + what + ", which the block " + block->pattern.text() + " does not include",
          nullptr};
}

bool may_be_private(const EgressRules& rules, std::string_view name) {
  return std::ranges::any_of(rules.may_be_private, [&](const EgressRule& rule) {
    return rule.pattern.matches(name, rule.pattern.first_port);
  });
}

Decision judge_denials(const EgressRules& rules, const Address& address, uint16_t port) {
  const EgressRule* rule = find_denial(rules, address, port);
  if (rule == nullptr) return {true, {}, nullptr};
  return {false, "it leads to " + text(address) + ", " + denied_by(*rule).why, rule};
}

Decision judge_resolved(const Address& address, const std::vector<OwnNetwork>& own,
                        bool may_be_private) {
  auto special = why_not_public(address);
  bool is_private = special && may_be_private && is_of_other_machines(address);
  if (special && !is_private)
    return {false, "it leads to " + text(address) + ", " + std::string(*special), nullptr};
  if (is_this_machine(address, own))
    return {false, "it leads to " + text(address) + ", this machine itself", nullptr};
  if (may_be_private) return {true, {}, nullptr};
  std::vector<Address> meant = carried_addresses(address);
  meant.push_back(address);
  bool is_near = std::ranges::any_of(meant, [&](const Address& one) {
    return std::ranges::any_of(own, [&](const OwnNetwork& network) { return is_in(one, network); });
  });
  if (is_near)
    return {false, "it leads to " + text(address) + ", in a network of this machine's own",
            nullptr};
  return {true, {}, nullptr};
}

}  // namespace ringwall::net
