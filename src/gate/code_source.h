// Where the code that an interpreter would run comes from: a pipe, <(…), $(…), a connection.
#pragma once

#include <cstdint>
#include <string_view>

#include "gate/operands.h"

namespace ringwall::gate {

enum class FromThere : uint8_t { no, may, yes };

// Kinds: "fetch" a downloader, "decode" what undoes an encoding, "any" program, "socket" a
// connection that the shell opens, "unknown": nothing of the code on its command line is known.
FromThere runs_code_from(const shell::Analysis& analysis, const shell::Act& act,
                         const Operands& operands, std::string_view kind);

}  // namespace ringwall::gate
