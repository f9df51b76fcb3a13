#include "net/key_keeper.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <list>
#include <string>
#include <vector>

#include "base/channel.h"
#include "base/fd.h"
#include "base/fixed_message.h"
#include "net/credential_request.h"

namespace ringwall::net {
namespace {

constexpr size_t kMostConnections = 64;

// One program inside, at one of the two sockets.
struct Visitor {
  Visitor(uint32_t number, Fd from, bool wants_credentials, const AgentRules& rules)
      : id(number), socket(std::move(from)), of_git(wants_credentials), filter(rules) {}

  uint32_t id;
  Fd socket;
  bool of_git;
  bool waits = true;  // for the supervisor
  Fd agent;
  AgentFilter filter;
  std::string in, from_agent;
  bool forwarded = false;  // the agent's answer is waited for
  bool over = false;
};

// False at the end.
bool read_some(int socket, std::string& in) {
  char buffer[16384];
  ssize_t count = recv(socket, buffer, sizeof buffer, MSG_DONTWAIT);
  if (count > 0) in.append(buffer, static_cast<size_t>(count));
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

// Messages are small and answered one by one: whoever does not take an answer is let go.
bool send_all(int socket, std::string_view bytes) {
  return send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT) ==
         static_cast<ssize_t>(bytes.size());
}

std::string with_length(std::string_view message) {
  std::string out;
  for (int shift : {24, 16, 8, 0})
    out += static_cast<char>(message.size() >> shift & 0xff);
  return out.append(message);
}

// The first whole message, taken off; `too_long` if it never will be one.
bool take_message(std::string& in, std::string& message, bool& too_long) {
  if (in.size() < 4) return false;
  size_t length = 0;
  for (size_t i = 0; i < 4; i++)
    length = length << 8 | static_cast<uint8_t>(in[i]);
  too_long = length > kLongestAgentMessage;
  if (too_long || in.size() < 4 + length) return false;
  message = in.substr(4, length);
  in.erase(0, 4 + length);
  return true;
}

class Keeper {
 public:
  explicit Keeper(const KeeperInputs& inputs)
      : in_(inputs), rules_(inputs.rules), is_granted_(inputs.rules.host_keys.size(), true) {}

  void run() {
    tell({KeeperNotice::Type::ready});
    while (!ended_)
      step();
  }

 private:
  void step() {
    bool has_room = visitors_.size() < kMostConnections;
    std::vector<pollfd> waits = {{in_.channel, POLLIN, 0},
                                 {has_room ? in_.agent : -1, POLLIN, 0},
                                 {has_room ? in_.credentials : -1, POLLIN, 0}};
    for (const Visitor& visitor : visitors_) {
      waits.push_back({visitor.waits ? -1 : visitor.socket.get(), POLLIN, 0});
      waits.push_back({visitor.agent.get(), POLLIN, 0});
    }
    if (poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) {
      ended_ = true;
      return;
    }
    size_t at = 3;
    for (Visitor& visitor : visitors_) {
      if (waits[at].revents != 0) visitor.of_git ? read_git(visitor) : read_program(visitor);
      if (waits[at + 1].revents != 0 && !visitor.over) read_agent(visitor);
      at += 2;
    }
    visitors_.remove_if([](const Visitor& visitor) { return visitor.over; });
    if (waits[1].revents != 0) let_in(in_.agent, false);
    if (waits[2].revents != 0) let_in(in_.credentials, true);
    if (waits[0].revents != 0) take_order();
  }

  void let_in(int listener, bool of_git) {
    Fd socket(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket) return;
    visitors_.emplace_back(next_++, std::move(socket), of_git, rules_);
    if (!of_git) tell({KeeperNotice::Type::agent, visitors_.back().id});
    if (of_git) visitors_.back().waits = false;
  }

  void read_program(Visitor& visitor) {
    if (!read_some(visitor.socket.get(), visitor.in)) visitor.over = true;
    serve(visitor);
  }

  void serve(Visitor& visitor) {
    std::string request;
    bool too_long = false;
    while (!visitor.over && !visitor.forwarded && take_message(visitor.in, request, too_long)) {
      AgentFilter::Step step = visitor.filter.take_request(request);
      if (!step.why.empty()) tell_text(KeeperNotice::Type::refused, visitor.id, step.why);
      visitor.forwarded = step.forward;
      bool sent = step.forward ? send_all(visitor.agent.get(), with_length(request))
                               : send_all(visitor.socket.get(), with_length(step.answer));
      if (!sent) visitor.over = true;
    }
    if (too_long || visitor.in.size() > 2 * kLongestAgentMessage) visitor.over = true;
  }

