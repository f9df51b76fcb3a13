#include "broker/broker_line.h"

#include <poll.h>

#include "base/channel.h"
#include "base/clock.h"
#include "base/fixed_message.h"

namespace ringwall::broker {
namespace {

constexpr int kAnswerPatience = 15000;  // milliseconds; longer than those who are asked have

}  // namespace

void BrokerLine::say(const BrokerNotice& notice, std::span<const int> fds) {
  if (!channel::send(channel_, fixed::bytes_of(notice), fds)) ended_ = true;
}

void BrokerLine::say_last(const BrokerNotice& notice) {
  say(notice);
  ended_ = true;
  channel::wait_until_closed(channel_);
}

void BrokerLine::say_tried(const std::vector<TriedAct>& acts) {
  for (const TriedAct& act : acts)
    say(notice_of(BrokerNotice::Type::act, "", act.name, act.err));
  say({BrokerNotice::Type::acts_done});
}

bool BrokerLine::has_order() const {
  if (put_off_acts_) return true;
  pollfd waits{channel_, POLLIN, 0};
  return poll(&waits, 1, 0) > 0;
}

bool BrokerLine::is_asked() const {
  pollfd waits{desk_, POLLIN, 0};
  return poll(&waits, 1, 0) > 0;
}

void BrokerLine::nap() const {
  constexpr timespec kNap{0, 500'000};
  pollfd waits[] = {{channel_, POLLIN, 0}, {desk_, POLLIN, 0}};
  ppoll(waits, 2, &kNap, nullptr);
}

Result<BrokerOrder> BrokerLine::receive() {
  if (std::exchange(put_off_acts_, false)) return BrokerOrder{BrokerOrder::Type::try_acts};
  return read_order();
}

Result<BrokerOrder> BrokerLine::read_order() {
  auto message = channel::receive(channel_);
  if (!message || message->bytes.empty()) {
    ended_ = true;
    return fail("the supervisor is gone");
  }
  auto order = parse_broker_order(message->bytes);
  if (!order) ended_ = true;
  if (order && order->type == BrokerOrder::Type::goes_on) calls_.goes_on();
  if (order && order->type == BrokerOrder::Type::sockets_masked) has_masked_ = true;
  return order;
}

void BrokerLine::ask_to_stop() {
  say({BrokerNotice::Type::freeze});
  is_frozen_ = false;
}

void BrokerLine::ask_to_cover(const std::string& path, bool is_hidden) {
  say(notice_of(BrokerNotice::Type::replaced, path, "", is_hidden ? 1 : 0));
  wait_for(BrokerOrder::Type::renewed);
}

void BrokerLine::wait_for(BrokerOrder::Type wanted) {
  int64_t deadline = clock::monotonic() + int64_t{kAnswerPatience} * 1'000'000;
  while (!ended_ && !wants_sweep_) {
    if (wanted == BrokerOrder::Type::frozen && is_frozen_) return;
    int64_t left = (deadline - clock::monotonic()) / 1'000'000;
    pollfd waits[] = {{channel_, POLLIN, 0}, {desk_, POLLIN, 0}};
    if (left <= 0 || poll(waits, 2, static_cast<int>(left)) <= 0)
      return say({BrokerNotice::Type::restless});
    if (waits[1].revents != 0) calls_.asked();
    if (waits[0].revents == 0) continue;
    auto order = read_order();
    if (order && order->type == BrokerOrder::Type::frozen) is_frozen_ = true;
    if (order && order->type == wanted) return;
    if (order && order->type == BrokerOrder::Type::sweep) wants_sweep_ = true;
    if (order && order->type == BrokerOrder::Type::try_acts) put_off_acts_ = true;
  }
}

}  // namespace ringwall::broker
