// Which program inside holds the near end of a connection: for the line that a person reads.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "net/relay_protocol.h"

namespace ringwall::desks {

// Its name as the kernel shows it; empty if it is gone already, or too much
// would have to be looked at. `init` is pid 1 of the sandbox.
std::string find_asking_program(pid_t init, const net::Asker& asker);

// The near ports of those TCP sockets inside that a process still holds: one that was closed lives
// on for a while without anybody. Nothing if it cannot be told, as with many thousands of them.
std::optional<std::set<uint16_t>> list_held_ports(pid_t init);

}  // namespace ringwall::desks
