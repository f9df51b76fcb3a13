// P23, P25 and P26: what can be reached, and what cannot.
//
// Bare, only this machine and addresses for documentation are tried: the others may be somebody's.
#include <cstring>

#include "base/text.h"
#include "probes/dialogue.h"
#include "probes/planted_servers.h"
#include "probes/probe.h"

extern char** environ;

namespace ringwall::probes {
namespace {

// Of documentation, which nobody has; one of those that stand for names, and for none yet.
constexpr const char* kNobodys[] = {"192.0.2.1", "2001:db8::1"};
constexpr const char* kOthers[] = {"198.51.100.1",       "203.0.113.1",    "::ffff:192.0.2.1",
                                   "2001:db8:ffff::1:1", "198.18.255.254", "198.19.255.255"};

constexpr const char* kPrivate[] = {
    "10.0.0.1",
    "10.255.255.254",
    "172.16.0.1",
    "192.168.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "169.254.1.1",
    "100.64.0.1",
    "100.100.100.200",
    "fd00:ec2::254",
    "fc00::1",
    "fe80::1",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::a00:1",
    "2002:a9fe:a9fe::1",
};

// The machine's own loopback under its many names.
constexpr const char* kLoopbacks[] = {"127.0.0.1", "127.1.2.3", "0.0.0.0",
                                      "::1",       "::",        "::ffff:127.0.0.1"};

// Ports that were granted to names, and one that nobody has; in a run that somebody else granted
// things to, this one alone.
std::vector<unsigned long> ports_to_try(const Outside& outside) {
  if (outside.granted_name.empty()) return {9};
  return {443, 80, 9};
}

void try_address(Acts& acts, const Outside& outside, const std::string& address,
                 unsigned long port) {
  judge_reached(acts, "reach " + address + " at port " + std::to_string(port),
                say({address, port, "x\n"}, patience(outside)));
}

void try_addresses(Acts& acts, const Outside& outside, std::span<const char* const> addresses) {
  for (const char* address : addresses) {
    for (unsigned long port : ports_to_try(outside))
      try_address(acts, outside, address, port);
  }
}

void try_name(Acts& acts, const Outside& outside, const std::string& act, const std::string& name,
              unsigned long port) {
  std::string address = address_of(outside, name);
  if (address.empty()) return acts.stopped(act, "no such name");
  judge_reached(acts, act, say({address, port, "x\n"}, patience(outside)));
}

void try_this_machine(Acts& acts, const Outside& outside) {
  if (outside.tcp_port == 0) return;
  for (const char* address : kLoopbacks) {
    judge_reached(acts, std::string("reach the host's loopback by ") + address,
                  say({address, outside.tcp_port, "x\n"}, patience(outside)));
  }
  for (const std::string& address : outside.host_addresses) {
    if (!address.starts_with("fe80")) try_address(acts, outside, address, outside.tcp_port);
  }
}

void need(Acts& acts, const std::string& what, bool works) {
  if (works)
    acts.stopped(what, "works");
  else
    acts.got_in("cannot " + what);
}

bool stands_for_a_name(const std::string& address) {
  return address.starts_with("198.18.") || address.starts_with("198.19.");
}

void need_no_proxy(Acts& acts) {
  for (char** entry = environ; *entry != nullptr; entry++) {
    std::string_view variable(*entry);
    std::string name = text::in_small_letters(variable.substr(0, variable.find('=')));
    if (name.ends_with("_proxy") && name != "no_proxy") acts.got_in("go by a proxy: " + name);
  }
}

void need_servers(Acts& acts, const Outside& outside, const std::string& address) {
  auto hear = [&](unsigned long port, std::string_view words, size_t most) {
    return say({address, port, words, most}, 10 * patience(outside)).bytes;
  };
  const std::string& secret = outside.canary_secret;
  std::string way = " by " + address;
  need(acts, "hear a server that speaks first" + way,
       hear(outside.greeting_port, "", secret.size()) == secret);
  need(acts, "speak first" + way, hear(outside.served_port, "hello\n", 6) == "hello\n");
  need(acts, "ask by HTTP" + way,
       hear(outside.served_port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", 12) == "HTTP/1.1 200");
  std::string stream = hear(outside.served_port, kStreamRequest, kStreamBytes + 1);
  need(acts, "hear a long stream" + way, stream == long_stream());
}

}  // namespace

Verdict probe_ungranted(const Outside& outside) {
  Acts acts;
  try_addresses(acts, outside, kNobodys);
  if (!shares_namespace(outside, "net")) try_addresses(acts, outside, kOthers);
  try_this_machine(acts, outside);
  // Where the wall listens; who comes by its own address was not taken there.
  judge_reached(acts, "talk to the wall itself", say({"127.0.0.1", 4, "x\n"}, patience(outside)));
  if (!outside.own_name.empty()) {
    try_name(acts, outside, "reach a granted name at another's port", outside.own_name,
             outside.tcp_port);
  }
  return acts.verdict();
}

Verdict probe_private(const Outside& outside) {
  Acts acts;
  if (!shares_namespace(outside, "net")) try_addresses(acts, outside, kPrivate);
  try_this_machine(acts, outside);
  if (outside.own_name.empty()) {
    acts.untried("no name in /etc/hosts leads to this machine");
  } else {
    try_name(acts, outside, "reach this machine by a granted name", outside.own_name,
             outside.named_port);
  }
  return acts.verdict();
}

Verdict probe_granted(const Outside& outside) {
  Acts acts;
  if (outside.granted_name.empty()) {
    acts.untried("nothing was granted for this check");
    return acts.verdict();
  }
  need_no_proxy(acts);
  for (const std::string& name : {outside.granted_name, "any." + outside.granted_zone})
    need(acts, "find " + name, stands_for_a_name(ask({name}, 10 * patience(outside)).address));
  need_servers(acts, outside, "127.0.0.1");
  bool has_ipv6 = say({"::1", 9, ""}, patience(outside)).err == ECONNREFUSED;
  if (has_ipv6) need_servers(acts, outside, "::1");
  return acts.verdict();
}

}  // namespace ringwall::probes
