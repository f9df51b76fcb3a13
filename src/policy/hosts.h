// How a policy names hosts: "api.example.com", "*.example.com:8000-8100", "10.0.0.0/8:*",
// "[::1]:8080"; and which names programs may ask for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ringwall::policy {

struct HostPattern {
  // below: "*.name", any depth, not the name itself; without a name, "*": every name and address.
  enum class Kind { name, below, address };
  Kind kind = Kind::name;
  std::string name;          // small letters; empty for addresses
  uint8_t address[16] = {};  // IPv4 in the first four bytes
  bool is_ipv6 = false;
  unsigned bits = 0;  // of the address that count
  uint16_t first_port = 1;
  uint16_t last_port = 65535;

  // As it is written, in one way only, with its ports: what no port means depends on the list.
  std::string text() const;
  // True if everything that `other` names is named by this one.
  bool covers(const HostPattern& other) const;
  bool matches(std::string_view host_name, uint16_t port) const;
  bool is_everything() const { return kind == Kind::below && name.empty(); }
  // The bytes of an address in the order of the network: 4 of them, or 16.
  bool matches_address(const uint8_t* bytes, bool bytes_are_ipv6, uint16_t port) const;
};

// What a pattern without a port means: a grant is as small as can be, a denial as large. A denial
// may also name all there is, "*" or "*.ru".
enum class NoPort { https, any };

Result<HostPattern> parse_host_pattern(std::string_view text, NoPort no_port = NoPort::https);

// True if everything that it names lies on the loopback that a run has to itself.
bool is_own_loopback(const HostPattern& pattern);

// Of a grant: could a connection that it is for ever be made? An error says why not, and what is
// the way. What lies on the run's own loopback, where Ringwall itself answers, or where TCP does
// not lead, is nothing that could be granted.
Status check_grant(const HostPattern& pattern);

// A host's name as a program asks for it, in small letters. Strict, since what is looked up and
// what is compared must be one thing: no trailing dot, no number that some resolver would take for
// an address.
Result<std::string> parse_host_name(std::string_view text);

}  // namespace ringwall::policy
