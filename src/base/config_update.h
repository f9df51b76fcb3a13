// Between the hand, which catches a rename over a protected git config, and the broker, which
// decides about it: whole messages of fixed layout over a channel of their own.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/fixed_message.h"
#include "base/result.h"

namespace ringwall {

// With the descriptor of the file that was to take the config's place.
struct ConfigUpdateAsk {
  uint32_t ticket = 0;  // returned with the answer
  uint32_t config = 0;  // which one: its place in the list that both were given at the start
};

struct ConfigUpdateAnswer {
  uint32_t ticket = 0;
  int32_t err = 0;       // what the rename gives; 0: it is done
  char text[1024] = {};  // why not, for the person
};

inline Result<ConfigUpdateAsk> parse_update_ask(std::string_view bytes) {
  return fixed::parse<ConfigUpdateAsk>(bytes, "an update's");
}

inline Result<ConfigUpdateAnswer> parse_update_answer(std::string_view bytes) {
  TRY_ASSIGN(ConfigUpdateAnswer answer, fixed::parse<ConfigUpdateAnswer>(bytes, "an update's"));
  fixed::end_text(answer.text);
  return answer;
}

}  // namespace ringwall
