#include "terminal/judge.h"

namespace ringwall::terminal {

using Outcome = Ruling::Outcome;

Ruling Judge::control(unsigned char byte) {
  const ControlRule* row = find_control(byte);
  if (row == nullptr || row->rule.verdict != Verdict::pass) return {};
  modes_.apply(row->effect, {});
  return {.outcome = Outcome::as_sent};
}

Ruling Judge::escape(std::string_view body) {
  const EscapeRule* row = find_escape(body);
  if (row == nullptr || row->rule.verdict != Verdict::pass) return {};
  if (row->effect == Effect::designate) {
    modes_.designate(body);
  } else {
    modes_.apply(row->effect, {});
  }
  if (!has_keyboard_ && is_of_keyboard(row->effect)) return {};
  return {.outcome = Outcome::as_sent};
}

Ruling Judge::csi(std::string_view body) {
  ControlSequence sequence;
  if (!parse_control_sequence(body, sequence)) return {};
  const CsiRule* row = find_csi(sequence);
  if (row == nullptr || row->rule.verdict != Verdict::pass) return {};
  // Colons are written in colours only; elsewhere terminals differ in what they make of them.
  if (sequence.joined != 0 && row->effect != Effect::colours) return {};
  if (row->effect == Effect::set_modes) return switch_modes(sequence, true);
  if (row->effect == Effect::reset_modes) return switch_modes(sequence, false);
  bool reported = modes_.reports_releases();
  modes_.apply(row->effect, sequence);
  if (is_of_keyboard(row->effect)) {
    if (!has_keyboard_) return {};
    return {.outcome = Outcome::as_sent, .queries = reported || modes_.reports_releases()};
  }
  if (row->effect != Effect::query) return {.outcome = Outcome::as_sent};
  bool asks_status = sequence.marker == 0 && sequence.final == 'n' && sequence.value(0) == 5;
  return {.outcome = Outcome::as_sent, .queries = 1, .asks_status = asks_status};
}

// One sequence may name several modes; those that may not pass are taken out of it.
Ruling Judge::switch_modes(const ControlSequence& sequence, bool on) {
  std::array<const ModeRule*, kMostParameters> passing;
  unsigned passed = 0;
  bool reports = false;
  for (unsigned i = 0; i < sequence.count; i++) {
    const ModeRule* mode = find_mode(sequence.marker, sequence.values[i]);
    if (mode == nullptr || mode->rule.verdict != Verdict::pass) continue;
    modes_.set_mode(*mode, on);
    if (!has_keyboard_ && is_of_keyboard(mode->role)) continue;
    reports |= makes_reports(mode->role);
    passing[passed++] = mode;
  }
  if (passed == 0) return {};
  if (passed == sequence.count) return {.outcome = Outcome::as_sent, .queries = reports};
  instead_ = "\x1b[";
  if (sequence.marker != 0) instead_ += sequence.marker;
  for (unsigned i = 0; i < passed; i++)
    instead_ += (i == 0 ? "" : ";") + std::to_string(passing[i]->number);
  instead_ += sequence.final;
  return {.outcome = Outcome::instead, .part_dropped = true, .queries = reports};
}

}  // namespace ringwall::terminal
