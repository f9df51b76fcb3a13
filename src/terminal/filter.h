// What may reach the person's terminal of what a program inside writes.
//
// Text passes as it is. A sequence is held until it is complete, judged by the table in sequences.h
// and passed on whole, or dropped to its end; so the terminal behind never sees an unfinished one,
// and reads what the filter read. What is held is bounded; how the bytes are split over the calls
// changes nothing in what comes out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "terminal/judge.h"
#include "terminal/tracked_modes.h"

namespace ringwall::terminal {

constexpr size_t kLongestControl = 256;           // bytes of a control sequence
constexpr size_t kLongestCommand = 4096;          // of an operating system command
constexpr size_t kLongestClipboard = 128 * 1024;  // of one that writes the clipboard, if granted

// Output that stays a piece of the input for as long as nothing had to be changed.
class FilterOutput {
 public:
  void start(std::string_view input);
  void keep(size_t from, size_t to);  // that part of the input
  void add(std::string_view text);
  std::string_view view() const;

 private:
  std::string_view input_;
  size_t from_ = 0, to_ = 0;  // what of the input is the output, while not copied
  bool copied_ = false;
  std::string buffer_;
};

class Filter {
 public:
  explicit Filter(FilterOptions options) : options_(options), judge_(options) {}

  // What of `bytes` may reach a terminal: whole characters and sequences only. The view is valid
  // until the next call, and no longer than `bytes`: it is `bytes` itself where nothing had to
  // change.
  std::string_view pass(std::string_view bytes);

  // Whether what the terminal sends goes to the program from here on, as it normally does. Where
  // not, neither questions pass nor what changes keys and reports.
  void have_keyboard(bool has_keyboard) {
    has_keyboard_ = has_keyboard;
    judge_.have_keyboard(has_keyboard);
  }

  // No unfinished sequence or character is held back.
  bool at_rest() const { return state_ == State::text && partial_size_ == 0; }
  // What is switched on in the terminal now.
  const TrackedModes& modes() const { return judge_.modes(); }
  // How many queries that a terminal answers were passed on so far, and switches of its reports.
  uint64_t queries() const { return queries_; }
  // How many of them were CSI 5 n.
  uint64_t status_queries() const { return status_queries_; }
  // How many sequences were dropped, as a whole or in part.
  uint64_t dropped() const { return dropped_; }
  // What is held back now, for the test of its bound.
  size_t held() const { return held_.size() + partial_size_; }

 private:
  enum class State : uint8_t {
    text,
    escape,   // after ESC
    csi,      // after ESC [
    command,  // after ESC ]
    string,   // after ESC P and the like, which never pass
    palette,  // after ESC ] P of the Linux console, which has no end mark
  };

  size_t take_text(size_t at);
  size_t take_partial(size_t at);
  size_t take_high(size_t at);
  size_t take_escape(size_t at);
  size_t take_csi(size_t at);
  size_t take_string(size_t at);
  size_t take_palette(size_t at);
  size_t take_control(size_t at);
  size_t take_escape_in_string(size_t at);
  size_t find_string_stop(size_t at) const;
  size_t finish_command(size_t end_of_body, size_t at, std::string_view end);
  void open(State state, size_t body_at);
  std::string_view body_up_to(size_t at);
  size_t limit() const;
  void obey(const Ruling& ruling, size_t at, std::string_view introducer, std::string_view body,
            std::string_view end);
  void drop();
  void hold_up_to(size_t at);
  unsigned char byte(size_t at) const { return static_cast<unsigned char>(input_[at]); }

  FilterOptions options_;
  Judge judge_;
  FilterOutput out_;
  std::string_view input_;
  State state_ = State::text;

  // The sequence that is being read: held_ from earlier calls, then input_ from body_at_ on.
  std::string held_;
  size_t body_at_ = 0;
  size_t starts_at_ = 0;  // its ESC in this input, or kElsewhere
  bool overlong_ = false;
  bool escape_seen_ = false;  // the last byte of a string was an ESC
  char last_ = 0;             // the last byte of the input before
  uint8_t palette_digits_ = 0;

  std::array<char, 4> partial_{};  // the start of a character
  uint8_t partial_size_ = 0;

  bool has_keyboard_ = true;
  uint64_t queries_ = 0;
  uint64_t status_queries_ = 0;
  uint64_t dropped_ = 0;
};

}  // namespace ringwall::terminal