  void read_agent(Visitor& visitor) {
    std::string answer;
    bool too_long = false;
    bool goes_on = read_some(visitor.agent.get(), visitor.from_agent);
    while (visitor.forwarded && take_message(visitor.from_agent, answer, too_long)) {
      visitor.forwarded = false;
      if (!send_all(visitor.socket.get(), with_length(visitor.filter.take_answer(answer))))
        visitor.over = true;
    }
    // An agent that speaks without being asked is none.
    if (!goes_on || too_long || (!visitor.forwarded && !visitor.from_agent.empty()))
      visitor.over = true;
    serve(visitor);
  }

  // Git says everything and ends its side.
  void read_git(Visitor& visitor) {
    if (read_some(visitor.socket.get(), visitor.in)) {
      visitor.over = visitor.in.size() > kLongestCredentialRequest;
      return;
    }
    auto request = parse_credential_request(visitor.in);
    if (!request) {
      visitor.over = true;
      return;
    }
    visitor.waits = true;
    tell_text(KeeperNotice::Type::credential, visitor.id, request->host);
  }

  void take_order() {
    auto message = channel::receive(in_.channel);
    auto order = message && !message->bytes.empty() ? parse_keeper_order(message->bytes)
                                                    : std::unexpected(Error{"gone"});
    if (!order) {
      ended_ = true;
      return;
    }
    if (order->type == KeeperOrder::Type::try_acts) return try_acts();
    if (order->type == KeeperOrder::Type::host_key) return change_host_key(*order);
    auto visitor = std::ranges::find(visitors_, order->id, &Visitor::id);
    if (visitor == visitors_.end()) return;
    visitor->waits = false;
    if (order->type == KeeperOrder::Type::credential) {
      (void)send_all(visitor->socket.get(), order->text);
      visitors_.erase(visitor);
      return;
    }
    if (message->fds.empty()) {
      visitors_.erase(visitor);
      return;
    }
    visitor->agent = std::move(message->fds[0]);
  }

  // Those who talk to us now are judged by it too, with their next request.
  void change_host_key(const KeeperOrder& order) {
    if (order.id >= is_granted_.size()) return;
    is_granted_[order.id] = order.text[0] != '\0';
    rules_.host_keys.clear();
    for (size_t i = 0; i < is_granted_.size(); i++) {
      if (is_granted_[i]) rules_.host_keys.push_back(in_.rules.host_keys[i]);
    }
  }

  void try_acts() {
    for (const TriedAct& act : in_.try_acts())
      tell_text(KeeperNotice::Type::act, 0, act.name, act.err);
    tell({KeeperNotice::Type::acts_done});
  }

  void tell_text(KeeperNotice::Type type, uint32_t id, std::string_view text, int value = 0) {
    KeeperNotice notice{type, id, value};
    fixed::put(notice.text, text);
    tell(notice);
  }

  void tell(const KeeperNotice& notice) {
    if (!channel::send(in_.channel, fixed::bytes_of(notice))) ended_ = true;
  }

  const KeeperInputs& in_;
  AgentRules rules_;  // as they are now
  std::vector<bool> is_granted_;
  std::list<Visitor> visitors_;
  uint32_t next_ = 1;
  bool ended_ = false;
};

}  // namespace

Result<KeeperNotice> parse_keeper_notice(std::string_view bytes) {
  TRY_ASSIGN(KeeperNotice notice,
             fixed::parse<KeeperNotice>(bytes, "a key keeper's", KeeperNotice::Type::acts_done));
  fixed::end_text(notice.text);
  return notice;
}

Result<KeeperOrder> parse_keeper_order(std::string_view bytes) {
  TRY_ASSIGN(KeeperOrder order,
             fixed::parse<KeeperOrder>(bytes, "a key keeper's", KeeperOrder::Type::host_key));
  fixed::end_text(order.text);
  return order;
}

void run_key_keeper(const KeeperInputs& inputs) { Keeper(inputs).run(); }

}  // namespace ringwall::net
