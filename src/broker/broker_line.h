// The broker's end of the channel to the supervisor.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/tried_act.h"
#include "broker/broker_protocol.h"

namespace ringwall::broker {

class BrokerLine {
 public:
  struct Calls {
    std::function<void()> asked;    // something came to the desk
    std::function<void()> goes_on;  // that was ordered
  };
  // Who waits for an answer at the desk cannot stand still before it has come, so the desk is
  // served while we wait.
  BrokerLine(int channel, int desk, Calls calls)
      : channel_(channel), desk_(desk), calls_(std::move(calls)) {}

  int fd() const { return channel_; }
  void say(const BrokerNotice& notice, std::span<const int> fds = {});
  // Returns when the supervisor needs us no more.
  void say_last(const BrokerNotice& notice);
  void say_tried(const std::vector<TriedAct>& acts);
  bool has_order() const;
  bool is_asked() const;  // something, at the desk
  Result<BrokerOrder> receive();
  // Half a millisecond, unless somebody orders or asks something.
  void nap() const;
  bool has_put_off() const { return put_off_acts_; }  // an order that came while we waited

  // Asks to stop everything inside, and does not wait.
  void ask_to_stop();
  void wait_until_all_stand() { wait_for(BrokerOrder::Type::frozen); }
  void stop_all() {
    ask_to_stop();
    wait_until_all_stand();
  }
  // Waits until what lies there is covered inside.
  void ask_to_cover(const std::string& path, bool is_hidden);
  // When everything inside is gone, there is nobody to wait for.
  void wait_for(BrokerOrder::Type wanted);

  bool wants_sweep() const { return wants_sweep_; }  // it was asked for while we waited
  bool take_masked() { return std::exchange(has_masked_, false); }  // a socket, meanwhile
  bool has_ended() const { return ended_; }
  void end() { ended_ = true; }

 private:
  Result<BrokerOrder> read_order();

  int channel_;
  int desk_;
  Calls calls_;
  bool has_masked_ = false;
  bool put_off_acts_ = false;
  bool is_frozen_ = false;
  bool wants_sweep_ = false;
  bool ended_ = false;
};

}  // namespace ringwall::broker
