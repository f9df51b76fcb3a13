#include "terminal/relay.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "base/channel.h"
#include "base/fixed_message.h"
#include "terminal/relay_protocol.h"
#include "terminal/relayed_terminal.h"

namespace ringwall::terminal {
namespace {

class Relay {
 public:
  Relay(int channel, TryActs acts) : channel_(channel), try_acts_(acts) {}

  void run() {
    tell({RelayNotice::Type::ready});
    while (!ended_)
      step();
  }

 private:
  void step() {
    waits_.clear();
    waits_.push_back({channel_, POLLIN, 0});
    int patience = -1;
    for (const auto& terminal : terminals_) {
      terminal->add_waits(waits_);
      if (int theirs = terminal->patience(); theirs >= 0) patience = theirs;
    }
    if (poll(waits_.data(), waits_.size(), patience) < 0 && errno != EINTR) {
      ended_ = true;
      return;
    }
    size_t at = 1;
    for (auto& terminal : terminals_)
      at += terminal->take_events(waits_.data() + at);
    for (auto& terminal : terminals_)
      report(*terminal);
    std::erase_if(terminals_, [&](const auto& terminal) {
      if (!terminal->is_done()) return false;
      terminal->finish_recording();
      report(*terminal);
      tell({RelayNotice::Type::drained, terminal->id()});
      return true;
    });
    // Last: an order adds terminals and viewers, and the waits above follow the old ones.
    if (waits_[0].revents != 0) take_order();
  }

  void report(RelayedTerminal& terminal) {
    for (uint32_t viewer : terminal.take_departed())
      tell({RelayNotice::Type::viewer_gone, terminal.id(), viewer});
    if (auto err = terminal.take_recording_error())
      tell({RelayNotice::Type::recording_failed, terminal.id(), 0, *err});
  }

  void take_order() {
    auto message = channel::receive(channel_);
    auto order = message && !message->bytes.empty() ? parse_order(message->bytes)
                                                    : std::unexpected(Error{"gone"});
    if (!order) {
      ended_ = true;
      return;
    }
    obey(*order, message->fds);
  }

  void obey(const RelayOrder& order, std::vector<Fd>& fds) {
    if (order.type == RelayOrder::Type::try_acts) return try_acts();
    if (order.type == RelayOrder::Type::add_terminal) {
      if (fds.size() != (order.records ? 2u : 1u)) return;
      terminals_.push_back(std::make_unique<RelayedTerminal>(
          order, std::move(fds[0]), order.records ? std::move(fds[1]) : Fd()));
      return;
    }
    auto found = std::ranges::find_if(
        terminals_, [&](const auto& terminal) { return terminal->id() == order.terminal; });
    if (found == terminals_.end()) {
      if (order.type == RelayOrder::Type::end_terminal)
        tell({RelayNotice::Type::drained, order.terminal});
      return;
    }
    if (order.type == RelayOrder::Type::add_viewer && fds.size() == 2)
      (*found)->add_viewer(order, std::move(fds[0]), std::move(fds[1]));
    if (order.type == RelayOrder::Type::drop_viewer) (*found)->drop_viewer(order.viewer);
    if (order.type == RelayOrder::Type::end_terminal) (*found)->end();
  }

  void try_acts() {
    for (const TriedAct& act : try_acts_()) {
      RelayNotice notice{RelayNotice::Type::act, 0, 0, act.err};
      snprintf(notice.text, sizeof notice.text, "%.*s", static_cast<int>(act.name.size()),
               act.name.data());
      tell(notice);
    }
    tell({RelayNotice::Type::acts_done});
  }

  // The supervisor reads what we say; if it does not, it is gone, and we with it.
  void tell(const RelayNotice& notice) {
    if (!channel::send(channel_, fixed::bytes_of(notice))) ended_ = true;
  }

  int channel_;
  TryActs try_acts_;
  std::vector<std::unique_ptr<RelayedTerminal>> terminals_;
  std::vector<pollfd> waits_;
  bool ended_ = false;
};

}  // namespace

void run_relay(int channel, TryActs try_acts) { Relay(channel, try_acts).run(); }

}  // namespace ringwall::terminal
