#include "desks/network_desk.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/channel.h"
#include "base/clock.h"
#include "base/epoll.h"
#include "base/fixed_message.h"
#include "base/text.h"
#include "desks/destination_text.h"
#include "net/kernel_refusals.h"
#include "net/own_networks.h"
#include "net/relay.h"
#include "policy/hosts.h"
#include "sandbox/wall.h"

namespace ringwall::desks {
namespace {

using net::Address;
using net::Destination;
using net::RelayNotice;
using net::RelayOrder;
using sandbox::is_taken_away;
using sandbox::Wall;

// What an event of epoll is about.
enum Tag : uint32_t { kRelay, kResolver, kDialler };

constexpr size_t kMostAtOnce = 128;          // notices of the relay, before others get their turn
constexpr size_t kMostConnections = 16'384;  // each takes a little of our memory, and two sockets
// Of the relay, beside its connections: pipes, those who ask for names by TCP, its own.
constexpr rlim_t kOtherDescriptors = 2 * 192 + 256 + 64;
constexpr rlim_t kMostDescriptors = 2 * kMostConnections + kOtherDescriptors;

// As many descriptors as this user may have: each connection takes two. What runs inside has limits
// of its own.
rlim_t raise_descriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return 1024;
  rlimit raised = limit;
  raised.rlim_cur = std::max(limit.rlim_cur, std::min(limit.rlim_max, kMostDescriptors));
  return setrlimit(RLIMIT_NOFILE, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur;
}

size_t count_connections(rlim_t descriptors) {
  rlim_t free = descriptors - std::min(kOtherDescriptors, descriptors / 4 * 3);
  return std::min<size_t>(free / 2, kMostConnections);
}

}  // namespace

NetworkDesk::NetworkDesk(NetworkRequest request, std::span<char> start_area)
    : request_(std::move(request)),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      lookup_(
          start_area, [this](int fd) { return watch(fd, kResolver, EPOLLIN); },
          [this](uint32_t id, const std::string& name, int error,
                 const std::vector<Address>& addresses) {
            take_resolved(id, name, error, addresses);
          }),
      dialer_(epoll_.get(), kDialler,
              [this](uint32_t id, Result<Fd> fd) { take_dialled(id, std::move(fd)); }) {}

Result<std::unique_ptr<NetworkDesk>> NetworkDesk::start(NetworkRequest request,
                                                        std::span<char> start_area) {
  std::unique_ptr<NetworkDesk> desk(new NetworkDesk(std::move(request), start_area));
  if (!desk->epoll_) return fail_errno("cannot watch the network");
  size_t most = count_connections(raise_descriptors());
  TRY_ASSIGN(channel::Pair pair, channel::make_pair());
  processes::HelperRequest helper{
      "ringwall-network", start_area, {pair.theirs.get()}, sandbox::Helper::network_relay};
  TRY_ASSIGN(desk->relay_.pid,
             processes::start_helper(std::move(helper), [&](std::span<const int> kept) {
               net::run_relay({kept[0], most, sandbox::try_forbidden_acts});
               _exit(0);
             }));
  desk->relay_.channel = std::move(pair.ours);
  desk->to_relay_ = channel::Outbox(desk->relay_.channel.get());
  return desk;
}

bool NetworkDesk::watch(int fd, uint32_t tag, uint32_t events) {
  return epoll::add(epoll_.get(), fd, static_cast<uint64_t>(tag) << 32, events);
}

Status NetworkDesk::open(sandbox::WallSockets& sockets, std::string run, pid_t init,
                         EventWays ways) {
  ledger_.open(std::move(run), init, std::move(ways));
  if (request_.learns) ledger_.keep_quiet_of_more();
  auto first = channel::receive(relay_.channel.get());
  auto ready = first ? net::parse_relay_notice(first->bytes) : std::unexpected(first.error());
  if (!ready || ready->type != RelayNotice::Type::ready)
    return fail("the network relay ended before its walls stood");
  if (!watch(relay_.channel.get(), kRelay, EPOLLIN)) return fail_errno("cannot watch the network");
  return take_sockets(sockets);
}

Status NetworkDesk::take_sockets(sandbox::WallSockets& sockets) {
  RelayOrder order{RelayOrder::Type::sockets};
  order.most_to_name = request_.most_to_name;
  order.most_in_all = request_.most_in_all;
  order.checks_names = !is_taken_away(Wall::network_names);
  rules_ = std::move(sockets[sandbox::kRules]);
  if (rules_) kernel_asked_ = clock::monotonic();
  std::vector<int> fds;
  for (size_t i = 0; i < sockets.size(); i++) {
    if (!sockets[i]) continue;
    order.value |= 1u << i;
    fds.push_back(sockets[i].get());
  }
  return channel::send(relay_.channel.get(), fixed::bytes_of(order), fds);
}

Status NetworkDesk::send(const RelayOrder& order, std::vector<Fd> fds) {
  return to_relay_.send(fixed::bytes_of(order), std::move(fds));
}

Status NetworkDesk::join(Fd inside, Fd outside) {
  std::vector<Fd> both;
  both.push_back(std::move(inside));
  both.push_back(std::move(outside));
  return send({RelayOrder::Type::join}, std::move(both));
}

Status NetworkDesk::finish() {
  TRY(ask_kernel());
  return send({RelayOrder::Type::finish});
}

int NetworkDesk::try_acts() {
  int asked = send({RelayOrder::Type::try_acts}) ? 1 : 0;
  return lookup_.try_acts() ? asked + 1 : asked;
}

Status NetworkDesk::step() {
  epoll_event events[64];
  int count = epoll_wait(epoll_.get(), events, std::size(events), 0);
  for (int i = 0; i < count; i++) {
    auto tag = static_cast<uint32_t>(events[i].data.u64 >> 32);
    auto id = static_cast<uint32_t>(events[i].data.u64);
    if (tag == kRelay && (events[i].events & ~EPOLLOUT) != 0) TRY(take_relay_notices());
    if (tag == kResolver) {
      TRY(lookup_.take_notice([this](std::string_view act, int err, bool done) {
        if (take_act_) take_act_("resolver", act, err, done);
      }));
    }
    if (tag == kDialler) dialer_.take_event(id);
  }
  int64_t now = clock::monotonic();
  dialer_.end_slow_ones(now);
  forget_who_left(now);
  refuse_unanswered(now);
  end_grants(now);
  if (kernel_asked_ != 0 && now >= kernel_asked_ + kBetweenKernelLooks) TRY(ask_kernel());
  TRY(to_relay_.flush());
  TRY(lookup_.flush());
  if (waits_for_room_ == to_relay_.is_empty()) {
    waits_for_room_ = !to_relay_.is_empty();
    // No further question is taken before the answers are: neither side piles up what it says.
    (void)epoll::change(epoll_.get(), relay_.channel.get(), static_cast<uint64_t>(kRelay) << 32,
                        waits_for_room_ ? EPOLLOUT : EPOLLIN);
  }
  return {};
}

// Many at once, since a program can ask and leave faster than we can look at each for itself: who
// has left already is not asked for any more.
Status NetworkDesk::take_relay_notices() {
  std::vector<RelayNotice> notices;
  std::set<uint32_t> left;
  Status lives;
  while (notices.size() < kMostAtOnce) {
    auto message = channel::receive(relay_.channel.get(), MSG_DONTWAIT);
    if (!message && message.error().err == EAGAIN) break;
    auto notice = message && !message->bytes.empty() ? net::parse_relay_notice(message->bytes)
                                                     : std::unexpected(Error{"gone"});
    if (!notice) {
      lives = fail("the network relay ended unexpectedly");
      break;
    }
    if (notice->type == RelayNotice::Type::left) left.insert(notice->id);
    notices.push_back(*notice);
  }
  for (const RelayNotice& notice : notices) {
    bool is_moot = notice.type == RelayNotice::Type::connection && left.contains(notice.id);
    if (!is_moot) take_relay_notice(notice);
  }
  return lives;
}

void NetworkDesk::take_relay_notice(const RelayNotice& notice) {
  switch (notice.type) {
    case RelayNotice::Type::name:
      return take_name(notice);
    case RelayNotice::Type::connection:
      return take_connection(notice);
    case RelayNotice::Type::left:
      return forget(notice.id);
    case RelayNotice::Type::half_closed:
      return take_half_closed(notice.id);
    case RelayNotice::Type::refused:
      return tell_of_relay(notice);
    case RelayNotice::Type::closed:
      return ledger_.closed(notice.id, notice.bytes);
    case RelayNotice::Type::sent:
      return ledger_.sent(notice.id, notice.bytes);
    case RelayNotice::Type::refused_by_kernel:
      return tell_of_kernel(notice);
    case RelayNotice::Type::act:
    case RelayNotice::Type::acts_done:
      if (take_act_)
        take_act_("network relay", notice.why, notice.value,
                  notice.type == RelayNotice::Type::acts_done);
      return;
    case RelayNotice::Type::finished:
      has_finished_ = true;
      return;
    case RelayNotice::Type::ready:
      return;
  }
}

// Does the name exist, for somebody inside? Nothing is looked up: that waits for a connection.
void NetworkDesk::take_name(const RelayNotice& notice) {
  auto name = policy::parse_host_name(notice.to.name);
  net::Decision decision =
      name ? net::decide_name(request_.rules, *name) : net::Decision{false, name.error().what};
  // Where a person is asked, the connection is what waits: it has a port. So it is with learning,
  // which notes those names too that nobody connects to.
  bool is_open = name && decision.by == nullptr;
  bool yes = decision.granted || (is_open && (request_.asks || request_.learns)) ||
             is_taken_away(Wall::network_names);
  if (is_open && !decision.granted && request_.learns)
    ledger_.refused(notice.to, notice.asker, decision.why, advise_grant(notice.to));
  pending_[notice.id] = {notice.to, notice.asker};
  bool is_exact = decision.granted && decision.by != nullptr &&
                  decision.by->pattern.kind == policy::HostPattern::Kind::name;
  if (yes) return answer_name(notice.id, is_exact);
  refuse(notice.id, decision.why, decision.by == nullptr ? advise_grant(notice.to) : "");
}

void NetworkDesk::answer_name(uint32_t id, bool is_exact) {
  pending_.erase(id);
  RelayOrder order{RelayOrder::Type::answer, RelayOrder::Verdict::yes, id};
  order.value = is_exact ? 1 : 0;
  (void)send(order);  // its end is seen when it is read from
}

void NetworkDesk::take_connection(const RelayNotice& notice) {
  pending_[notice.id] = {notice.to, notice.asker};
  if (notice.to.name[0] == '\0') return connect_by_address(notice.id, notice.to);
  auto name = policy::parse_host_name(notice.to.name);
  if (!name) return refuse(notice.id, "is no name of a host: it " + name.error().what);
  connect_by_name(notice.id, *name, notice.to.port);
}

// True if there is room for one more name under the wildcard: each carries what its writer likes.
bool NetworkDesk::counts_below(const net::EgressRule& rule, const std::string& name) {
  if (rule.pattern.kind != policy::HostPattern::Kind::below) return true;
  std::set<std::string>& names = names_below_[rule.pattern.text()];
  if (names.contains(name)) return true;
  if (names.size() >= request_.most_names_below) return false;
  names.insert(name);
  return true;
}

// By the person. A rule that denies it holds all the same.
bool NetworkDesk::is_approved(const Pending& pending, const net::Decision& decision) {
  return pending.is_approved && decision.by == nullptr;
}

void NetworkDesk::connect_by_name(uint32_t id, const std::string& name, uint16_t port) {
  net::Decision decision = net::decide(request_.rules, name, port);
  bool checks = !is_taken_away(Wall::network_names);
  Pending& pending = pending_[id];
  if (!decision.granted && checks && !is_approved(pending, decision))
    return refuse_or_ask(id, decision);
  if (refuse_by_risk(id)) return;
  note_rule(pending, decision);
  if (checks && decision.by != nullptr && !counts_below(*decision.by, name)) {
    return refuse(id,
                  "more than " + std::to_string(request_.most_names_below) +
                      " names were asked for below " + decision.by->pattern.text(),
                  "raise it: ringwall run --wildcard-names NUMBER …");
  }
  // The proxy resolves what it is asked for; here only its own name is.
  if (request_.upstream) return lookup_.ask(id, request_.upstream->host, {});
  bool by_wildcard =
      decision.by != nullptr && decision.by->pattern.kind == policy::HostPattern::Kind::below;
  lookup_.ask(id, name, by_wildcard ? decision.by->pattern.text() : std::string());
}

void NetworkDesk::connect_by_address(uint32_t id, const Destination& to) {
  Address address = address_of(to);
  auto own = net::read_own_networks();
  if (!own) return answer(id, RelayOrder::Verdict::unreachable, own.error().text());
  net::Decision decision = net::decide_address(request_.rules, address, to.port, *own);
  Pending& pending = pending_[id];
  if (!decision.granted && !is_approved(pending, decision)) return refuse_or_ask(id, decision);
  if (refuse_by_risk(id)) return;
  note_rule(pending, decision);
  if (net::is_loopback(address)) pending.is_expected = true;  // it stays on this machine
  if (net::is_loopback(address)) return dialer_.dial(id, {net::loopback_addresses(), to.port, {}});
  if (request_.upstream)
    return refuse(id, "addresses are not reached through the upstream proxy, only names");
  dialer_.dial(id, {{address}, to.port, {}});
}

void NetworkDesk::take_resolved(uint32_t id, const std::string& name, int error,
                                const std::vector<Address>& addresses) {
  if (!pending_.contains(id) || refuse_if_denied(id, {})) return;
  if (error == 0 && !addresses.empty()) return dial_resolved(id, name, addresses);
  std::string why = error == 0 ? "has no address" : gai_strerror(error);
  tell_not_reached(
      id, (request_.upstream ? "the proxy " + name : "its name") + " cannot be resolved: " + why);
  answer(id, RelayOrder::Verdict::unreachable, name + " cannot be resolved: " + why);
}

void NetworkDesk::dial_resolved(uint32_t id, const std::string& name,
                                const std::vector<Address>& addresses) {
  const Destination to = pending_[id].to;
  if (request_.upstream) {
    std::string target = std::string(to.name) + ":" + std::to_string(to.port);
    std::string request = "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n";
    if (!request_.upstream->authorization.empty())
      request += "Proxy-Authorization: " + request_.upstream->authorization + "\r\n";
    return dialer_.dial(id, {addresses, request_.upstream->port, request + "\r\n"});
  }
  auto own = net::read_own_networks();
  if (!own) return answer(id, RelayOrder::Verdict::unreachable, own.error().text());
  bool may_be_private = net::may_be_private(request_.rules, name);
  for (const Address& address : addresses) {
    net::Decision decision = net::judge_denials(request_.rules, address, to.port);
    if (decision.granted) decision = net::judge_resolved(address, *own, may_be_private);
    if (decision.granted || is_taken_away(Wall::network_addresses)) continue;
    std::string advice;
    bool would_help = !may_be_private && decision.by == nullptr &&
                      net::judge_resolved(address, *own, true).granted;
    if (would_help)
      advice = "if it is a host of yours: ringwall run --private " + text::quote(name) + " …";
    if (net::is_loopback(address) && decision.by == nullptr)
      advice = advise_grant(destination_of(address, to.port));
    return refuse(id, decision.why, advice);
  }
  dialer_.dial(id, {addresses, to.port, {}});
}

void NetworkDesk::take_dialled(uint32_t id, Result<Fd> connected) {
  if (connected) {
    auto peer = request_.upstream ? std::nullopt : net::peer_of(connected->get());
    // Both were decided before the dial.
    if (refuse_by_risk(id) || refuse_if_denied(id, peer)) return;
    const Pending& made = pending_[id];
    ledger_.opened(id, {made.to, peer}, made.rule, made.is_expected);
    return answer(id, RelayOrder::Verdict::yes, {}, std::move(*connected));
  }
  auto pending = pending_.find(id);
  if (pending == pending_.end()) return;
  std::string where = show(pending->second.to) + ": ";
  tell_not_reached(id, connected.error().text(), connected.error().err == 0);
  answer(id, RelayOrder::Verdict::unreachable, where + connected.error().text());
}

void NetworkDesk::answer(uint32_t id, RelayOrder::Verdict verdict, const std::string& why, Fd fd) {
  pending_.erase(id);
  RelayOrder order{RelayOrder::Type::answer, verdict, id};
  fixed::put(order.why, why);
  std::vector<Fd> fds;
  if (fd) fds.push_back(std::move(fd));
  (void)send(order, std::move(fds));  // its end is seen when it is read from
}

void NetworkDesk::refuse(uint32_t id, const std::string& why, const std::string& advice) {
  Pending pending = pending_[id];
  ledger_.refused(pending.to, pending.asker, why, advice);
  std::string page = show(pending.to) + " is refused: " + why;
  answer(id, RelayOrder::Verdict::no, advice.empty() ? page : page + " (" + advice + ")");
}

void NetworkDesk::end() {
  relay_.end();
  lookup_.end();
}

}  // namespace ringwall::desks
