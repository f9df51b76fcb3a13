// The person's terminal, as the front end holds it.
#pragma once

#include <termios.h>

#include <optional>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "terminal/size.h"

namespace ringwall::terminal {

class OwnTerminal {
 public:
  // The first of 0 to 2 that is a terminal. Its modes are put back when this object ends.
  static std::optional<OwnTerminal> find();
  OwnTerminal(OwnTerminal&&) = default;
  OwnTerminal& operator=(OwnTerminal&&) = delete;
  ~OwnTerminal();

  int fd() const { return fd_.get(); }
  const termios& modes() const { return modes_; }
  Size size() const;  // as the kernel has it, which may be 0x0
  bool in_foreground() const;
  // The kernel was told that characters have several bytes, as today's terminals tell it.
  bool has_utf8_flag() const { return (modes_.c_iflag & IUTF8) != 0; }

  // Opened anew, so that writing without blocking does not become a habit of the person's shell,
  // which shares the descriptor. Fails where the terminal belongs to somebody else (after `su`).
  Result<Fd> open_output() const;

  // For its unknown state: main screen, visible cursor, plain text, and if we have its keys, all
  // that a program can switch on. The cursor of one in order goes to the last line, no more.
  std::string resets() const;

  // Stops in the back, as the kernel has it, until the shell brings us to the front.
  Status wait_for_foreground() const;

  // Keys come one by one and unchanged. Only in the foreground.
  void make_raw();
  void restore();
  // What was typed before and not read is forgotten.
  void restore_and_forget_keys();
  bool is_raw() const { return raw_; }
  // A read comes back at once, with keys that are ours or the end of the terminal.
  bool has_keys() const;
  // It belongs to another process from here on, with the modes that it has.
  void let_go() { fd_.close(); }

 private:
  OwnTerminal(Fd fd, const termios& modes) : fd_(std::move(fd)), modes_(modes) {}

  Fd fd_;
  termios modes_;
  bool raw_ = false;
};

// Whether bytes above 127 are read as UTF-8 there, so that none of them is a control: by the
// charset that the environment names, and else by what the terminal says of itself.
bool reads_utf8(const std::optional<OwnTerminal>& terminal);

}  // namespace ringwall::terminal
