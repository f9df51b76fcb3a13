// The person's terminal as a full screen: taken, painted line by line where something has changed,
// and given back in order, however the end comes. A terminal that takes nothing holds up nobody.
#pragma once

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "cli/top_draw.h"
#include "terminal/own_terminal.h"

namespace ringwall::cli {

class TopScreen {
 public:
  // An error if there is no terminal that could show it.
  static Result<TopScreen> open();
  TopScreen(TopScreen&&) = default;
  TopScreen& operator=(TopScreen&&) = delete;
  ~TopScreen() { leave(); }

  // Not in the background, where the terminal is somebody else's.
  void enter();
  void leave();
  // Gives it back and stops, as the kernel would have it at Ctrl-Z. Returns when it goes on.
  void suspend();
  bool is_shown() const { return is_shown_; }
  bool is_in_front() const { return terminal_.in_foreground(); }
  bool is_gone() const { return is_gone_; }

  terminal::Size size() const { return terminal::usable(terminal_.size()); }
  int keyboard() const { return is_shown_ ? terminal_.fd() : -1; }
  int output() const { return pending_.empty() ? -1 : output_.get(); }  // waits for room
  void flush();
  // Nothing is painted while the last picture has not been taken: the next one will be.
  void paint(std::vector<DrawnLine> lines);

 private:
  TopScreen(terminal::OwnTerminal terminal, Fd output);
  std::string_view sequence_for(DrawnLine::Look look) const;

  terminal::OwnTerminal terminal_;
  Fd output_;
  bool has_colours_;
  bool reads_utf8_;
  bool is_shown_ = false;
  bool is_gone_ = false;
  terminal::Size painted_size_;
  std::vector<DrawnLine> painted_;
  std::string pending_;
};

}  // namespace ringwall::cli
