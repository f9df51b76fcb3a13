// The supervisor's side of the keeper (undo/keeper.h): starts the process before the command can
// start, holds the command until everything is kept or its patience is over, and hears what the run
// did in the end.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "events/event.h"
#include "prepare/prepare.h"
#include "processes/helper_process.h"
#include "sandbox/launch.h"
#include "session/closed_files.h"
#include "session/recorder.h"
#include "undo/keeper_protocol.h"

namespace ringwall::session {

class KeeperLink {
 public:
  KeeperLink() = default;

  // `id` is that of the run in the history.
  static Result<KeeperLink> start(const prepare::Preparation& prepared, const std::string& id,
                                  std::span<char> start_area);

  bool is_running() const { return static_cast<bool>(link_.channel); }
  int fd() const { return link_.channel.get(); }

  // False: the command may start whatever it has kept.
  bool is_waited_for() const { return waits_; }
  // Waits for one of the two: true if it has kept everything, false if `other` has something to say
  // a moment before. Whom we start next would take the processor from who is nearly done.
  bool keeps_before(int other);
  bool was_let_start() const { return was_let_start_; }
  // Returns when everything is kept, or so many milliseconds after it was started; how many is
  // chosen here if nobody says it. From here on the command may start.
  void wait_until_kept(std::optional<uint64_t> wanted);

  Status order(undo::KeeperOrder::Type type);
  // What was heard while the start waited.
  std::deque<undo::KeeperNotice> take_heard() { return std::exchange(heard_, {}); }
  Result<undo::KeeperNotice> receive();  // also starts the opener, if that is asked for
  // One that has finished ends by itself; nobody has to wait for that before end().
  void let_go() { link_.channel.close(); }
  void end() {
    link_.end();
    opener_.link.end();
  }

 private:
  bool hears_ready();
  void give_opener();

  processes::HelperLink link_;
  Opener opener_;
  bool has_opener_ = false;
  std::span<char> start_area_;
  int64_t started_ = 0;
  bool is_kept_ = false;
  bool was_let_start_ = false;  // the command
  bool waits_ = true;
  uint64_t usual_wait_ = 0;  // milliseconds
  std::vector<Fd> trees_;    // until everything is kept
  std::deque<undo::KeeperNotice> heard_;
};

// As the next, while its walls are built, if everything is kept before they stand, or is not waited
// for: pid 1 then finds the word, and need not wait for us once more.
Status let_start_if_kept(const prepare::Preparation& prepared, const sandbox::Launched& launched,
                         KeeperLink& keeper);

// Lets a command that waits start, once: when what it could change is kept, or that takes too long.
// Root's guard must stand by then, if there is one, and nothing else.
Status let_command_start(const prepare::Preparation& prepared, const sandbox::Launched& launched,
                         KeeperLink& keeper);

// A run goes on without it; then the person is told why.
KeeperLink start_keeper(const prepare::Preparation& prepared, const Recorder* recorder,
                        std::span<char> start_area,
                        const std::function<void(const events::Event&)>& tell);

}  // namespace ringwall::session
