#include "processes/socket_relay.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "processes/helper_process.h"

namespace ringwall::processes {
namespace {

// One direction: everything from `from` to `to`, then the end as a half-close. No call on the way
// may block: a command that answers while it is still being told would wait for us, and we for it.
struct Flow {
  Flow(int source, int sink) : from(source), to(sink), buffer(kBufferSize) {}

  static constexpr size_t kBufferSize = 65536;
  int from;
  int to;
  bool open = true;
  std::vector<char> buffer;
  size_t sent = 0;
  size_t filled = 0;

  pollfd waits_for() const {
    if (!open) return {-1, 0, 0};
    return sent < filled ? pollfd{to, POLLOUT, 0} : pollfd{from, POLLIN, 0};
  }
};

bool is_only_for_now() { return errno == EINTR || errno == EAGAIN; }

// False when the flow has ended.
bool move_some(Flow& flow) {
  if (flow.sent == flow.filled) {
    ssize_t count = recv(flow.from, flow.buffer.data(), flow.buffer.size(), MSG_DONTWAIT);
    if (count < 0 && is_only_for_now()) return true;
    if (count <= 0) return false;
    flow.sent = 0;
    flow.filled = static_cast<size_t>(count);
  }
  ssize_t count = send(flow.to, flow.buffer.data() + flow.sent, flow.filled - flow.sent,
                       MSG_DONTWAIT | MSG_NOSIGNAL);
  if (count < 0) return is_only_for_now();
  flow.sent += static_cast<size_t>(count);
  return true;
}

void end(Flow& flow) {
  flow.open = false;
  shutdown(flow.to, SHUT_WR);
  shutdown(flow.from, SHUT_RD);
}

bool any_open(const std::vector<Flow>& flows, size_t first, size_t last) {
  return std::any_of(flows.begin() + static_cast<ptrdiff_t>(first),
                     flows.begin() + static_cast<ptrdiff_t>(last),
                     [](const Flow& flow) { return flow.open; });
}

// The inside has closed its end altogether: who still writes to it must be told.
void end_deaf_flows(std::vector<Flow>& flows, size_t from_inside) {
  for (size_t i = from_inside; i < flows.size(); i++) {
    pollfd inside{flows[i].to, 0, 0};
    if (flows[i].open && poll(&inside, 1, 0) > 0 && (inside.revents & POLLHUP) != 0) end(flows[i]);
  }
}

// Who we are here: a fork of the supervisor that holds the caller's sockets and the outer ends of
// the pairs, nothing else, behind the walls of a helper. The first `from_inside` flows come from
// the inside. Ends when both directions have ended; or the inside has, and nothing more is to be
// had from it (it may have handed an end to somebody else); or with the supervisor.
[[noreturn]] void run_relay(std::vector<Flow> flows, size_t from_inside, int going_on) {
  bool ended = false;
  while (any_open(flows, 0, from_inside) ||
         (!ended && any_open(flows, from_inside, flows.size()))) {
    std::vector<pollfd> waits;
    for (const Flow& flow : flows)
      waits.push_back(flow.waits_for());
    waits.push_back({ended ? -1 : going_on, POLLIN, 0});
    // Once nothing more comes from the inside: its hang-up, which is told without being asked for.
    bool only_inward = !any_open(flows, 0, from_inside);
    for (size_t i = from_inside; i < flows.size(); i++)
      waits.push_back({only_inward && flows[i].open ? flows[i].to : -1, 0, 0});
    if (poll(waits.data(), waits.size(), ended ? 0 : -1) < 0 && errno != EINTR) _exit(1);
    if (waits[flows.size()].revents != 0) ended = true;
    for (size_t i = 0; i < flows.size(); i++) {
      bool ready = waits[i].revents != 0;
      bool idle = ended && !ready && flows[i].sent == flows[i].filled;
      if (flows[i].open && (idle || (ready && !move_some(flows[i])))) end(flows[i]);
    }
    if (!any_open(flows, 0, from_inside)) end_deaf_flows(flows, from_inside);
    // What is left has to wait for the caller, who reads slowly.
    bool waiting = std::any_of(flows.begin(), flows.end(), [](const Flow& flow) {
      return flow.open && flow.sent < flow.filled;
    });
    if (ended && waiting) usleep(1000);
  }
  _exit(0);
}

}  // namespace

Status SocketRelay::start(const bool is_socket[3], int stdio[3], std::span<char> start_area) {
  std::vector<Flow> inward, outward;
  std::vector<Fd> outer_ends;
  std::vector<std::pair<ino_t, int>> known;  // the caller's socket, the inside's end
  for (int i = 0; i < 3; i++) {
    if (!is_socket[i]) continue;
    struct stat facts;
    if (fstat(stdio[i], &facts) < 0) return fail_errno("cannot look at a descriptor");
    auto same =
        std::find_if(known.begin(), known.end(), [&](auto& k) { return k.first == facts.st_ino; });
    if (same != known.end()) {
      stdio[i] = same->second;
      continue;
    }
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
      return fail_errno("cannot make a relayed pair");
    outer_ends.emplace_back(pair[0]);
    inside_ends_.emplace_back(pair[1]);
    outward.emplace_back(pair[0], stdio[i]);
    inward.emplace_back(stdio[i], pair[0]);
    known.emplace_back(facts.st_ino, pair[1]);
    stdio[i] = pair[1];
  }
  if (outward.empty()) return {};
  int alive[2];
  if (pipe2(alive, O_CLOEXEC) < 0) return fail_errno("cannot make a pipe");
  Fd relays_end(alive[0]);
  going_on_ = Fd(alive[1]);
  size_t from_inside = outward.size();
  outward.insert(outward.end(), inward.begin(), inward.end());
  std::vector<int> kept = {relays_end.get()};
  for (Flow& flow : outward)
    kept.push_back(flow.from);
  TRY_ASSIGN(pid_, start_helper({"ringwall-socket-relay", start_area, std::move(kept)},
                                [&](std::span<const int> moved) {
                                  for (size_t i = 0; i < outward.size(); i++) {
                                    outward[i].from = moved[i + 1];
                                    // The other direction of the same two.
                                    outward[i].to = moved[1 + (i + from_inside) % outward.size()];
                                  }
                                  run_relay(std::move(outward), from_inside, moved[0]);
                                }));
  return {};
}

void SocketRelay::finish() {
  inside_ends_.clear();
  going_on_.close();
  if (pid_ > 0) waitpid(std::exchange(pid_, -1), nullptr, 0);
}

}  // namespace ringwall::processes
