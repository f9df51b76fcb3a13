// One terminal of the inside as the relay has it: bytes from the program go through the filter to
// everyone who looks, keys go the other way. What was shown last is kept for those who come later.
#pragma once

#include <poll.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fd.h"
#include "terminal/filter.h"
#include "terminal/history.h"
#include "terminal/recording.h"
#include "terminal/relay_protocol.h"
#include "terminal/screen.h"
#include "terminal/size.h"
#include "terminal/viewer.h"

namespace ringwall::terminal {

class RelayedTerminal {
 public:
  RelayedTerminal(const RelayOrder& order, Fd near_side, Fd recording);

  uint32_t id() const { return id_; }

  // What to wait for, and what came of it: both in the same order.
  void add_waits(std::vector<pollfd>& waits) const;
  size_t take_events(const pollfd* waits);

  void add_viewer(const RelayOrder& order, Fd socket, Fd output);
  void drop_viewer(uint32_t viewer);
  void end() { ending_ = true; }

  // Those who have left since the last call; they are told, and forgotten.
  std::vector<uint32_t> take_departed();
  // Milliseconds until there is something to do without any event, -1: never.
  int patience() const;
  bool is_done() const { return ending_ && exhausted_ && viewers_.empty(); }
  void finish_recording();
  std::optional<int> take_recording_error();

 private:
  std::string_view read_some(std::span<char> buffer);
  void read_output();
  void drain();
  void show(std::string_view filtered, Questions questions);
  void take_message(Viewer& viewer);
  void resize(Size size);
  void write_input();
  void leave(Viewer& viewer);
  bool has_interactive_viewer() const;
  bool is_held_back() const;
  bool has_keyboard() const;
  void listen(Viewer& viewer, bool listens);
  std::string last_words(const Viewer& viewer) const;
  bool lets_speak(const Viewer& viewer) const;
  Screen replay() const;
  std::string picture(const Viewer& viewer) const;
  std::string way_back(const Viewer& viewer) const;

  uint32_t id_;
  Fd near_side_;
  Size size_;
  Filter filter_;
  bool utf8_;
  bool filtered_;
  bool awaits_viewer_;
  History history_;
  std::optional<Screen> screen_;  // kept up to date only while nobody's terminal answers queries
  std::optional<Recording> recording_;
  std::optional<int> recording_error_;
  std::vector<std::unique_ptr<Viewer>> viewers_;
  std::string input_;
  int64_t started_;
  bool ending_ = false;
  bool exhausted_ = false;  // nothing more comes from inside
  int quiet_rounds_ = 0;
};

}  // namespace ringwall::terminal
