// The supervisor's desk for the network: decides over each connection and each name that the relay
// asks for, has names resolved, judges every address that comes back, dials the very address it has
// judged, and hands the connected socket to the relay. Nothing here waits.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/outbox.h"
#include "base/result.h"
#include "desks/name_lookup.h"
#include "desks/network_ledger.h"
#include "desks/waiting_requests.h"
#include "events/event.h"
#include "net/dialer.h"
#include "net/egress.h"
#include "net/relay_protocol.h"
#include "processes/helper_process.h"
#include "sandbox/network.h"

namespace ringwall::desks {

// A proxy that everything goes through.
struct Upstream {
  std::string host;
  uint16_t port = 0;
  std::string authorization;  // "Basic …", or empty
};

struct NetworkRequest {
  net::EgressRules rules;
  uint64_t most_to_name = UINT64_MAX;  // bytes that may be sent out
  uint64_t most_in_all = UINT64_MAX;
  uint64_t most_names_below = UINT64_MAX;  // of one wildcard
  std::optional<Upstream> upstream;
  bool is_off = false;   // the person wants no network
  bool learns = false;   // names that no rule covers are refused when their port is known
  bool asks = false;     // what no rule covers waits for the person
  int64_t patience = 0;  // nanoseconds that it waits
};

class NetworkDesk {
 public:
  // Returns while the relay puts up its walls.
  static Result<std::unique_ptr<NetworkDesk>> start(NetworkRequest request,
                                                    std::span<char> start_area);
  // The sandbox stands: what arrives at its sockets goes to the relay.
  Status open(sandbox::WallSockets& sockets, std::string run, pid_t init, EventWays ways);

  // The wall came later.
  Status take_sockets(sandbox::WallSockets& sockets);

  int fd() const { return epoll_.get(); }
  int64_t next_deadline() const;
  // An error: a helper is gone, and the run has to end.
  Status step();

  // Two connected sockets, of which one leads inside: the relay moves their bytes.
  Status join(Fd inside, Fd outside);

  // Nobody inside is left: what they have sent is to be passed on, and what the kernel has refused
  // is told. `has_finished` when it was.
  Status finish();
  bool has_finished() const { return has_finished_; }

  // Has its helpers try what they must not be able to do; gives how many were asked.
  int try_acts();
  using TakeAct =
      std::function<void(std::string_view helper, std::string_view act, int err, bool done)>;
  void take_acts_by(TakeAct take) { take_act_ = std::move(take); }

  const NetworkLedger& ledger() const { return ledger_; }
  void tell_sent() { ledger_.tell_sent(); }
  events::NetworkUse describe_use() const;
  const net::EgressRules& rules() const { return request_.rules; }
  const std::vector<WaitingRequest>& waiting() const { return waiting_.all(); }

  // Changes by the person, while it goes on. A grant can end (on the monotonic clock; 0: with the
  // run); a denial ends what is open, and no grant undoes it.
  void allow(const policy::HostPattern& pattern, int64_t until);
  void deny(const policy::HostPattern& pattern);
  // The person's answer; `until` as above, nothing: for these connections alone. False if nothing
  // waits under that number.
  std::optional<WaitingRequest> approve(uint64_t id, std::optional<int64_t> until);
  std::optional<WaitingRequest> reject(uint64_t id, bool for_the_run);

  // By the level that the run's risk has reached. Of what was approved by the person alone, the
  // first refuses nothing.
  void only_known(bool only_known) { only_known_ = only_known; }
  // Everything that is open ends, and nothing more is reached.
  void cut(bool is_cut);

  void end();

 private:
  struct Pending {
    net::Destination to;
    net::Asker asker;
    std::string rule = {};  // that granted it
    bool is_approved = false;
    bool is_expected = false;  // a profile names it
  };

  NetworkDesk(NetworkRequest request, std::span<char> start_area);

  Status take_relay_notices();
  void take_relay_notice(const net::RelayNotice& notice);
  void take_name(const net::RelayNotice& notice);
  void take_connection(const net::RelayNotice& notice);
  void connect_by_name(uint32_t id, const std::string& name, uint16_t port);
  void connect_by_address(uint32_t id, const net::Destination& to);
  bool counts_below(const net::EgressRule& rule, const std::string& name);

  void take_resolved(uint32_t id, const std::string& name, int error,
                     const std::vector<net::Address>& addresses);
  void dial_resolved(uint32_t id, const std::string& name,
                     const std::vector<net::Address>& addresses);
  void take_dialled(uint32_t id, Result<Fd> connected);

  void answer_name(uint32_t id, bool is_exact);
  void tell_not_reached(uint32_t id, const std::string& why, bool proxy_has_spoken = false);
  void answer(uint32_t id, net::RelayOrder::Verdict verdict, const std::string& why, Fd fd = {});
  void refuse(uint32_t id, const std::string& why, const std::string& advice = {});
  static bool is_approved(const Pending& pending, const net::Decision& decision);
  // By no rule: waits for the person if one is asked.
  void refuse_or_ask(uint32_t id, const net::Decision& decision);
  // network_desk_risk.cc: true if it was refused.
  bool refuse_by_risk(uint32_t id);
  // network_changes.cc: denied since it was asked for, by its name or by whom it leads to.
  bool refuse_if_denied(uint32_t id, const std::optional<net::Address>& peer);
  static void note_rule(Pending& pending, const net::Decision& decision);
  void refuse_unanswered(int64_t now);
  void forget(uint32_t id);
  void take_half_closed(uint32_t id);
  void forget_who_left(int64_t now);
  void end_grants(int64_t now);
  // network_desk_reports.cc
  void tell_of_relay(const net::RelayNotice& notice);
  void tell_of_kernel(const net::RelayNotice& notice);
  // What the kernel has refused since this was asked last.
  Status ask_kernel();
  Status send(const net::RelayOrder& order, std::vector<Fd> fds = {});
  bool watch(int fd, uint32_t tag, uint32_t events);

  NetworkRequest request_;
  NetworkLedger ledger_;
  WaitingRequests waiting_;
  std::set<uint32_t> half_closed_;                               // of those that wait
  int64_t last_look_ = 0;                                        // whether anybody still holds them
  int64_t next_look_ = 0;                                        // 0: none
  std::vector<std::pair<int64_t, policy::HostPattern>> ending_;  // grants, and when they end
  TakeAct take_act_;
  Fd epoll_;
  Fd rules_;  // of the sandbox's netfilter
  processes::HelperLink relay_;
  channel::Outbox to_relay_;
  bool waits_for_room_ = false;
  bool has_finished_ = false;
  static constexpr int64_t kBetweenKernelLooks = 2'000'000'000;  // nanoseconds
  int64_t kernel_asked_ = 0;                                     // 0: there is nothing to ask
  std::map<std::string, uint64_t> kernel_told_;
  bool only_known_ = false;
  bool is_cut_ = false;
  NameLookup lookup_;
  net::Dialer dialer_;
  std::map<uint32_t, Pending> pending_;
  std::map<std::string, std::set<std::string>> names_below_;  // a wildcard, what was asked below it
};

}  // namespace ringwall::desks
