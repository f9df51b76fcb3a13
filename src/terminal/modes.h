// Remembers how the person's terminal was set, and sets it so again: a command that was killed
// leaves it without echo and line mode.
#pragma once

#include <termios.h>

namespace ringwall::terminal {

class SavedModes {
 public:
  // Of the first of 0, 1 and 2 that is a terminal, if any.
  SavedModes();
  ~SavedModes();
  SavedModes(const SavedModes&) = delete;
  SavedModes& operator=(const SavedModes&) = delete;

 private:
  int fd_ = -1;  // a copy of its own: the others may be let go of
  termios modes_{};
};

}  // namespace ringwall::terminal
