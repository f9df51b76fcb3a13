// The supervisor's side of the relay: starts the process and tells it what to show to whom.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "events/event.h"
#include "terminal/relay_protocol.h"

namespace ringwall::session {

struct RelayedTerminalRequest {
  uint32_t id = 0;
  terminal::Size size{};
  bool utf8 = true;
  bool clipboard_write = false;
  int recording = -1;  // an open file
  uint64_t most_recorded = UINT64_MAX;
  std::string title, term, shell;  // of the recording
  bool awaits_viewer = false;      // who is added right after it
};

// Why nothing more is recorded; `err` is what the relay has said.
events::Event describe_end_of_recording(const std::string& run,
                                        const RelayedTerminalRequest& terminal, int err);

class RelayLink {
 public:
  RelayLink() = default;
  RelayLink(RelayLink&& other) noexcept;
  RelayLink& operator=(RelayLink&& other) noexcept;
  ~RelayLink();

  // Returns while the relay still puts up its walls; `wait_until_ready` says when they stand.
  static Result<RelayLink> start(std::span<char> start_area);
  Status wait_until_ready();

  bool is_running() const { return static_cast<bool>(channel_); }
  int fd() const { return channel_.get(); }
  pid_t pid() const { return pid_; }

  // None of these blocks: a relay that does not listen is as good as gone.
  Status add_terminal(const RelayedTerminalRequest& request, int near_side);
  struct NewViewer {
    uint32_t terminal;
    uint32_t id;
    bool interactive;
    bool utf8;  // its terminal reads it
    terminal::Size size;
    int socket, output;
  };
  Status add_viewer(const NewViewer& viewer);
  Status drop_viewer(uint32_t terminal, uint32_t viewer);
  Status end_terminal(uint32_t terminal);
  Status try_acts();

  Result<terminal::RelayNotice> receive();
  void end();

 private:
  Status send(const terminal::RelayOrder& order, std::span<const int> fds = {});

  Fd channel_;
  pid_t pid_ = -1;
};

}  // namespace ringwall::session
