#include "terminal/detach_keys.h"

#include "base/text.h"

namespace ringwall::terminal {
namespace {

constexpr std::string_view kControl = "ctrl-";

// One key as it was sent: a character, or an escape sequence that lies whole in what was read.
std::string_view first_unit(std::string_view typed) {
  if (!typed.starts_with("\x1b[")) return typed.substr(0, 1);
  for (size_t i = 2; i < typed.size(); i++) {
    if (typed[i] >= '@' && typed[i] <= '~') return typed.substr(0, i + 1);
  }
  return typed.substr(0, 1);
}

}  // namespace

Result<DetachKeys> DetachKeys::parse(std::string_view text) {
  DetachKeys parsed;
  if (text == "none") return parsed;
  for (const std::string& word : text::split(text, ' ')) {
    if (word.empty()) continue;
    bool control = word.starts_with(kControl);
    std::string name = control ? word.substr(kControl.size()) : word;
    bool usable = name.size() == 1 && name[0] > ' ' && name[0] < 0x7f &&
                  (!control || (name[0] >= '@' && name[0] <= '~'));
    if (!usable) {
      return fail(
          "the detach keys " + text::quote(text) + " cannot be read at " + text::quote(word),
          "write keys like ctrl-a d, or none");
    }
    char plain = control ? static_cast<char>(name[0] & 0x1f) : name[0];
    parsed.keys_.push_back({std::string(1, plain), static_cast<unsigned char>(name[0]), control});
  }
  if (parsed.keys_.empty()) return fail("there are no detach keys", "to have none, write: none");
  return parsed;
}

// CSI code ; modifiers [: 1] u; the modifiers are one more than their bits, and control is 4.
bool DetachKeys::is_press(const Key& key, std::string_view unit) {
  if (unit == key.plain) return true;
  std::string kitty = "\x1b[" + std::to_string(key.code) + (key.control ? ";5" : "");
  return unit == kitty + "u" || unit == kitty + (key.control ? ":1u" : ";1:1u");
}

bool DetachKeys::is_release(std::string_view unit) { return unit.ends_with(":3u"); }

bool DetachKeys::take(std::string_view typed, std::string& keys) {
  while (!typed.empty()) {
    std::string_view unit = first_unit(typed);
    typed.remove_prefix(unit.size());
    if (found_ > 0 && is_release(unit)) {
      held_ += unit;
      continue;
    }
    if (!keys_.empty() && !is_press(keys_[found_], unit)) {
      keys += give_up();
    }
    if (keys_.empty() || !is_press(keys_[found_], unit)) {
      keys += unit;
      continue;
    }
    held_ += unit;
    if (++found_ == keys_.size()) {
      give_up();
      return true;
    }
  }
  return false;
}

std::string DetachKeys::give_up() {
  found_ = 0;
  return std::exchange(held_, {});
}

}  // namespace ringwall::terminal
