#include "session/relay_link.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <utility>

#include "base/channel.h"
#include "base/fixed_message.h"
#include "policy/numbers.h"
#include "processes/helper_process.h"
#include "sandbox/helper_walls.h"
#include "sandbox/wall.h"
#include "terminal/recording.h"
#include "terminal/relay.h"

namespace ringwall::session {

events::Event describe_end_of_recording(const std::string& run,
                                        const RelayedTerminalRequest& terminal, int err) {
  if (err == terminal::kRecordingIsFull) {
    std::string most = policy::show_number(policy::Shape::size, terminal.most_recorded);
    return events::LimitReached{run, "recording", events::LimitReached::Then::refused,
                                "has filled its recording, which ends here: it may have " + most,
                                "--cast-size"};
  }
  return events::Withheld{
      "the recording ends here: it cannot be written (" + std::string(strerror(err)) + ")",
      "see whether the disk is full"};
}

RelayLink::RelayLink(RelayLink&& other) noexcept
    : channel_(std::move(other.channel_)), pid_(std::exchange(other.pid_, -1)) {}

RelayLink& RelayLink::operator=(RelayLink&& other) noexcept {
  std::swap(channel_, other.channel_);
  std::swap(pid_, other.pid_);
  return *this;
}

RelayLink::~RelayLink() { end(); }

Result<RelayLink> RelayLink::start(std::span<char> start_area) {
  TRY_ASSIGN(channel::Pair pair, channel::make_pair());
  RelayLink link;
  TRY_ASSIGN(link.pid_, processes::start_helper({"ringwall-relay", start_area, {pair.theirs.get()}},
                                                [](std::span<const int> kept) {
                                                  terminal::run_relay(kept[0],
                                                                      sandbox::try_forbidden_acts);
                                                  _exit(0);
                                                }));
  link.channel_ = std::move(pair.ours);
  return link;
}

Status RelayLink::wait_until_ready() {
  auto first = receive();
  if (first && first->type == terminal::RelayNotice::Type::ready) return {};
  return fail("the relay ended before its walls stood");
}

Status RelayLink::send(const terminal::RelayOrder& order, std::span<const int> fds) {
  return channel::send(channel_.get(), fixed::bytes_of(order), fds, MSG_DONTWAIT);
}

Status RelayLink::add_terminal(const RelayedTerminalRequest& request, int near_side) {
  terminal::RelayOrder order{terminal::RelayOrder::Type::add_terminal, request.id};
  order.size = request.size;
  order.utf8 = request.utf8;
  order.filtered = !sandbox::is_taken_away(sandbox::Wall::terminal_filter);
  order.clipboard_write = request.clipboard_write;
  order.awaits_viewer = request.awaits_viewer;
  order.records = request.recording >= 0;
  order.most_recorded = request.most_recorded;
  snprintf(order.title, sizeof order.title, "%s", request.title.c_str());
  snprintf(order.term, sizeof order.term, "%s", request.term.c_str());
  snprintf(order.shell, sizeof order.shell, "%s", request.shell.c_str());
  int fds[] = {near_side, request.recording};
  return send(order, {fds, order.records ? 2u : 1u});
}

Status RelayLink::add_viewer(const NewViewer& viewer) {
  terminal::RelayOrder order{terminal::RelayOrder::Type::add_viewer, viewer.terminal, viewer.id,
                             viewer.size, viewer.interactive};
  order.utf8 = viewer.utf8;
  int fds[] = {viewer.socket, viewer.output};
  return send(order, fds);
}

Status RelayLink::drop_viewer(uint32_t terminal, uint32_t viewer) {
  return send({terminal::RelayOrder::Type::drop_viewer, terminal, viewer});
}

Status RelayLink::end_terminal(uint32_t terminal) {
  return send({terminal::RelayOrder::Type::end_terminal, terminal});
}

Status RelayLink::try_acts() { return send({terminal::RelayOrder::Type::try_acts}); }

Result<terminal::RelayNotice> RelayLink::receive() {
  TRY_ASSIGN(channel::Message message, channel::receive(channel_.get()));
  if (message.bytes.empty()) return fail("the relay is gone");
  return terminal::parse_notice(message.bytes);
}

void RelayLink::end() {
  channel_.close();
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(std::exchange(pid_, -1), nullptr, 0);
}

}  // namespace ringwall::session
