// The control socket of a run: outside only, in a folder that no sandbox sees, for the same user
// alone. The run's own front end talks over a connection of the same kind.
#pragma once

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "sandbox/messages.h"
#include "terminal/size.h"

namespace ringwall::session {

enum class ControlType : uint32_t {
  describe = 1,  // answered by a memory file with JSON
  // descriptors: payload, 0, 1, 2, and with a terminal a viewer's two; answered by `finished` when
  // the process has ended
  spawn,
  signal,    // value: a signal for the process spawned on this connection, or for the run's own
  attach,    // value: AttachMode; descriptors: a viewer's two; answered by `attached`
  detach,    // the front end leaves and the run goes on
  resume,    // the front end goes on after `stopped`; value: 1 in the foreground
  pause,     // value: 1 stops everything inside, 0 lets it go on; answered by `done`
  try_acts,  // the helpers try what they must not be able to do; answered by `act`s and `done`

  described,
  finished,    // value: wait status
  cannot_run,  // value: errno
  refused,     // text: why
  attached,    // value: kPaused, or 0
  stopped,     // the run's command was stopped at its terminal; value: signal
  ended,       // the run has ended; value: exit status
  replaced,    // another front end took over
  act,         // text: what was tried; value: errno, 0: it worked
  done,        // of a pause: value kUnchanged if it was so before
};

inline constexpr int32_t kPaused = 1;
inline constexpr int32_t kUnchanged = 1;

enum class AttachMode : int32_t { alone = 1, take_over, watch };

struct ControlMessage {
  ControlType type;
  int32_t value = 0;
  terminal::Size size{};  // attach, spawn: of the viewer's terminal
  char text[236] = {};
  uint32_t eight_bit = 0;  // attach, spawn: 1 if the viewer's terminal does not read UTF-8
};

// Checks size and type.
Result<ControlMessage> parse_control(std::string_view bytes);
Status send_control(int socket, const ControlMessage& message, std::span<const int> fds = {});

// Server side: a listening socket in the run's folder; who connects must have our user id or be
// root.
Result<Fd> listen_for_control(int run_folder);
Result<Fd> accept_control(int listener);

// Client side.
Result<Fd> connect_control(int run_folder);
Result<std::string> ask_description(int connection);
Status ask_spawn(int connection, const sandbox::SpawnRequest& request, const int stdio[3],
                 std::span<const int> viewer = {}, bool eight_bit = false);
// Waits for an answer of that type; what the run refuses is an error.
Result<ControlMessage> receive_answer(int connection, ControlType expected);

}  // namespace ringwall::session
