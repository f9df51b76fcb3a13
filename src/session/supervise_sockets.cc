// The supervisor's part when sockets appear in the trees while a run goes on: what a program
// outside has made there is masked.
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/channel.h"
#include "base/fixed_message.h"
#include "base/text.h"
#include "hand/later_sockets.h"
#include "processes/helper_process.h"
#include "session/supervisor.h"

namespace ringwall::session {
namespace {

using broker::BrokerNotice;
using broker::BrokerOrder;
using hand::JudgedSocket;
using hand::LaterSocket;

constexpr int kPatience = 10'000;  // milliseconds; it takes two
constexpr size_t kMostAtOnce = 64;
constexpr size_t kMostTold = 10;

// What the process that looks at them says in the end.
struct Report {
  int32_t err = 0;  // 0: each was judged
  uint32_t number = 0;
  JudgedSocket judged[kMostAtOnce] = {};
};

enum Given : size_t { kChannel, kUser, kNetwork, kMount, kMask, kFirst };

void judge(std::span<const int> kept, std::vector<LaterSocket> sockets,
           const sandbox::Identity& identity, pid_t supervisor) {
  for (size_t i = 0; i < sockets.size(); i++)
    sockets[i].file = kept[kFirst + i];
  auto judged = hand::mask_hosts_sockets({{kept.begin(), kept.end()},
                                          kept[kUser],
                                          kept[kNetwork],
                                          kept[kMount],
                                          kept[kMask],
                                          identity},
                                         sockets, supervisor);
  Report report;
  if (!judged) report.err = judged.error().err != 0 ? judged.error().err : EIO;
  for (size_t i = 0; judged && i < judged->size(); i++)
    report.judged[report.number++] = (*judged)[i];
  _exit(channel::send(kept[kChannel], fixed::bytes_of(report)) ? 0 : 1);
}

Result<Report> ask_for(const sandbox::Launched& sandbox, const sandbox::Identity& identity,
                       const std::vector<LaterSocket>& sockets, std::span<char> start_area) {
  TRY_ASSIGN(channel::Pair pair, channel::make_pair());
  processes::HelperRequest request{
      "ringwall-sockets",
      start_area,
      {pair.theirs.get(), sandbox.user_namespace.get(), sandbox.network_namespace.get(),
       sandbox.mount_namespace.get(), sandbox.handed_out.for_hand.mask.get()}};
  for (const LaterSocket& socket : sockets)
    request.kept.push_back(socket.file);
  // It puts them up on its way.
  request.own_walls = [](const std::vector<int>&, pid_t) { return Status(); };
  pid_t supervisor = getpid();
  processes::HelperLink helper;
  TRY_ASSIGN(helper.pid,
             processes::start_helper(std::move(request), [&](std::span<const int> kept) {
               judge(kept, sockets, identity, supervisor);
             }));
  pair.theirs.close();
  helper.channel = std::move(pair.ours);
  pollfd waits{helper.channel.get(), POLLIN, 0};
  if (poll(&waits, 1, kPatience) <= 0) return fail("nobody answers");
  TRY_ASSIGN(channel::Message answer, channel::receive(helper.channel.get()));
  TRY_ASSIGN(Report report, fixed::parse<Report>(answer.bytes, "a judged socket's"));
  if (report.err != 0)
    return std::unexpected(Error{"sockets cannot be told apart", report.err, {}});
  if (report.number != sockets.size()) return fail("not every socket was judged");
  return report;
}

}  // namespace

void Supervisor::take_socket(const BrokerNotice& notice, std::vector<Fd>& fds) {
  if (!fds.empty()) later_sockets_.push_back({notice.path, std::move(fds[0])});
  if (notice.value > 0 && later_sockets_.size() < kMostAtOnce) return;
  auto sockets = std::exchange(later_sockets_, {});
  if (!ended_ && !sockets.empty() && run_.masks_later && judge_sockets(sockets))
    (void)run_.broker.order(BrokerOrder::Type::sockets_masked);  // its end is seen by poll
  (void)run_.broker.order(BrokerOrder::Type::sockets_judged);
}

// True: one is masked that was not before.
bool Supervisor::judge_sockets(const std::vector<SeenSocket>& seen) {
  std::vector<LaterSocket> sockets;
  for (const SeenSocket& one : seen)
    sockets.push_back({one.path, one.file.get()});
  auto report = ask_for(run_.sandbox, run_.identity, sockets, run_.start_area);
  if (!report) {
    tell_unjudged(report.error());
    return false;
  }
  bool is_new = false;
  for (size_t i = 0; i < sockets.size(); i++) {
    const JudgedSocket& judged = report->judged[i];
    if (!judged.is_hosts) continue;
    std::string name = text::quote(sockets[i].path);
    if (judged.is_connected) {
      lose_run("ended: something inside had connected to " + name +
                   ", a socket that a program outside has made, before it was masked",
               "let such programs make their sockets elsewhere, or before the run");
    }
    if (judged.err == EALREADY) continue;
    if (judged.err != 0)
      lose_run("ended: " + name +
               " is a socket of the host and cannot be masked: " + strerror(judged.err));
    is_new = true;
    if (masked_.size() < kMostTold && masked_.insert(sockets[i].path).second)
      run_.tell(events::Withheld{"a socket that a program outside has made is masked: " + name,
                                 "start such programs inside, or use another folder"});
  }
  return is_new;
}

// A kernel without the list says so; any other failure may be somebody's doing inside.
void Supervisor::tell_unjudged(const Error& error) {
  std::string what = "whose the sockets in the workspace are cannot be told (" + error.text() + ")";
  std::string hint = "load the kernel's list of them: sudo modprobe unix_diag";
  if (error.err != ENOENT) return lose_run("ended: " + what);
  if (run_.strict) return lose_run("ended: " + what + ", and the policy is strict", hint);
  if (!std::exchange(told_unjudged_, true))
    run_.tell(events::Withheld{what + ": those that the host makes now are not masked", hint});
}

}  // namespace ringwall::session
