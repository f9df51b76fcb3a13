// Judges one complete sequence by the table and keeps track of what it changes. What passes is
// either the sequence as it was sent or, where a part of it was taken out, another text instead.
#pragma once

#include <string>
#include <string_view>

#include "terminal/tracked_modes.h"

namespace ringwall::terminal {

struct FilterOptions {
  bool utf8 = true;
  bool clipboard_write = false;
};

struct Ruling {
  enum class Outcome : uint8_t { drop, as_sent, instead } outcome = Outcome::drop;
  bool part_dropped = false;  // what passes is not all that was asked for
  uint32_t queries = 0;       // that the terminal will answer, or switches that let it speak
  bool asks_status = false;   // one of them is CSI 5 n
};

class Judge {
 public:
  explicit Judge(FilterOptions options) : options_(options) {}

  Ruling control(unsigned char byte);
  Ruling escape(std::string_view body);  // what follows ESC
  Ruling csi(std::string_view body);     // what follows CSI
  // What follows OSC; `end` is its BEL or ST.
  Ruling osc(std::string_view body, std::string_view end);
  // The start of an operating system command that was too long to be held.
  Ruling overlong_osc(std::string_view start);
  // Whether what the terminal sends goes to the program from here on. Where it does not, nothing
  // passes that changes what it sends; what the program wishes is kept for later.
  void have_keyboard(bool has_keyboard) { has_keyboard_ = has_keyboard; }
  // A plain SGR sequence has passed, which the table lets through always.
  void note_colours(bool some) { modes_.set_coloured(some); }

  std::string_view instead() const { return instead_; }
  const TrackedModes& modes() const { return modes_; }

 private:
  Ruling switch_modes(const ControlSequence& sequence, bool on);
  Ruling palette(std::string_view text);
  Ruling palette_reset(std::string_view text);
  Ruling dynamic_colour(int number, std::string_view text);
  Ruling hyperlink(std::string_view text);
  Ruling close_link();
  Ruling message_or_progress(std::string_view text);
  Ruling named_message(std::string_view text);
  Ruling structured_message(std::string_view text);
  Ruling clipboard(std::string_view text) const;
  Ruling text_after(std::string_view head, std::string_view text);

  FilterOptions options_;
  bool has_keyboard_ = true;
  TrackedModes modes_;
  std::string instead_;
  std::string_view end_;  // of the command that is judged
};

}  // namespace ringwall::terminal
