// Plays a recording on the person's terminal. It is a stranger's output like any other: everything
// goes through the filter, and the terminal is put in order at the end, however the end comes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "terminal/answers.h"
#include "terminal/cast.h"
#include "terminal/filter.h"
#include "terminal/own_terminal.h"
#include "terminal/tokens.h"

namespace ringwall::terminal {

struct PlayOptions {
  double speed = 1;
  std::optional<double> idle;  // seconds: no pause is longer
  bool resize_window = false;  // ask the terminal for the size of the recording
};

// All of it at once, for what is no terminal.
Status play_at_once(CastReader& reader, int output);

class Player {
 public:
  Player(CastReader& reader, const CastHeader& header, const PlayOptions& options);
  ~Player();
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  // With its times, to standard output. Returns the signal that ended it early, else 0.
  Result<int> play();

 private:
  Result<bool> read_event();
  Status wait(int milliseconds);
  Status take_keys();
  void take_signal();
  void toggle_pause();
  Status write_pending();
  void leave_terminal();
  void suspend();
  bool has_keyboard() const;
  bool expects_answers() const;
  double now() const;

  CastReader& reader_;
  PlayOptions options_;
  Filter filter_{FilterOptions{}};
  std::optional<OwnTerminal> terminal_;
  bool utf8_;
  Fd output_;
  Fd signals_;
  Tokens keys_;
  StatusAnswers answers_;
  int64_t asked_at_ = 0;
  std::string pending_;
  size_t sent_ = 0;
  int64_t started_;
  double due_ = 0;       // when the next output is to be shown, in seconds since the start
  double position_ = 0;  // in the recording
  std::optional<double> paused_at_;
  std::optional<CastEvent> event_;
  bool stopped_ = false;
  int signal_ = 0;
};

}  // namespace ringwall::terminal
