// Between the hand, which catches a rename over a protected git config, and the broker, which
// decides about it: whole messages of fixed layout over a channel of their own.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

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

template <typename Fixed>
std::string_view update_bytes(const Fixed& message) {
  return {reinterpret_cast<const char*>(&message), sizeof message};
}

inline Result<ConfigUpdateAsk> parse_update_ask(std::string_view bytes) {
  ConfigUpdateAsk ask;
  if (bytes.size() != sizeof ask) return fail("a question of the wrong size");
  memcpy(&ask, bytes.data(), sizeof ask);
  return ask;
}

inline Result<ConfigUpdateAnswer> parse_update_answer(std::string_view bytes) {
  ConfigUpdateAnswer answer;
  if (bytes.size() != sizeof answer) return fail("an answer of the wrong size");
  memcpy(&answer, bytes.data(), sizeof answer);
  answer.text[sizeof answer.text - 1] = '\0';
  return answer;
}

}  // namespace ringwall
