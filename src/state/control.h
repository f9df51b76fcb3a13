// The control socket of a run: outside only, in a folder that no sandbox sees, for the same user
// alone. The run's own front end talks over a connection of the same kind.
#pragma once

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "sandbox/messages.h"
#include "terminal/size.h"

namespace ringwall::state {

enum class ControlType : uint32_t {
  describe = 1,  // answered by a memory file with JSON
  // descriptors: payload, 0, 1, 2, and with a terminal a viewer's two; answered by `finished` when
  // the process has ended
  spawn,
  signal,  // value: a signal for the process spawned on this connection, or for the run's own
  // value: AttachMode; descriptors: a viewer's two, where messages go; answered by `attached`
  attach,
  detach,    // the front end leaves and the run goes on
  resume,    // the front end goes on after `stopped`; value: 1 in the foreground
  pause,     // value: 1 stops everything inside, 0 lets it go on; answered by `done`
  try_acts,  // the helpers try what they must not be able to do; answered by `act`s and `done`
  status,    // answered by `state`
  // By the person, while it goes on; answered by `done` or `refused`.
  allow,       // text: HOST[:PORTS]; seconds: kForTheRun, or how long
  deny,        // text: HOST[:PORTS]
  approve,     // value: a waiting request; seconds: kOnce, kForTheRun, kAlways, or how long
  reject,      // value: a waiting request; seconds: kOnce, kForTheRun or kAlways
  stop,        // seconds: until what has not ended is killed; answered when nothing is left
  kill,        // answered when nothing is left
  lower_risk,  // text: the reason; answered by `done`

  described,
  finished,    // value: wait status
  cannot_run,  // value: errno
  refused,     // text: why
  attached,    // value: kPaused, or 0; text: what the run did that a limit has paused it for
  stopped,     // the run's command was stopped at its terminal; value: signal
  ended,       // the run has ended; value: exit status
  replaced,    // another front end took over
  act,         // text: what was tried; value: errno, 0: it worked
  done,        // of a pause: value kUnchanged if it was so before
  state,       // status
};

inline constexpr int32_t kPaused = 1;
inline constexpr int32_t kUnchanged = 1;

enum class AttachMode : int32_t { alone = 1, take_over, watch };

inline constexpr int64_t kOnce = -1;
inline constexpr int64_t kAlways = -2;  // an answer that whoever gives it writes down too
inline constexpr int64_t kForTheRun = 0;

// What changes from moment to moment: small and quick to ask for, many runs at once.
struct RunStatus {
  uint64_t refused = 0;
  uint64_t connected = 0;  // since the start
  uint64_t open = 0;       // connections
  uint64_t waiting = 0;    // requests
  uint64_t changes = 0;    // goes up whenever the description is not what it was
  uint32_t paused = 0;
  uint32_t level = 0;  // of its risk
  uint32_t risk = 0;   // millionths
  bool operator==(const RunStatus&) const = default;
};

struct ControlMessage {
  ControlType type;
  int32_t value = 0;
  terminal::Size size{};  // attach, spawn: of the viewer's terminal
  char text[512] = {};
  uint32_t eight_bit = 0;  // attach, spawn: 1 if the viewer's terminal does not read UTF-8
  int64_t seconds = 0;
  RunStatus status = {};
};

// Checks size and type.
Result<ControlMessage> parse_control(std::string_view bytes);
Status send_control(int socket, const ControlMessage& message, std::span<const int> fds = {});

// Server side: a listening socket in the run's folder; who connects must have our user id or be
// root.
Result<Fd> listen_for_control(int run_folder);
Result<Fd> accept_control(int listener);

// "uid 1000, pid 4711": who is at the other end.
std::string name_peer(int connection);

// Client side. Where too many wait before us, that is an error: at once if `flags` is
// SOCK_NONBLOCK.
Result<Fd> connect_control(int run_folder, int flags = 0);
// An error if the supervisor answers nothing: one that was stopped would hold up whoever asks more.
Status check_that_it_answers(int connection);
// Who wants to know of one run alone can wait longer than who looks at all.
inline constexpr int kPatienceForMany = 500, kPatienceForOne = 5000;  // milliseconds
Result<std::string> ask_description(int connection, int patience = kPatienceForMany);
Status ask_spawn(int connection, const sandbox::SpawnRequest& request, const int stdio[3],
                 std::span<const int> viewer = {}, bool eight_bit = false);
// Waits for an answer of that type; what the run refuses is an error.
Result<ControlMessage> receive_answer(int connection, ControlType expected);

}  // namespace ringwall::state
