// The control socket of a run: outside only, in a folder that no sandbox sees, for the same user
// alone. It knows two requests: describe the run, and have pid 1 start a further process inside.
#pragma once

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "sandbox/messages.h"

namespace ringwall::session {

enum class ControlType : uint32_t {
  describe = 1,  // answered by a memory file with JSON
  spawn,         // descriptors: payload, 0, 1, 2; answered by `finished` when the process has ended
  signal,        // value: a signal for the process spawned on this connection
  described,
  finished,    // value: wait status
  cannot_run,  // value: errno
  refused,     // text: why
};

struct ControlMessage {
  ControlType type;
  int32_t value = 0;
  char text[240] = {};
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
Status ask_spawn(int connection, const sandbox::SpawnRequest& request, const int stdio[3]);

}  // namespace ringwall::session
