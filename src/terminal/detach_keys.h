// The keys that leave a run without ending it, found among what is typed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ringwall::terminal {

inline constexpr std::string_view kDefaultDetachKeys = "ctrl-\\ ctrl-\\";

class DetachKeys {
 public:
  // "ctrl-\ ctrl-\", "ctrl-a d", or "none".
  static Result<DetachKeys> parse(std::string_view text);

  // Appends to `keys` what is to be passed on; true: the person wants to leave. The beginning of
  // the sequence is held back until it is clear what it is.
  bool take(std::string_view typed, std::string& keys);
  bool holds() const { return !held_.empty(); }
  std::string give_up();

 private:
  struct Key {
    std::string plain;  // as a terminal sends it
    unsigned code = 0;  // as the kitty keyboard protocol names it
    bool control = false;
  };
  static bool is_press(const Key& key, std::string_view unit);
  static bool is_beside(std::string_view unit);

  std::vector<Key> keys_;
  size_t found_ = 0;
  std::string held_;
};

}  // namespace ringwall::terminal
