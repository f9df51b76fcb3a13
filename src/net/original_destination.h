// Where a connection that netfilter took to the wall was meant to go.
#pragma once

#include <optional>

#include "net/relay_protocol.h"

namespace ringwall::net {

// Nothing: it came by the wall's own address, or is gone already.
std::optional<Destination> original_destination(int socket, bool is_ipv6);

}  // namespace ringwall::net
