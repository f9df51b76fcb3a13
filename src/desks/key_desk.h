// The supervisor's desk for logins: connects the key keeper to the person's ssh-agent, and fetches
// credentials of granted hosts from the person's own git.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/outbox.h"
#include "base/result.h"
#include "desks/git_push.h"
#include "events/event.h"
#include "net/egress.h"
#include "net/key_keeper.h"
#include "processes/helper_process.h"

namespace ringwall::desks {

class KeyDesk {
 public:
  KeyDesk() = default;
  using Tell = std::function<void(const events::Event&)>;

  // The keeper's walls stand when it returns; it answers at these sockets from then on.
  static Result<std::unique_ptr<KeyDesk>> start(const PlannedPush& push, net::EgressRules rules,
                                                std::span<Fd> sockets, std::span<char> start_area,
                                                std::string run, Tell tell);

  int fd() const { return epoll_.get(); }
  // An error: the keeper is gone.
  Status step();

  // What the person grants now: a host that was denied since the start gets no login any more. One
  // that was granted since has never had one here.
  void follow(const net::EgressRules& now);

  Status try_acts();
  using TakeAct = std::function<void(std::string_view act, int err, bool done)>;
  void take_acts_by(TakeAct take) { take_act_ = std::move(take); }

  void end();

 private:
  struct Fetching {
    processes::HelperLink process;  // that asks git, and says what it heard
    uint32_t visitor = 0;
    std::string host;
  };

  Status take_notice();
  void connect_to_agent(uint32_t visitor);
  void fetch_credential(uint32_t visitor, const std::string& host);
  void take_credential(uint32_t id);
  bool may_log_in(const std::string& host, uint16_t port) const;
  bool may_have_credential(const std::string& host) const;
  Status send(const net::KeeperOrder& order, std::vector<Fd> fds = {});

  std::string agent_;
  std::vector<std::string> variables_;  // for git outside
  net::EgressRules rules_;              // at the start
  net::EgressRules now_;
  std::vector<PlannedPush::KnownHost> key_hosts_;
  std::vector<bool> was_granted_;  // each of those, when the keeper was told last
  std::span<char> start_area_;
  std::string run_;
  Tell tell_;
  TakeAct take_act_;
  Fd epoll_;
  processes::HelperLink keeper_;
  channel::Outbox outbox_;
  std::map<uint32_t, Fetching> fetching_;
  uint32_t next_ = 1;
  size_t told_ = 0;
};

}  // namespace ringwall::desks
