#include "processes/network_change.h"

#include <linux/netlink.h>
#include <poll.h>
#include <unistd.h>

#include <cstring>
#include <functional>

#include "base/channel.h"
#include "base/fixed_message.h"
#include "base/netlink.h"
#include "processes/helper_process.h"
#include "sandbox/network_room.h"

namespace ringwall::processes {
namespace {

constexpr int kPatience = 10'000;  // milliseconds; it takes well under one

// What the process in the sandbox's network says in the end.
struct Report {
  int32_t err = 0;       // 0: done
  uint32_t sockets = 0;  // a bit for each that comes along
};

using Work = std::function<Result<sandbox::WallSockets>()>;

void report(int channel, const Result<sandbox::WallSockets>& made) {
  Report report{made ? 0 : (made.error().err != 0 ? made.error().err : EIO)};
  std::vector<int> fds;
  for (size_t i = 0; made && i < made->size(); i++) {
    if (!(*made)[i]) continue;
    report.sockets |= 1u << i;
    fds.push_back((*made)[i].get());
  }
  _exit(channel::send(channel, fixed::bytes_of(report), fds) ? 0 : 1);
}

Result<sandbox::WallSockets> in_network_of(const sandbox::Launched& sandbox, const Work& work,
                                           std::span<char> start_area) {
  if (!sandbox.network_may_change) return fail("this run was started without a network to change");
  TRY_ASSIGN(channel::Pair pair, channel::make_pair());
  HelperRequest request{
      "ringwall-change",
      start_area,
      {pair.theirs.get(), sandbox.user_namespace.get(), sandbox.network_namespace.get()}};
  request.own_walls = [](const std::vector<int>& kept, pid_t supervisor) {
    return sandbox::enter_network_room({kept[1], kept[2], {kept[0]}}, supervisor);
  };
  HelperLink helper;
  TRY_ASSIGN(helper.pid, start_helper(std::move(request),
                                      [&](std::span<const int> kept) { report(kept[0], work()); }));
  pair.theirs.close();
  helper.channel = std::move(pair.ours);
  pollfd waits{helper.channel.get(), POLLIN, 0};
  if (poll(&waits, 1, kPatience) <= 0) return fail("the sandbox's network cannot be changed");
  TRY_ASSIGN(channel::Message answer, channel::receive(helper.channel.get()));
  TRY_ASSIGN(Report report, fixed::parse<Report>(answer.bytes, "a changed network's"));
  if (report.err != 0) {
    return std::unexpected(Error{"the sandbox's network cannot be changed", report.err, {}});
  }
  sandbox::WallSockets sockets;
  size_t next = 0;
  for (size_t i = 0; i < sockets.size(); i++) {
    if ((report.sockets & (1u << i)) != 0 && next < answer.fds.size())
      sockets[i] = std::move(answer.fds[next++]);
  }
  return sockets;
}

}  // namespace

Status change_redirect(const sandbox::Launched& sandbox, const std::string& messages,
                       std::span<char> start_area) {
  auto work = [&]() -> Result<sandbox::WallSockets> {
    TRY(netlink::request(NETLINK_NETFILTER, messages));
    return sandbox::WallSockets();
  };
  auto done = in_network_of(sandbox, work, start_area);
  return done ? Status() : std::unexpected(done.error());
}

Result<sandbox::WallSockets> build_wall_later(const sandbox::Launched& sandbox,
                                              const sandbox::NetworkPlan& plan,
                                              std::span<char> start_area) {
  return in_network_of(
      sandbox, [&] { return sandbox::build_network(plan); }, start_area);
}

}  // namespace ringwall::processes
