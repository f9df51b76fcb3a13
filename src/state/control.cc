#include "state/control.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "base/channel.h"
#include "base/fixed_message.h"

namespace ringwall::state {
namespace {

// A socket's path holds 107 characters, a run's folder may have more: name it by its descriptor.
sockaddr_un address_in(int folder) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/control", folder);
  return address;
}

bool is_same_user(int socket) {
  ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         (peer.uid == getuid() || peer.uid == 0);
}

}  // namespace

Result<ControlMessage> parse_control(std::string_view bytes) {
  TRY_ASSIGN(ControlMessage message,
             fixed::parse<ControlMessage>(bytes, "a control", ControlType::state));
  fixed::end_text(message.text);
  return message;
}

Status send_control(int socket, const ControlMessage& message, std::span<const int> fds) {
  return channel::send(socket, fixed::bytes_of(message), fds);
}

Result<Fd> listen_for_control(int run_folder) {
  Fd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return fail_errno("cannot make the control socket");
  sockaddr_un address = address_in(run_folder);
  if (bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) < 0 ||
      listen(socket.get(), SOMAXCONN) < 0) {
    return fail_errno("cannot open the control socket");
  }
  return socket;
}

Result<Fd> accept_control(int listener) {
  Fd client(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
  if (!client) return fail_errno("cannot accept a control connection");
  if (!is_same_user(client.get())) return fail("a control connection of another user was refused");
  return client;
}

std::string name_peer(int connection) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0) return "";
  return "uid " + std::to_string(peer.uid) + ", pid " + std::to_string(peer.pid);
}

Result<Fd> connect_control(int run_folder, int flags) {
  Fd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | flags, 0));
  if (!socket) return fail_errno("cannot make a socket");
  timeval patience{0, kPatienceForMany * 1000};
  setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  sockaddr_un address = address_in(run_folder);
  if (connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) < 0) {
    return fail_errno("the run does not answer",
                      "it may be starting still (the first look at this host's programs takes a "
                      "while), or have just ended; see: ringwall ls");
  }
  if (!is_same_user(socket.get())) return fail("the run belongs to another user");
  return socket;
}

Status check_that_it_answers(int connection) {
  TRY(send_control(connection, {ControlType::status}));
  pollfd answers{connection, POLLIN, 0};
  if (poll(&answers, 1, kPatienceForOne) > 0) {
    TRY(receive_answer(connection, ControlType::state));
    return {};
  }
  return std::unexpected(
      Error{"the run does not answer", ETIMEDOUT,
            "it may be stopped as a job of a shell, where fg lets it go on, or be starting still; "
            "ringwall kill ends it"});
}

Result<std::string> ask_description(int connection, int patience) {
  // A supervisor that was stopped by the terminal's Ctrl-Z answers when it goes on.
  TRY(send_control(connection, {ControlType::describe}));
  pollfd answers{connection, POLLIN, 0};
  if (poll(&answers, 1, patience) <= 0)
    return std::unexpected(Error{"the run does not answer", ETIMEDOUT, {}});
  TRY_ASSIGN(channel::Message answer, channel::receive(connection));
  TRY_ASSIGN(ControlMessage message, parse_control(answer.bytes));
  if (message.type != ControlType::described || answer.fds.size() != 1)
    return fail("the run gave no description");
  return channel::read_memory_file(answer.fds[0].get(), 1 << 20);
}

Status ask_spawn(int connection, const sandbox::SpawnRequest& request, const int stdio[3],
                 std::span<const int> viewer, bool eight_bit) {
  TRY_ASSIGN(Fd payload, channel::memory_file(sandbox::encode(request)));
  std::vector<int> fds = {payload.get(), stdio[0], stdio[1], stdio[2]};
  fds.insert(fds.end(), viewer.begin(), viewer.end());
  ControlMessage message{ControlType::spawn};
  message.eight_bit = eight_bit;
  if (request.terminal)
    message.size = {request.terminal->size.ws_row, request.terminal->size.ws_col};
  return send_control(connection, message, fds);
}

Result<ControlMessage> receive_answer(int connection, ControlType expected) {
  TRY_ASSIGN(channel::Message answer, channel::receive(connection));
  if (answer.bytes.empty()) return fail("the run has ended");
  TRY_ASSIGN(ControlMessage message, parse_control(answer.bytes));
  if (message.type == ControlType::refused) return fail(message.text);
  if (message.type != expected) return fail("an unexpected answer of the run");
  return message;
}

}  // namespace ringwall::state
