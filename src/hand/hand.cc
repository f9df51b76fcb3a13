#include "hand/hand.h"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdio>

#include "base/channel.h"
#include "base/fixed_message.h"
#include "hand/hand_mounts.h"
#include "hand/hand_protocol.h"
#include "hand/hand_renames.h"
#include "hand/hand_walls.h"

namespace ringwall::hand {
namespace {

class Hand {
 public:
  explicit Hand(HandInputs inputs)
      : in_(std::move(inputs)),
        wanted_({in_.processes, in_.mask, std::move(in_.trees), in_.wanted}),
        renames_({calls::RenameListener(Fd(in_.renames)), in_.processes, Fd(in_.broker),
                  in_.configs, in_.wanted.empty() ? nullptr : &wanted_},
                 [this](uint32_t config, const char* text) { tell_refusal(config, text); }) {}

  void run() {
    tell({HandNotice::Type::ready});
    while (!ended_)
      step();
  }

 private:
  void step() {
    pollfd waits[] = {
        {renames_.listener(), POLLIN, 0}, {in_.channel, POLLIN, 0}, {renames_.broker(), POLLIN, 0}};
    if (poll(waits, 3, -1) < 0 && errno != EINTR) {
      ended_ = true;
      return;
    }
    if (waits[0].revents != 0) renames_.take_rename((waits[0].revents & POLLHUP) != 0);
    if (waits[2].revents != 0) renames_.take_answer();
    if (waits[1].revents != 0) take_order();
  }

  void take_order() {
    auto message = channel::receive(in_.channel);
    auto order = message && !message->bytes.empty() ? parse_hand_order(message->bytes)
                                                    : std::unexpected(Error{"gone"});
    if (!order) {
      ended_ = true;
      return;
    }
    if (order->type == HandOrder::Type::try_acts) return try_acts();
    tell({HandNotice::Type::renewed, order->id, renew(*order)});
  }

  int renew(const HandOrder& order) {
    if (order.type == HandOrder::Type::renew_read_only) return renew_read_only(order.path);
    if (in_.mask < 0) return EBADF;
    if (order.type == HandOrder::Type::renew_mask) return renew_mask(order.path, in_.mask);
    return in_.behind < 0 ? EBADF : renew_pin(in_.behind, order.path, in_.mask);
  }

  void try_acts() {
    for (const TriedAct& act : try_acts_forbidden_to_hand(in_.processes, in_.supervisor)) {
      HandNotice notice{HandNotice::Type::act, 0, act.err};
      snprintf(notice.text, sizeof notice.text, "%.*s", static_cast<int>(act.name.size()),
               act.name.data());
      tell(notice);
    }
    tell({HandNotice::Type::acts_done});
  }

  // The agent can have as many refused as it likes: never wait for the supervisor to read them.
  void tell_refusal(uint32_t config, const char* text) {
    HandNotice notice{HandNotice::Type::refused_update, config};
    snprintf(notice.text, sizeof notice.text, "%s", text);
    (void)channel::send(in_.channel, fixed::bytes_of(notice), {}, MSG_DONTWAIT);
  }

  void tell(const HandNotice& notice) {
    if (!channel::send(in_.channel, fixed::bytes_of(notice))) ended_ = true;
  }

  HandInputs in_;
  WantedFiles wanted_;
  CaughtRenames renames_;
  bool ended_ = false;
};

}  // namespace

void run_hand(HandInputs inputs) { Hand(std::move(inputs)).run(); }

}  // namespace ringwall::hand
