#include "tool_calls/mcp_inside.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>
#include <thread>

#include "base/channel.h"
#include "base/file.h"
#include "base/fixed_message.h"
#include "base/text.h"
#include "gate/gate_channel.h"

namespace ringwall::tool_calls {
namespace {

Result<Fd> connect_to_supervisor() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  snprintf(address.sun_path, sizeof address.sun_path, "%s", gate::kGateSocket);
  Fd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!socket || connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) < 0)
    return fail_errno("cannot reach the supervisor");
  return socket;
}

// Until there is nothing more, or nobody who takes it.
void move_all(int from, int to) {
  char buffer[1 << 16];
  while (true) {
    ssize_t count = read(from, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0 || !file::write_all(to, {buffer, static_cast<size_t>(count)})) return;
  }
}

}  // namespace

bool can_ask_for_servers() {
  return getenv("RINGWALL_RUN") != nullptr && access(gate::kGateSocket, F_OK) == 0;
}

Status use_server_outside(const std::string& name) {
  TRY_ASSIGN(Fd socket, connect_to_supervisor());
  gate::GateNotice notice{gate::GateNotice::Type::serve};
  fixed::put(notice.tool, name);
  TRY(channel::send(socket.get(), fixed::bytes_of(notice)));
  TRY_ASSIGN(channel::Message message, channel::receive(socket.get()));
  TRY_ASSIGN(gate::GateAnswer answer, gate::parse_gate_answer(message.bytes));
  if (answer.type != gate::GateAnswer::Type::served || message.fds.size() != 1) {
    return fail("outside of this run no MCP server " + text::quote(name) + " may be started",
                "ask the person to name it: ringwall run --mcp-server '" + name + "=COMMAND' …");
  }
  Fd server = std::move(message.fds[0]);
  std::thread inward([&] {
    move_all(0, server.get());
    shutdown(server.get(), SHUT_WR);
  });
  // The agent may keep its side open for ever: the server's end is the end.
  inward.detach();
  move_all(server.get(), 1);
  return {};
}

}  // namespace ringwall::tool_calls
