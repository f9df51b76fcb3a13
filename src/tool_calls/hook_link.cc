#include "tool_calls/hook_link.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>

#include "base/channel.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/fixed_message.h"

namespace ringwall::tool_calls {
namespace {

// A supervisor that hears too much lets others wait before it: it is tried for a moment.
constexpr int kTries = 20;
constexpr useconds_t kBetweenTries = 10'000;

Result<Fd> connect_to_supervisor(int tries) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  snprintf(address.sun_path, sizeof address.sun_path, "%s", gate::kGateSocket);
  Fd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return fail_errno("cannot make a socket");
  while (connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) < 0) {
    if (errno != EAGAIN || --tries <= 0) return fail_errno("cannot reach the supervisor");
    usleep(kBetweenTries);
  }
  return socket;
}

}  // namespace

bool is_inside() { return access(gate::kGateRules, F_OK) == 0; }

void tell_supervisor(const gate::GateNotice& notice) {
  auto socket = connect_to_supervisor(1);
  if (!socket) return;
  (void)channel::send(socket->get(), fixed::bytes_of(notice), {}, MSG_DONTWAIT);
}

Result<gate::GateAnswer> ask_supervisor(const gate::GateNotice& notice, int most_seconds) {
  TRY_ASSIGN(Fd socket, connect_to_supervisor(kTries));
  TRY(channel::send(socket.get(), fixed::bytes_of(notice), {}, MSG_DONTWAIT));
  int64_t until = clock::monotonic() + most_seconds * 1'000'000'000ll;
  while (true) {
    int64_t left = (until - clock::monotonic()) / 1'000'000;
    pollfd waits{socket.get(), POLLIN, 0};
    int ready = left <= 0 ? 0 : poll(&waits, 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return gate::GateAnswer{gate::GateAnswer::Type::unanswered};
    TRY_ASSIGN(channel::Message message, channel::receive(socket.get(), MSG_DONTWAIT));
    return gate::parse_gate_answer(message.bytes);
  }
}

}  // namespace ringwall::tool_calls
