// Words that stand together as only an instruction for an assistant has them.
#pragma once

#include <string_view>
#include <vector>

#include "instructions/result_scan.h"

namespace ringwall::instructions {

// A phrase that was found, before it is weighed against where it stands.
struct Phrase {
  std::string_view kind;
  size_t at = 0, end = 0;
  int weight = 0;
  bool disguised = false;
  bool is_quoted = false;     // stands between quotes
  bool is_talked_of = false;  // near words of whoever writes about attacks
  bool is_described = false;  // what somebody may do: "to ignore …"
  bool is_negated = false;    // what nobody shall do: "do not ignore …"
};

std::vector<Phrase> find_phrases(std::string_view text);

}  // namespace ringwall::instructions
