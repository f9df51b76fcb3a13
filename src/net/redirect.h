// The plan of the sandbox's own netfilter rules: which connections are taken to the wall, and that
// everything else is refused at once. Pure: gives the messages that a child sends in its own
// network namespace (sandbox/network.h).
//
// Loopback is the only interface and every address is routed to it. Nothing could leave whatever
// these rules said; they make each connection arrive where somebody decides, with the address it
// was meant for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "policy/hosts.h"

namespace ringwall::net {

// Below 1024, so that nobody inside can bind them.
inline constexpr uint16_t kWallPort = 4;
inline constexpr uint16_t kResolverPort = 53;

// Names are answered with addresses of this network, which no host has (RFC 2544).
inline constexpr uint32_t kNamesNetwork = 0xc6120000;  // 198.18.0.0
inline constexpr unsigned kNamesBits = 15;

struct Redirected {
  std::vector<policy::HostPattern> grants;  // of names only the ports count
  std::vector<uint16_t> host_ports;         // of the host's loopback that may be reached
  bool everything = false;                  // every address and port, for who decides there
};

std::string encode_redirect(const Redirected& redirected);

// One grant more, for rules that stand already.
std::string encode_further_grant(const policy::HostPattern& grant);

// What the rules refuse by themselves is kept in two sets of the kernel's: an address with the port
// behind it in four bytes, and how often. net/kernel_refusals.h reads them, and takes out what it
// has read.
inline constexpr std::string_view kTable = "ringwall";
inline constexpr std::string_view kRefused4 = "refused4";
inline constexpr std::string_view kRefused6 = "refused6";

// Takes these keys, of one family, out of its set.
std::string encode_forgetting(const std::vector<std::string>& keys, bool is_ipv6);

}  // namespace ringwall::net
