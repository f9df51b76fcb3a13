#include "desks/key_desk.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/channel.h"
#include "base/epoll.h"
#include "base/fixed_message.h"
#include "base/text.h"
#include "policy/hosts.h"
#include "policy/ports.h"
#include "processes/outside_program.h"

namespace ringwall::desks {
namespace {

using net::KeeperNotice;
using net::KeeperOrder;

constexpr uint32_t kKeeper = 0;  // of epoll's numbers; the others are fetches
constexpr size_t kMostFetching = 4;
constexpr size_t kMostTold = 10;   // refusals
constexpr int kPatience = 20'000;  // milliseconds for a credential helper

bool watch(int epoll, int fd, uint32_t number) { return epoll::add(epoll, fd, number, EPOLLIN); }

struct HostAndPort {
  std::string host;
  uint16_t port = 443;
};

Result<HostAndPort> split_host(const std::string& text) {
  HostAndPort out;
  size_t colon = text.find(':');
  TRY_ASSIGN(out.host, policy::parse_host_name(text.substr(0, colon)));
  if (colon == std::string::npos) return out;
  TRY_ASSIGN(out.port, policy::parse_port(text.substr(colon + 1)));
  return out;
}

// In a process of its own: a helper of git's may take its time.
std::string ask_git(const std::string& host, const std::vector<std::string>& variables) {
  auto answer = processes::run_outside({{"git", "credential", "fill"}, variables, kPatience},
                                       "protocol=https\nhost=" + host + "\n\n");
  if (!answer) return {};
  std::string lines;
  for (const std::string& line : text::split(*answer, '\n')) {
    bool is_login = line.starts_with("username=") || line.starts_with("password=");
    // Empty is what git says if nobody knows it; with that it would log in inside, and ask nobody.
    if (is_login && !line.ends_with('=')) lines += line + "\n";
  }
  return lines;
}

}  // namespace

Result<std::unique_ptr<KeyDesk>> KeyDesk::start(const PlannedPush& push, net::EgressRules rules,
                                                std::span<Fd> sockets, std::span<char> start_area,
                                                std::string run, Tell tell) {
  auto desk = std::make_unique<KeyDesk>();
  desk->agent_ = push.agent;
  desk->variables_ = push.variables;
  desk->now_ = rules;
  desk->rules_ = std::move(rules);
  desk->key_hosts_ = push.key_hosts;
  desk->was_granted_.assign(push.key_hosts.size(), true);
  desk->start_area_ = start_area;
  desk->run_ = std::move(run);
  desk->tell_ = std::move(tell);
  desk->epoll_ = Fd(epoll_create1(EPOLL_CLOEXEC));
  TRY_ASSIGN(channel::Pair pair, channel::make_pair());
  processes::HelperRequest helper{"ringwall-keys",
                                  start_area,
                                  {pair.theirs.get(), sockets[0].get(), sockets[1].get()},
                                  sandbox::Helper::network_relay};
  TRY_ASSIGN(
      desk->keeper_.pid, processes::start_helper(std::move(helper), [&](std::span<const int> kept) {
        net::run_key_keeper({kept[0], kept[2], kept[1], push.rules, sandbox::try_forbidden_acts});
        _exit(0);
      }));
  desk->keeper_.channel = std::move(pair.ours);
  desk->outbox_ = channel::Outbox(desk->keeper_.channel.get());
  pair.theirs.close();
  auto first = channel::receive(desk->keeper_.channel.get());
  auto ready = first ? net::parse_keeper_notice(first->bytes) : std::unexpected(first.error());
  if (!ready || ready->type != KeeperNotice::Type::ready)
    return fail("the key keeper ended before its walls stood");
  if (!desk->epoll_ || !watch(desk->epoll_.get(), desk->keeper_.channel.get(), kKeeper))
    return fail_errno("cannot watch the key keeper");
  return desk;
}

Status KeyDesk::send(const KeeperOrder& order, std::vector<Fd> fds) {
  return outbox_.send(fixed::bytes_of(order), std::move(fds));
}

bool KeyDesk::may_log_in(const std::string& host, uint16_t port) const {
  return net::decide(rules_, host, port).granted && net::decide(now_, host, port).granted;
}

bool KeyDesk::may_have_credential(const std::string& host) const {
  auto wanted = split_host(host);
  return wanted && may_log_in(wanted->host, wanted->port);
}

void KeyDesk::follow(const net::EgressRules& now) {
  now_ = now;
  for (size_t i = 0; i < key_hosts_.size(); i++) {
    bool is_granted = may_log_in(key_hosts_[i].name, key_hosts_[i].port);
    if (is_granted == was_granted_[i]) continue;
    was_granted_[i] = is_granted;
    KeeperOrder order{KeeperOrder::Type::host_key, static_cast<uint32_t>(i)};
    fixed::put(order.text, is_granted ? "granted" : "");
    (void)send(order);  // its end is seen by epoll
  }
}

Status KeyDesk::try_acts() { return send({KeeperOrder::Type::try_acts}); }

Status KeyDesk::step() {
  epoll_event events[16];
  int count = epoll_wait(epoll_.get(), events, std::size(events), 0);
  for (int i = 0; i < count; i++) {
    auto number = static_cast<uint32_t>(events[i].data.u64);
    if (number != kKeeper) take_credential(number);
    if (number == kKeeper) TRY(take_notice());
  }
  return outbox_.flush();
}

Status KeyDesk::take_notice() {
  auto message = channel::receive(keeper_.channel.get(), MSG_DONTWAIT);
  auto notice = message && !message->bytes.empty() ? net::parse_keeper_notice(message->bytes)
                                                   : std::unexpected(Error{"gone"});
  if (!notice) return fail("the key keeper ended unexpectedly");
  if (notice->type == KeeperNotice::Type::agent) connect_to_agent(notice->id);
  if (notice->type == KeeperNotice::Type::credential) fetch_credential(notice->id, notice->text);
  if (notice->type == KeeperNotice::Type::refused && told_++ < kMostTold)
    tell_(events::Blocked{run_, "your ssh-agent", "", notice->text, ""});
  bool done = notice->type == KeeperNotice::Type::acts_done;
  if (take_act_ && (done || notice->type == KeeperNotice::Type::act))
    take_act_(notice->text, notice->value, done);
  return {};
}

void KeyDesk::connect_to_agent(uint32_t visitor) {
  Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  bool fits = agent_.size() < sizeof address.sun_path;
  if (fits) agent_.copy(address.sun_path, agent_.size());
  bool connected =
      fits && socket &&
      connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  std::vector<Fd> fds;
  if (connected) fds.push_back(std::move(socket));
  (void)send({KeeperOrder::Type::agent, visitor}, std::move(fds));  // its end is seen by epoll
}

void KeyDesk::fetch_credential(uint32_t visitor, const std::string& host) {
  bool granted = may_have_credential(host);
  if (!granted && told_++ < kMostTold)
    tell_(events::Blocked{run_, host, "git", "no credential for a host that is not granted", ""});
  auto pair = granted && fetching_.size() < kMostFetching ? channel::make_pair()
                                                          : std::unexpected(Error{"no"});
  if (!pair) {
    (void)send({KeeperOrder::Type::credential, visitor});
    return;
  }
  uint32_t id = next_++;
  Fetching& fetching = fetching_[id];
  fetching.visitor = visitor;
  fetching.host = host;
  pid_t supervisor = getpid();
  pid_t pid = fork();
  if (pid == 0) {
    if (!sandbox::die_with(supervisor)) _exit(1);
    KeeperOrder order{KeeperOrder::Type::credential, visitor};
    fixed::put(order.text, ask_git(host, variables_));
    (void)channel::send(pair->theirs.get(), fixed::bytes_of(order));
    _exit(0);
  }
  fetching.process.pid = pid;
  fetching.process.channel = std::move(pair->ours);
  if (!watch(epoll_.get(), fetching.process.channel.get(), id)) fetching_.erase(id);
}

void KeyDesk::take_credential(uint32_t id) {
  auto found = fetching_.find(id);
  if (found == fetching_.end()) return;
  auto message = channel::receive(found->second.process.channel.get(), MSG_DONTWAIT);
  auto order = message ? net::parse_keeper_order(message->bytes) : std::unexpected(message.error());
  KeeperOrder empty{KeeperOrder::Type::credential, found->second.visitor};
  bool is_granted = may_have_credential(found->second.host);  // it may have been denied since
  (void)send(order && is_granted ? *order : empty);
  fetching_.erase(found);
}

void KeyDesk::end() {
  fetching_.clear();
  keeper_.end();
}

}  // namespace ringwall::desks
