#include "terminal/tracked_modes.h"

#include <algorithm>

namespace ringwall::terminal {
namespace {

constexpr uint8_t kMostTitles = 10;  // as xterm keeps

size_t place_of(const ModeRule& rule) { return static_cast<size_t>(&rule - mode_rules().data()); }

std::string csi(std::string_view rest) { return "\x1b[" + std::string(rest); }

std::string switching(const ModeRule& rule, bool on) {
  return csi((rule.marker != 0 ? "?" : "") + std::to_string(rule.number) + (on ? "h" : "l"));
}

std::string switching(uint16_t number, bool on) {
  return csi("?" + std::to_string(number) + (on ? "h" : "l"));
}

constexpr uint16_t kOrigin = 6, kAutowrap = 7, kCursor = 25, kSideMargins = 69;
constexpr uint16_t kSavesCursor = 1049, kSynchronized = 2026;

}  // namespace

void KeyboardStack::push(unsigned flags) {
  if (depth_ == kDeepest) {
    std::copy(flags_.begin() + 1, flags_.end(), flags_.begin());
  } else {
    depth_++;
  }
  flags_[depth_] = static_cast<uint8_t>(flags);
}

void KeyboardStack::pop(unsigned count) {
  if (count > depth_) flags_[0] = 0;  // a stack that is emptied loses all flags
  depth_ -= std::min(count, depth_);
}

void KeyboardStack::set(unsigned flags, unsigned how) {
  uint8_t& now = flags_[depth_];
  auto given = static_cast<uint8_t>(flags);
  if (how == 2) given = static_cast<uint8_t>(now | given);
  if (how == 3) given = static_cast<uint8_t>(now & ~given);
  now = given;
}

std::string KeyboardStack::to_clear() const {
  std::string out = depth_ == 0 ? "" : csi("<" + std::to_string(depth_) + "u");
  return flags_[0] == 0 ? out : out + csi("=0;1u");
}

std::string KeyboardStack::to_clear_all() {
  return csi("<" + std::to_string(kDeepest) + "u") + csi("=0;1u");
}

std::string KeyboardStack::to_build() const {
  std::string out = flags_[0] == 0 ? "" : csi("=" + std::to_string(flags_[0]) + ";1u");
  for (unsigned i = 1; i <= depth_; i++)
    out += csi(">" + std::to_string(flags_[i]) + "u");
  return out;
}

std::string Drawing::to_clear() const {
  // The Linux console keeps its font through a reset, so 10 asks for the normal one.
  std::string out = coloured ? csi("10m") + csi("m") : "";
  if (shifted) out += "\x0f";
  for (size_t i = 0; i < sets.size(); i++) {
    if (sets[i][0] != 0) out += std::string("\x1b") + "()*+"[i] + "B";
  }
  return out;
}

void Drawing::add_sets(const Drawing& other) {
  shifted |= other.shifted;
  for (size_t i = 0; i < sets.size(); i++) {
    if (sets[i][0] == 0) sets[i] = other.sets[i];
  }
}

// Not every terminal keeps the character sets with the cursor.
void TrackedModes::restore_cursor() {
  perhaps_.drawing.add_sets(drawing_);
  drawing_ = saved_[alternate_screen()];
}

void TrackedModes::apply(Effect effect, const ControlSequence& sequence) {
  switch (effect) {
    case Effect::colours:
      return set_coloured(sequence.count > 1 || sequence.value(0) != 0);
    case Effect::shift_in:
    case Effect::shift_out:
      drawing_.shifted = effect == Effect::shift_out;
      perhaps_.drawing.shifted = false;
      return;
    case Effect::save_cursor:
      return save_cursor();
    case Effect::restore_cursor:
      return restore_cursor();
    case Effect::keypad_on:
    case Effect::keypad_off:
      keypad_ = effect == Effect::keypad_on;
      perhaps_.keypad = false;
      return;
    case Effect::tab_stops:
      tabs_ = sequence.final != 'W';
      if (!tabs_) perhaps_.tabs = false;
      return;
    case Effect::align:
    case Effect::hard_reset:
    case Effect::soft_reset:
      return apply_reset(effect);
    case Effect::rows:
    case Effect::columns_or_save:
      return apply_margins(effect, sequence);
    case Effect::keyboard_push:
    case Effect::keyboard_pop:
    case Effect::keyboard_set:
    case Effect::other_keys:
    case Effect::other_keys_off:
      return apply_keyboard(effect, sequence);
    case Effect::cursor_style:
      cursor_style_ = sequence.value(0);
      perhaps_.cursor_style = false;
      return;
    case Effect::console_cursor:
      console_cursor_ = sequence.value(0);
      perhaps_.console_cursor = false;
      return;
    case Effect::title_push:
      titles_ = std::min<uint8_t>(static_cast<uint8_t>(titles_ + 1), kMostTitles);
      return;
    case Effect::title_pop:
      titles_ = static_cast<uint8_t>(titles_ == 0 ? 0 : titles_ - 1);
      return;
    case Effect::none:
    case Effect::query:
    case Effect::designate:  // designate() below
    case Effect::set_modes:  // set_mode() below, for each number
    case Effect::reset_modes:
      return;
  }
}

void TrackedModes::keep_as_perhaps() {
  perhaps_.changed |= changed_;
  perhaps_.margins |= margins_;
  perhaps_.keypad |= keypad_;
  perhaps_.tabs |= tabs_;
  perhaps_.link |= link_open_;
  perhaps_.cursor_style |= cursor_style_ != 0;
  perhaps_.console_cursor |= console_cursor_ != 0;
  perhaps_.other_keys |= other_keys_ != 0;
  for (const Drawing* drawing : {&drawing_, &saved_[0], &saved_[1]}) {
    perhaps_.drawing.coloured |= drawing->coloured;
    perhaps_.drawing.origin |= drawing->origin;
    perhaps_.drawing.add_sets(*drawing);
  }
}

void TrackedModes::apply_reset(Effect effect) {
  if (effect != Effect::align) keep_as_perhaps();
  margins_ = false;
  drawing_.origin = false;
  if (effect == Effect::align) return;
  if (effect == Effect::hard_reset) {
    for (size_t i = 0; i < keyboard_.size(); i++)
      perhaps_.keyboard[i] |= !keyboard_[i].is_normal();
    perhaps_.alternate |= alternate_screen();
    // Not every terminal resets its colours and its kept titles; undoing them twice does no harm.
    TrackedModes fresh;
    fresh.colours_ = std::move(colours_);
    fresh.titles_ = titles_;
    fresh.progress_ = progress_;
    fresh.perhaps_ = perhaps_;
    *this = std::move(fresh);
    return;
  }
  drawing_ = saved_[alternate_screen()] = Drawing();
  keypad_ = false;
  for (const ModeRule& rule : mode_rules()) {
    bool soft = rule.marker == 0 || rule.number == 1 || rule.number == kAutowrap ||
                rule.number == kCursor || rule.number == 66;
    if (soft) changed_.reset(place_of(rule));
  }
}

void TrackedModes::apply_keyboard(Effect effect, const ControlSequence& sequence) {
  KeyboardStack& stack = keyboard_[alternate_screen()];
  if (effect == Effect::keyboard_push) stack.push(sequence.value(0));
  if (effect == Effect::keyboard_pop) stack.pop(std::max<unsigned>(sequence.value(0), 1));
  if (effect == Effect::keyboard_set) stack.set(sequence.value(0), sequence.value(1));
  if (effect != Effect::other_keys && effect != Effect::other_keys_off) return;
  other_keys_ = effect == Effect::other_keys ? sequence.value(1) : uint16_t{0};
  perhaps_.other_keys = false;
}

void TrackedModes::apply_margins(Effect effect, const ControlSequence& sequence) {
  if (effect == Effect::rows) {
    margins_ = sequence.count > 0;
    perhaps_.margins = false;
  } else if (!is_changed(kSideMargins)) {
    save_cursor();
  }
}

// The first byte names the set: ( ) * + for sets of 94, - . / for those of 96 characters.
void TrackedModes::designate(std::string_view designation) {
  size_t which = std::string_view("()*+").find(designation[0]);
  if (which == std::string_view::npos) which = std::string_view(" -./").find(designation[0]);
  bool ascii = designation[1] == 'B';
  drawing_.sets[which] = {ascii ? '\0' : designation[0], ascii ? '\0' : designation[1]};
  perhaps_.drawing.sets[which] = {};
}

void TrackedModes::set_mode(const ModeRule& rule, bool on) {
  switch (rule.role) {
    case ModeRole::alternate_screen:
      return switch_screen(rule.number, on);
    case ModeRole::cursor_save:
      return on ? save_cursor() : restore_cursor();
    case ModeRole::mouse_tracking:
      mouse_tracking_ = on ? rule.number : uint16_t{0};
      break;
    case ModeRole::mouse_encoding:
      mouse_encoding_ = on ? rule.number : uint16_t{0};
      break;
    case ModeRole::plain:
    case ModeRole::keys:
    case ModeRole::reports:
      break;
  }
  if (rule.marker == '?' && rule.number == kOrigin) {
    drawing_.origin = on;
    perhaps_.drawing.origin = false;
    return;
  }
  perhaps_.changed.reset(place_of(rule));
  changed_.set(place_of(rule), on != rule.normally_on);
}

void TrackedModes::switch_screen(uint16_t number, bool on) {
  if (on && number == kSavesCursor && !alternate_screen()) save_cursor();
  alternate_ = on ? number : uint16_t{0};
  perhaps_.alternate = false;
  if (!on && number == kSavesCursor) restore_cursor();
}

bool TrackedModes::makes_reports() const {
  return reports_releases() || std::ranges::any_of(mode_rules(), [&](const ModeRule& rule) {
           return terminal::makes_reports(rule.role) && changed_.test(place_of(rule));
         });
}

bool TrackedModes::is_changed(uint16_t number) const {
  if (number == kOrigin) return drawing_.origin;
  const ModeRule* rule = find_mode('?', number);
  if (rule == nullptr) return false;
  if (rule->role == ModeRole::alternate_screen) return alternate_screen();
  return changed_.test(place_of(*rule));
}

// Each of these moves the cursor home. DECSC keeps its place, but also whether the origin counts.
std::string TrackedModes::margins_to_clear() const {
  const ModeRule* sides = find_mode('?', kSideMargins);
  bool has_sides = is_changed(kSideMargins) || perhaps_.changed.test(place_of(*sides));
  std::string reset = has_sides ? switching(kSideMargins, false) : "";
  if (margins_ || perhaps_.margins) reset += csi("r");
  bool brought_back = alternate_ == kSavesCursor && saved_[0].origin;
  if (drawing_.origin || perhaps_.drawing.origin || brought_back)
    return switching(kOrigin, false) + reset + csi("9999;1H");
  return reset.empty() ? "" : "\x1b\x37" + reset + "\x1b\x38";
}

std::string TrackedModes::colours_to_clear() const {
  if (perhaps_.colours) return "\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\";
  std::string palette, others;
  for (const auto& [which, value] : colours_) {
    if (which < kDynamicColour) palette += ";" + std::to_string(which);
    if (which >= kDynamicColour)
      others += "\x1b]" + std::to_string(100 + which - kDynamicColour) + "\x1b\\";
  }
  return palette.empty() ? others : "\x1b]104" + palette + "\x1b\\" + others;
}

std::string TrackedModes::colours_to_set() const {
  std::string out;
  for (const auto& [which, value] : colours_) {
    std::string place = which < kDynamicColour ? "4;" + std::to_string(which)
                                               : std::to_string(which - kDynamicColour);
    out += "\x1b]" + place + ";" + value + "\x1b\\";
  }
  return out;
}

std::string sequences_to_leave(const TrackedModes& modes, Part part) {
  const TrackedModes::Perhaps& perhaps = modes.perhaps_;
  bool keyboard = part != Part::screen;
  std::string out;
  for (const ModeRule& rule : mode_rules()) {
    if (!keyboard && is_of_keyboard(rule.role)) continue;
    bool apart = rule.marker == '?' && rule.number == kSideMargins;  // with the margins below
    bool changed = modes.changed_.test(place_of(rule)) || perhaps.changed.test(place_of(rule));
    if (!apart && changed) out += switching(rule, rule.normally_on);
  }
  if (keyboard && (modes.other_keys_ != 0 || perhaps.other_keys)) out += csi(">4m");
  // Each screen has a keyboard stack of its own, and only that of the shown one can be reached.
  auto clear_keyboard = [&](size_t i) {
    if (!keyboard) return std::string();
    return perhaps.keyboard[i] ? KeyboardStack::to_clear_all() : modes.keyboard_[i].to_clear();
  };
  std::string on_alternate = clear_keyboard(1);
  if (modes.alternate_screen()) {
    out += on_alternate + switching(modes.alternate_, false);
  } else if (!on_alternate.empty()) {
    out += switching(47, true) + on_alternate + switching(47, false);
  }
  // By a number that does not bring a cursor back: none was kept if the terminal did reset.
  if (perhaps.alternate && !modes.alternate_screen()) out += switching(1047, false);
  out += clear_keyboard(0);
  if (modes.link_open_ || perhaps.link) out += "\x1b]8;;\x1b\\";
  out += modes.margins_to_clear();
  if (perhaps.alternate && !modes.alternate_screen()) out += csi("9999;1H");
  // Leaving the alternate screen brings back, on most terminals, what was drawn with before it.
  if (modes.alternate_ == kSavesCursor) out += modes.saved_[0].to_clear();
  Drawing drawing = modes.drawing_;
  drawing.coloured |= perhaps.drawing.coloured;
  drawing.add_sets(perhaps.drawing);
  out += drawing.to_clear();
  if (keyboard && (modes.keypad_ || perhaps.keypad)) out += "\x1b>";
  if (modes.tabs_ || perhaps.tabs) out += csi("?5W");
  if (modes.cursor_style_ != 0 || perhaps.cursor_style) out += csi("0 q");
  if (modes.console_cursor_ != 0 || perhaps.console_cursor) out += csi("?0c");
  for (unsigned i = 0; i < modes.titles_; i++)
    out += csi("23;0t");
  if (modes.progress_) out += "\x1b]9;4;0\x1b\\";
  return out + modes.colours_to_clear();
}

std::string sequences_to_enter(const TrackedModes& modes, Part part) {
  bool screen = part != Part::keyboard, keyboard = part != Part::screen;
  std::string out;
  if (screen) out += modes.colours_to_set();
  // Of the stacks only that of the shown screen can be reached.
  if (keyboard && (screen || !modes.alternate_screen())) out += modes.keyboard_[0].to_build();
  if (modes.alternate_screen()) {
    if (screen) out += switching(modes.alternate_, true);
    if (keyboard) out += modes.keyboard_[1].to_build();
  }
  for (const ModeRule& rule : mode_rules()) {
    if (!(is_of_keyboard(rule.role) ? keyboard : screen)) continue;
    // A frame that is being drawn need not hold back what is painted.
    bool apart = rule.marker == '?' && rule.number == kSynchronized;
    if (!apart && modes.changed_.test(place_of(rule))) out += switching(rule, !rule.normally_on);
  }
  // Of several, terminals obey the one set last.
  if (keyboard && modes.mouse_tracking_ != 0) out += switching(modes.mouse_tracking_, true);
  if (keyboard && modes.mouse_encoding_ != 0) out += switching(modes.mouse_encoding_, true);
  if (keyboard && modes.keypad_) out += "\x1b=";
  if (keyboard && modes.other_keys_ != 0)
    out += csi(">4;" + std::to_string(modes.other_keys_) + "m");
  if (!screen) return out;
  if (modes.cursor_style_ != 0) out += csi(std::to_string(modes.cursor_style_) + " q");
  if (modes.console_cursor_ != 0) out += csi("?" + std::to_string(modes.console_cursor_) + "c");
  return out;
}

}  // namespace ringwall::terminal
