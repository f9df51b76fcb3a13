#include "terminal/filter.h"

#include <algorithm>

#include "terminal/character.h"
#include "terminal/plain_text.h"

namespace ringwall::terminal {
namespace {

constexpr size_t kElsewhere = std::string_view::npos;
constexpr size_t kKeptOfOverlong = 16;  // enough to know which command it was
constexpr unsigned kPaletteDigits = 7;
constexpr unsigned char kBell = 0x07, kCancel = 0x18, kSubstitute = 0x1a, kEscape = 0x1b;
constexpr unsigned char kDelete = 0x7f;

bool is_control(unsigned char byte) { return byte < 0x20 || byte == kDelete; }
bool is_cancel(unsigned char byte) { return byte == kCancel || byte == kSubstitute; }

// Does more follow after ESC and this byte?
bool opens_more(unsigned char byte) {
  if (byte == '[' || byte == ']') return true;
  auto strings = string_rules();
  return std::ranges::find(strings, static_cast<char>(byte), &StringRule::opener) != strings.end();
}

}  // namespace

void FilterOutput::start(std::string_view input) {
  input_ = input;
  from_ = to_ = 0;
  copied_ = false;
  buffer_.clear();
}

void FilterOutput::keep(size_t from, size_t to) {
  if (from == to) return;
  if (!copied_ && from_ == to_) from_ = to_ = from;
  if (!copied_ && from == to_) {
    to_ = to;
  } else {
    add(input_.substr(from, to - from));
  }
}

void FilterOutput::add(std::string_view text) {
  if (!copied_) {
    buffer_.assign(input_.substr(from_, to_ - from_));
    copied_ = true;
  }
  buffer_.append(text);
}

std::string_view FilterOutput::view() const {
  return copied_ ? std::string_view(buffer_) : input_.substr(from_, to_ - from_);
}

std::string_view Filter::pass(std::string_view bytes) {
  input_ = bytes;
  out_.start(bytes);
  starts_at_ = kElsewhere;
  body_at_ = 0;
  for (size_t at = 0; at < bytes.size();) {
    switch (state_) {
      case State::text:
        at = take_text(at);
        break;
      case State::escape:
        at = take_escape(at);
        break;
      case State::csi:
        at = take_csi(at);
        break;
      case State::command:
      case State::string:
        at = take_string(at);
        break;
      case State::palette:
        at = take_palette(at);
        break;
    }
  }
  hold_up_to(bytes.size());
  if (!bytes.empty()) last_ = bytes.back();
  return out_.view();
}

size_t Filter::take_text(size_t at) {
  if (partial_size_ != 0) return take_partial(at);
  const char* start = input_.data();
  Colours colours = Colours::as_before;
  const char* plain = end_of_plain_text(start + at, start + input_.size(), options_.utf8, colours);
  if (colours != Colours::as_before) judge_.note_colours(colours == Colours::some);
  auto stop = static_cast<size_t>(plain - start);
  out_.keep(at, stop);
  if (stop == input_.size()) return stop;
  if (byte(stop) == kEscape) {
    starts_at_ = stop;
    open(State::escape, stop + 1);
    return stop + 1;
  }
  return is_control(byte(stop)) ? take_control(stop) : take_high(stop);
}

// A byte from 0x80 on that is no part of a character that may pass.
size_t Filter::take_high(size_t at) {
  Character one{Character::Kind::c1_control, 1};
  if (options_.utf8) one = decode(input_.data() + at, input_.data() + input_.size());
  if (one.kind == Character::Kind::unfinished) {
    std::copy_n(input_.data() + at, one.length, partial_.data());
    partial_size_ = one.length;
  } else if (one.kind == Character::Kind::broken) {
    out_.add(kShownForBroken);
  } else {
    drop();
  }
  return at + one.length;
}

// Goes on with a character whose start came with an earlier call.
size_t Filter::take_partial(size_t at) {
  size_t more = std::min(partial_.size() - partial_size_, input_.size() - at);
  std::copy_n(input_.data() + at, more, partial_.data() + partial_size_);
  size_t known = partial_size_ + more;
  Character one = decode(partial_.data(), partial_.data() + known);
  size_t before = partial_size_;
  if (one.kind == Character::Kind::unfinished) {
    partial_size_ = static_cast<uint8_t>(known);
    return at + more;
  }
  partial_size_ = 0;
  if (one.kind == Character::Kind::valid) {
    out_.add({partial_.data(), one.length});
  } else if (one.kind == Character::Kind::broken) {
    out_.add(kShownForBroken);
  } else {
    drop();
  }
  return at + one.length - before;
}

void Filter::open(State state, size_t body_at) {
  state_ = state;
  body_at_ = body_at;
  held_.clear();
  overlong_ = escape_seen_ = false;
}

// Terminals obey a control in the middle of a sequence at once and then go on with the sequence.
size_t Filter::take_control(size_t at) {
  if (state_ != State::text) {
    hold_up_to(at);
    body_at_ = at + 1;
    starts_at_ = kElsewhere;
  }
  if (judge_.control(byte(at)).outcome == Ruling::Outcome::as_sent) {
    out_.keep(at, at + 1);
  } else {
    dropped_++;
  }
  return at + 1;
}

size_t Filter::take_escape(size_t at) {
  unsigned char c = byte(at);
  if (c == kEscape) {
    drop();
    starts_at_ = at;
    open(State::escape, at + 1);
    return at + 1;
  }
  if (is_cancel(c) || c >= 0x80) {
    drop();
    return c >= 0x80 ? at : at + 1;
  }
  if (is_control(c)) return take_control(at);
  if (c < 0x30) return at + 1;  // an intermediate
  std::string_view body = body_up_to(at + 1);
  if (body.size() == 1 && opens_more(c)) {
    open(c == '[' ? State::csi : c == ']' ? State::command : State::string, at + 1);
    return at + 1;
  }
  if (overlong_ || body.size() > kLongestControl) {
    drop();
  } else {
    obey(judge_.escape(body), at + 1, "\x1b", body, "");
  }
  return at + 1;
}

size_t Filter::take_csi(size_t at) {
  while (at < input_.size() && byte(at) >= 0x20 && byte(at) < 0x40)
    at++;
  if (at == input_.size()) return at;
  unsigned char c = byte(at);
  if (c == kEscape) {
    drop();
    starts_at_ = at;
    open(State::escape, at + 1);
    return at + 1;
  }
  if (is_cancel(c) || c >= 0x80) {
    drop();
    return c >= 0x80 ? at : at + 1;
  }
  if (is_control(c)) return take_control(at);
  std::string_view body = body_up_to(at + 1);
  if (overlong_ || body.size() > kLongestControl) {
    drop();
  } else {
    obey(judge_.csi(body), at + 1, "\x1b[", body, "");
  }
  return at + 1;
}

// The first byte from `at` on that ends a string, well or badly.
size_t Filter::find_string_stop(size_t at) const {
  char last = at == 0 ? last_ : input_[at - 1];
  for (; at < input_.size(); at++) {
    unsigned char c = byte(at);
    if (c == kEscape || is_cancel(c)) return at;
    if (c == kBell && state_ == State::command) return at;
    // C1 controls: whether ST is among them depends on the terminal, so none of them passes.
    if (c >= 0x80 && c < 0xa0 && (!options_.utf8 || last == '\xc2')) return at;
    last = static_cast<char>(c);
  }
  return at;
}

size_t Filter::take_string(size_t at) {
  if (escape_seen_) return take_escape_in_string(at);
  if (state_ == State::command && held_.empty() && at == body_at_) {
    // The Linux console's palette commands have no end: waiting for one would swallow the output.
    if (byte(at) == 'P') {
      open(State::palette, at + 1);
      palette_digits_ = 0;
      return at + 1;
    }
    if (byte(at) == 'R') {
      drop();
      return at + 1;
    }
  }
  size_t stop = find_string_stop(at);
  if (stop == input_.size()) return stop;
  if (byte(stop) == kEscape) {
    if (state_ == State::command && stop + 1 < input_.size() && input_[stop + 1] == '\\')
      return finish_command(stop, stop + 2, "\x1b\\");
    hold_up_to(stop);
    escape_seen_ = true;
    body_at_ = stop + 1;
    return stop + 1;
  }
  if (byte(stop) == kBell) return finish_command(stop, stop + 1, "\a");
  drop();
  return stop + 1;
}

// ESC ends a string; it ends well only if a backslash follows.
size_t Filter::take_escape_in_string(size_t at) {
  if (input_[at] == '\\') {
    if (state_ == State::command) return finish_command(at, at + 1, "\x1b\\");
    drop();
    return at + 1;
  }
  drop();
  open(State::escape, at);
  starts_at_ = at == 0 ? kElsewhere : at - 1;
  return at;
}

size_t Filter::finish_command(size_t end_of_body, size_t at, std::string_view end) {
  if (escape_seen_) body_at_ = end_of_body;  // all of it is held already
  std::string_view body = body_up_to(end_of_body);
  bool too_long = overlong_ || body.size() > limit();
  Ruling ruling = too_long ? judge_.overlong_osc(body) : judge_.osc(body, end);
  obey(ruling, at, "\x1b]", body, end);
  return at;
}

size_t Filter::take_palette(size_t at) {
  auto c = static_cast<char>(byte(at));
  bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  if (!hex) {
    drop();
    return at;
  }
  if (++palette_digits_ == kPaletteDigits) drop();
  return at + 1;
}

// The body of the sequence, which ends before `at`; without a copy where it came in one piece.
std::string_view Filter::body_up_to(size_t at) {
  std::string_view piece = input_.substr(body_at_, at - body_at_);
  if (held_.empty()) return piece;
  if (!overlong_) held_.append(piece);
  body_at_ = at;
  return held_;
}

size_t Filter::limit() const {
  if (state_ != State::command) return kLongestControl;
  std::string_view start = held_.empty() ? input_.substr(body_at_) : std::string_view(held_);
  return options_.clipboard_write && start.starts_with("52;") ? kLongestClipboard : kLongestCommand;
}

// Ends the sequence that was read up to `at` as the ruling says.
void Filter::obey(const Ruling& ruling, size_t at, std::string_view introducer,
                  std::string_view body, std::string_view end) {
  if (ruling.queries != 0 && !has_keyboard_) return drop();
  queries_ += ruling.queries;
  status_queries_ += ruling.asks_status;
  dropped_ += ruling.part_dropped || ruling.outcome == Ruling::Outcome::drop;
  if (ruling.outcome == Ruling::Outcome::instead) out_.add(judge_.instead());
  if (ruling.outcome == Ruling::Outcome::as_sent) {
    if (starts_at_ != kElsewhere) {
      out_.keep(starts_at_, at);
    } else {
      out_.add(introducer);
      out_.add(body);
      out_.add(end);
    }
  }
  held_.clear();
  state_ = State::text;
}

void Filter::drop() {
  dropped_++;
  held_.clear();
  state_ = State::text;
}

// Keeps what came of an unfinished sequence, as far as it can still matter.
void Filter::hold_up_to(size_t at) {
  bool keeps = state_ == State::escape || state_ == State::csi || state_ == State::command;
  if (!keeps || overlong_ || at <= body_at_) return;
  overlong_ = held_.size() + at - body_at_ > limit();
  held_.append(input_.substr(body_at_, overlong_ ? kKeptOfOverlong : at - body_at_));
  if (overlong_) held_.resize(kKeptOfOverlong);
}

}  // namespace ringwall::terminal
