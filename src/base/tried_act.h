// What came of an act that a helper's walls forbid, tried by the helper itself when `verify` asks.
#pragma once

#include <string_view>
#include <vector>

namespace ringwall {

struct TriedAct {
  std::string_view name;
  int err;  // 0: it worked
};

using TryActs = std::vector<TriedAct> (*)();

}  // namespace ringwall
