#include "terminal/detach_keys.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "terminal/control_sequence.h"

namespace ringwall::terminal {
namespace {

constexpr std::string_view kControl = "ctrl-";

// Bits of the modifiers that a terminal sends with a key, one less than their number.
constexpr unsigned kShiftBit = 1, kControlBit = 4, kLockBits = 64 | 128;  // Caps Lock, Num Lock
constexpr unsigned kFirstModifierKey = 57441, kLastModifierKey = 57454;   // as kitty names them

// A key that came as an escape sequence, because the program inside has asked for that.
struct SentKey {
  unsigned code = 0;
  unsigned shifted = 0;  // what the key gives with Shift, if it was told
  unsigned modifiers = 0;
  bool released = false;
  bool is_modifier() const { return code >= kFirstModifierKey && code <= kLastModifierKey; }
};

// CSI code [: shifted …] [; modifiers [: event] …] u of kitty, CSI 27 ; modifiers ; code ~ of
// xterm.
std::optional<SentKey> sent_key(std::string_view unit) {
  ControlSequence sequence;
  if (!unit.starts_with("\x1b[") || !parse_control_sequence(unit.substr(2), sequence)) return {};
  if (sequence.marker != 0 || sequence.intermediate != 0) return {};
  unsigned second = 1;  // where the modifiers are
  while (sequence.is_joined(second))
    second++;
  unsigned modifiers = std::max<unsigned>(sequence.value(second), 1) - 1;
  if (sequence.final == 'u') {
    unsigned shifted = sequence.is_joined(1) ? sequence.value(1) : 0;
    bool released = sequence.is_joined(second + 1) && sequence.value(second + 1) == 3;
    return SentKey{sequence.value(0), shifted, modifiers & ~kLockBits, released};
  }
  if (sequence.final != '~' || sequence.value(0) != 27) return {};
  unsigned code = sequence.value(second + 1);
  return SentKey{code, code, modifiers & ~kLockBits, false};
}

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
    // Terminals name a letter by its small one.
    bool capital = control && name[0] >= 'A' && name[0] <= 'Z';
    auto code = static_cast<unsigned char>(capital ? name[0] | 0x20 : name[0]);
    parsed.keys_.push_back({std::string(1, plain), code, control});
  }
  if (parsed.keys_.empty()) return fail("there are no detach keys", "to have none, write: none");
  return parsed;
}

bool DetachKeys::is_press(const Key& key, std::string_view unit) {
  if (unit == key.plain) return true;
  auto sent = sent_key(unit);
  if (!sent || sent->released) return false;
  unsigned wanted = key.control ? kControlBit : 0;
  // Some keys need Shift: Ctrl-_ on many keyboards.
  return (sent->code == key.code && sent->modifiers == wanted) ||
         (sent->shifted == key.code && sent->modifiers == (wanted | kShiftBit));
}

// Keys that go up, and those that only change others, between two of ours.
bool DetachKeys::is_beside(std::string_view unit) {
  auto sent = sent_key(unit);
  return sent && (sent->released || sent->is_modifier());
}

bool DetachKeys::take(std::string_view typed, std::string& keys) {
  while (!typed.empty()) {
    std::string_view unit = first_unit(typed);
    typed.remove_prefix(unit.size());
    if (found_ > 0 && is_beside(unit)) {
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
