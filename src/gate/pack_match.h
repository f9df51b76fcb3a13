// Which rules of the packs fit one act of a command, one file, or one piece of code.
#pragma once

#include <cstdint>
#include <string_view>

#include "gate/operands.h"
#include "gate/packs.h"
#include "gate/path_rule.h"

namespace ringwall::gate {

// A bit for each of packs(), in their order.
using PackSet = uint32_t;

// The strictest rule that fits; among equals the first.
template <class Row>
struct PackHit {
  const Pack* pack = nullptr;
  const Row* row = nullptr;
  bool may = false;  // only an unknown word makes it fit
};

PackHit<PackCommand> match_command(const shell::Analysis& analysis, const shell::Act& act,
                                   const Surrounding& around, PackSet on);
PackHit<PackPath> match_path(const NamedFile& file, bool writes, const Anchors& anchors,
                             PackSet on);
PackHit<PackCode> match_code(std::string_view language, std::string_view code, PackSet on);

}  // namespace ringwall::gate
