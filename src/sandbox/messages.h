// What supervisor and pid 1 say to each other over their channel. Fixed layouts; whoever reads
// checks length and range. The inside's end is held by pid 1 alone, which no process inside can
// read or trace; even so the supervisor takes what comes from there as untrusted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/channel.h"
#include "base/result.h"
#include "sandbox/pty.h"

namespace ringwall::sandbox {

enum class MessageType : uint32_t {
  // to pid 1
  go = 1,  // the id maps are written; then, if the plan says so: the command may start
  signal,  // value: signal for the main command
  spawn,   // id; descriptors: payload, 0, 1, 2
  resume,  // the main command goes on; value: 1 in the foreground of its terminal, 0 in the back
  pause,   // value: 1 stops everything inside, 0 lets it go on
  freeze,  // the same for a moment and unnoticed, for the broker; value 1 is answered by `frozen`
  make_socket,  // id; value: 1 of IPv6; answered by `socket`
  leave,        // id: who asked for that process is gone, and it ends with its session's jobs
  // from pid 1
  ready,     // every wall stands, the main command is being started; descriptors: below
  terminal,  // id; descriptor: the terminal made for that process
  socket,   // descriptor: a new TCP socket of the sandbox's own network; none: it could not be made
  stopped,  // the main command was stopped at its terminal; value: signal
  frozen,   // everything inside stands; value: 0 if some may still take a step
  restless,    // something inside does not stay stopped
  failed,      // a step of the start failed: value = errno, text = step, detail
  exited,      // id, value = wait status
  cannot_run,  // id, value = errno of exec
};

// The descriptors that come with `ready`, in this order; its value has a bit for each that is
// there.
// The sockets of the wall (sandbox/network.h) and those of the plan come last.
enum ReadyDescriptors : unsigned {
  kReadyTerminal,
  kReadyRenames,
  kReadyBehind,
  kReadyMask,
  kReadyWall
};

inline constexpr uint32_t kMainCommand = 0;  // the id of the run's own command

struct Notice {
  MessageType type;
  uint32_t id = kMainCommand;
  int32_t value = 0;
  uint32_t wall = 0;      // failed: which wall
  uint32_t alone = 0;     // exited: 1 if nothing else lives inside
  char step[64] = {};     // failed: name of the step
  char detail[512] = {};  // failed: what exactly
  char hint[256] = {};    // failed: what to do about it, if the place of the failure knows
};

Status send_notice(int channel, const Notice& notice, std::span<const int> fds = {}, int flags = 0);
// Checks size, type and the ends of the texts.
Result<Notice> parse_notice(std::string_view bytes);

// A further process to start inside: a program, or one of the functions linked into Ringwall
// (probes).
struct SpawnRequest {
  std::string builtin;  // empty: run `arguments` as a program
  std::vector<std::string> arguments;
  std::string working_folder;  // empty: the run's own
  std::optional<TerminalRequest> terminal;
};

inline constexpr size_t kMostSpawnBytes = 4 << 20;
std::string encode(const SpawnRequest& request);
Result<SpawnRequest> decode_spawn_request(std::string_view bytes);

}  // namespace ringwall::sandbox
