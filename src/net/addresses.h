// Addresses, and which of them are no part of the public internet: what a granted name may not
// resolve to unless its grant says so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringwall::net {

struct Address {
  bool is_ipv6 = false;
  uint8_t bytes[16] = {};  // in the order of the network; IPv4 in the first four
};

std::string text(const Address& address);

// 127.0.0.0/8 and ::1.
bool is_loopback(const Address& address);
std::vector<Address> loopback_addresses();  // 127.0.0.1 and ::1

// What the address is ("a private address"), if it is anything but one of the public internet. One
// that carries an IPv4 address in it (NAT64, 6to4 …) is what that is.
std::optional<std::string_view> why_not_public(const Address& address);

// A metadata service of a cloud, at one of its well-known addresses, in whatever clothes.
bool is_metadata_service(const Address& address);

// How many bits a block must fix before it is meant for this address too: those of its range for
// metadata services and link-local addresses, all for other ways to one, 0 for the rest.
unsigned least_bits_of_block(const Address& address);

// The IPv4 addresses that one of IPv6 may stand for: a translator or a tunnel takes it there
// (NAT64, 6to4, Teredo, ISATAP …), or the kernel does (mapped). Whoever refuses one refuses all
// ways to it.
std::vector<Address> carried_addresses(const Address& address);

}  // namespace ringwall::net
