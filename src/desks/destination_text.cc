#include "desks/destination_text.h"

#include <cstring>

#include "base/text.h"
#include "policy/hosts.h"

namespace ringwall::desks {

net::Address address_of(const net::Destination& to) {
  net::Address address{to.is_ipv6 != 0, {}};
  memcpy(address.bytes, to.address, sizeof address.bytes);
  return address;
}

net::Destination destination_of(const net::Address& address, uint16_t port) {
  net::Destination to;
  to.is_ipv6 = address.is_ipv6 ? 1 : 0;
  memcpy(to.address, address.bytes, sizeof address.bytes);
  to.port = port;
  return to;
}

std::string show(const net::Destination& to) {
  std::string host = to.name;
  if (host.empty()) {
    host = net::text(address_of(to));
    if (to.is_ipv6 != 0) host = "[" + host + "]";
  }
  return to.port == 0 ? host : host + ":" + std::to_string(to.port);
}

std::string advise_grant(const net::Destination& to, std::string_view program) {
  constexpr uint16_t kSsh = 22, kHttps = 443;  // the latter is what is meant without a port
  net::Destination named = to;
  if (to.name[0] == '\0') {
    // Nobody is to be talked into opening what hands out a machine's own credentials.
    if (net::is_metadata_service(address_of(to))) return {};
    if (net::is_loopback(address_of(to)))
      return "for a server of this host: ringwall run --reach-host " + std::to_string(to.port) +
             " …";
    auto pattern = policy::parse_host_pattern(show(to));
    Status possible = pattern ? policy::check_grant(*pattern) : std::unexpected(pattern.error());
    if (!possible) return possible.error().hint;
  }
  if (to.port == 0 && program == "ssh") named.port = kSsh;
  bool is_open = named.port == 0;
  if (named.port == kHttps) named.port = 0;
  std::string advice = "allow it: ringwall run --allow " + text::quote(show(named)) + " …";
  if (!is_open) return advice;
  return advice + " (port 443; add :PORT for another)";
}

}  // namespace ringwall::desks
