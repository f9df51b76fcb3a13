// What is looked at before the TOML library reads a text that may be hostile: the library calls
// itself for each part of a key, so that a key of half a million parts would use up the stack.
#pragma once

#include <cstdint>
#include <string_view>

namespace ringwall::policy {

struct Misshape {
  const char* what = nullptr;  // null: nothing is wrong
  const char* hint = "";
  uint32_t line = 0;
  uint32_t column = 0;
};

// No control characters, no strings over several lines, and few dots outside of strings: what is
// left can be told apart line by line, as the library does.
Misshape find_misshape(std::string_view toml);

}  // namespace ringwall::policy
