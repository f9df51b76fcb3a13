#include <algorithm>

#include "terminal/tracked_modes.h"

namespace ringwall::terminal {
namespace {

// Some terminals have these on by themselves, or by the person's choice.
constexpr uint16_t kChosenByPerson[] = {12, 1007, 1034, 2027};

bool may_be_on(const ModeRule& rule) {
  bool is_chosen = rule.marker == '?' && std::ranges::count(kChosenByPerson, rule.number) > 0;
  bool is_apart = rule.role == ModeRole::alternate_screen || rule.role == ModeRole::cursor_save;
  return rule.rule.verdict == Verdict::pass && !is_chosen && !is_apart;
}

}  // namespace

// Not the titles that were kept: those of whoever had the terminal before would go as well.
TrackedModes TrackedModes::unknown() {
  TrackedModes modes;
  for (size_t i = 0; i < mode_rules().size(); i++)
    modes.perhaps_.changed.set(i, may_be_on(mode_rules()[i]));
  modes.perhaps_.keyboard = {true, true};
  modes.perhaps_.alternate = modes.perhaps_.margins = modes.perhaps_.keypad = true;
  modes.perhaps_.tabs = modes.perhaps_.link = modes.perhaps_.cursor_style = true;
  modes.perhaps_.console_cursor = modes.perhaps_.other_keys = modes.perhaps_.colours = true;
  modes.perhaps_.drawing.coloured = modes.perhaps_.drawing.origin = true;
  modes.perhaps_.drawing.shifted = true;
  for (auto& set : modes.perhaps_.drawing.sets)
    set = {'(', '0'};
  modes.progress_ = true;
  return modes;
}

}  // namespace ringwall::terminal
