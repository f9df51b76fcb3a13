// Somebody who looks at a terminal: a socket for keys and sizes, and the descriptor that shows the
// output, which is the person's own terminal. Nothing here blocks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/fd.h"

namespace ringwall::terminal {

// To the terminal, in a piece of output.
struct Questions {
  uint64_t all = 0;
  uint64_t status = 0;  // CSI 5 n
};

class Viewer {
 public:
  Viewer(uint32_t id, bool interactive, bool utf8, Fd socket, Fd output);

  uint32_t id() const { return id_; }
  bool interactive() const { return interactive_; }
  bool utf8() const { return utf8_; }  // its terminal reads it
  int socket() const { return socket_.get(); }
  int output() const { return output_.get(); }

  // Shows what can be shown now and keeps the rest; of one that only watches no more than a screen
  // or two is kept, and `is_behind` tells to paint the screen anew.
  void show(std::string_view bytes, Questions questions = {});
  void flush();

  bool waits() const { return sent_ < pending_.size(); }  // for its terminal
  bool wants_flush() const { return waits() && !held_; }
  bool takes_output() const { return !gone_ && !leaving_; }
  bool holds_back() const {
    return interactive_ && takes_output() && (waits() || held_ || holding_);
  }
  bool is_behind() const { return behind_ && !waits() && takes_output(); }
  void catch_up(std::string_view picture);

  // It gets `last`, which puts its terminal in order, and nothing more until `release`. The
  // terminal may have spoken unasked up to here.
  void hold(std::string_view last, bool speaks);
  // Once for each hold, when all was shown.
  bool take_held() { return std::exchange(says_held_, false); }
  void release();
  // What its terminal answers is read.
  bool listens() const { return listens_; }
  void listen(bool listens) { listens_ = listens; }
  void settle() { settling_ = true; }
  bool take_settled() { return !waits() && std::exchange(settling_, false); }
  // Its terminal is in order, while the program's modes are not: `enter` brings them back.
  bool is_in_order() const { return in_order_; }
  void enter(std::string_view first);
  // From here on it gets `last` and then nothing.
  void leave(std::string_view last, bool speaks);
  bool has_left() const { return leaving_ && (!waits() || gone_); }

  // Answers of its terminal may still be on their way.
  bool expects_answers() const;
  uint64_t status_questions() const { return status_questions_; }

  bool gone() const { return gone_; }
  void lose() { gone_ = true; }

 private:
  // What a person cannot have read anyway.
  static constexpr size_t kMostBehind = 256 << 10;

  uint32_t id_;
  bool interactive_;
  bool utf8_;
  Fd socket_;
  Fd output_;
  std::string pending_;
  size_t sent_ = 0;
  uint64_t status_questions_ = 0;
  int64_t asked_at_ = 0;
  bool asks_later_ = false;  // a question waits for its terminal
  bool holding_ = false;     // what comes before the hold waits for its terminal
  bool held_ = false;
  bool says_held_ = false;
  bool settling_ = false;
  bool listens_ = true;
  bool in_order_ = false;
  bool behind_ = false;
  bool leaving_ = false;
  bool gone_ = false;
};

}  // namespace ringwall::terminal
