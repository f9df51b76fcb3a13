// Destinations as a person reads and writes them.
#pragma once

#include <string>
#include <string_view>

#include "net/addresses.h"
#include "net/relay_protocol.h"

namespace ringwall::desks {

net::Address address_of(const net::Destination& to);
net::Destination destination_of(const net::Address& address, uint16_t port);

// "api.example.com:443", "[::1]:80"; without a port if it was asked for a name alone.
std::string show(const net::Destination& to);

// What a person types to allow it, or does instead; empty: nothing is to be advised. A question for
// a name does not say at which port its host is wanted; some programs do.
std::string advise_grant(const net::Destination& to, std::string_view program = {});

}  // namespace ringwall::desks
