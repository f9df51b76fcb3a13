// Somebody who looks at a terminal: a socket for keys and sizes, and the descriptor that shows the
// output, which is the person's own terminal. Nothing here blocks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fd.h"

namespace ringwall::terminal {

class Viewer {
 public:
  Viewer(uint32_t id, bool interactive, Fd socket, Fd output);

  uint32_t id() const { return id_; }
  bool interactive() const { return interactive_; }
  int socket() const { return socket_.get(); }
  int output() const { return output_.get(); }

  // Shows what can be shown now and keeps the rest; of one that only watches no more than a screen
  // or two is kept, and `is_behind` tells to paint the screen anew.
  void show(std::string_view bytes);
  void flush();

  bool waits() const { return sent_ < pending_.size(); }  // for its terminal
  bool wants_flush() const { return waits() && !held_; }
  bool takes_output() const { return !gone_ && !leaving_; }
  bool holds_back() const { return interactive_ && takes_output() && (waits() || held_); }
  bool is_behind() const { return behind_ && !waits() && takes_output(); }
  void catch_up(std::string_view picture);

  void hold(bool held) { held_ = held; }
  // From here on it gets `last` and then nothing.
  void leave(std::string_view last);
  bool has_left() const { return leaving_ && (!waits() || gone_); }

  bool gone() const { return gone_; }
  void lose() { gone_ = true; }

 private:
  // What a person cannot have read anyway.
  static constexpr size_t kMostBehind = 256 << 10;

  uint32_t id_;
  bool interactive_;
  Fd socket_;
  Fd output_;
  std::string pending_;
  size_t sent_ = 0;
  bool held_ = false;
  bool behind_ = false;
  bool leaving_ = false;
  bool gone_ = false;
};

}  // namespace ringwall::terminal
