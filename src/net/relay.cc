#include "net/relay.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <deque>
#include <map>
#include <memory>
#include <unordered_map>

#include "base/channel.h"
#include "base/clock.h"
#include "base/epoll.h"
#include "base/fixed_message.h"
#include "net/connection.h"
#include "net/deadlines.h"
#include "net/name_service.h"
#include "net/notice_box.h"
#include "net/original_destination.h"
#include "net/question_connection.h"
#include "net/redirect.h"
#include "net/relay_protocol.h"
#include "net/sent_bytes.h"

namespace ringwall::net {
namespace {

constexpr int64_t kSilence = 30'000'000'000;  // nanoseconds that a client may take to speak
constexpr size_t kMostQuestionConnections = 256;
constexpr uint32_t kQuestionEvents = EPOLLIN | EPOLLOUT | EPOLLET;
constexpr int kMostAccepted = 128;  // at once, before others get their turn
constexpr size_t kSockets = 6;      // in the order of the order: TCP, names by UDP, names by TCP

// What an event of epoll is about; the rest of the word is a number.
enum class About : uint32_t { channel, socket, connection, questions };

uint64_t tag(About about, uint32_t number) { return static_cast<uint64_t>(about) << 32 | number; }

class Relay {
 public:
  explicit Relay(const RelayInputs& inputs)
      : in_(inputs),
        outbox_(inputs.channel),
        service_(names_, [this](const RelayNotice& notice) { tell(notice); }) {}

  void run() {
    epoll_ = Fd(epoll_create1(EPOLL_CLOEXEC));
    if (!epoll_ || !watch(in_.channel, tag(About::channel, 0), EPOLLIN)) return;
    tell({RelayNotice::Type::ready});
    while (!ended_)
      step();
  }

 private:
  using Connections = std::unordered_map<uint32_t, std::unique_ptr<Connection>>;

  void step();
  void take_event(const epoll_event& event);
  int patience() const;
  void end_silent_ones();

  bool watch(int fd, uint64_t data, uint32_t events) {
    return epoll::add(epoll_.get(), fd, data, events);
  }
  void tell(const RelayNotice& notice);
  void hold_the_door();

  void take_order();
  void tell_refused(const RelayOrder& order);
  void take_sockets(const RelayOrder& order, std::vector<Fd>& fds);
  void take_answer(const RelayOrder& order, std::vector<Fd>& fds);
  void join(std::vector<Fd>& fds);
  void cut(uint32_t id);
  void try_acts();
  bool has_passed_all_on() const;

  void accept_at(size_t socket);
  void take_in(Fd inside, bool is_ipv6, uint16_t from);
  void add(std::unique_ptr<Connection> connection);
  void obey(uint32_t id, Connection::Next next);
  void forget(uint32_t id);
  void add_questions(Fd socket, bool is_ipv6, uint16_t from);
  void go_on_with_questions(uint32_t id, bool goes_on);

  RelayInputs in_;
  Fd epoll_;
  NoticeBox outbox_;
  bool told_to_wait_ = false;  // for room in the channel
  bool is_shut_ = false;       // nobody is let in
  std::array<Fd, kSockets> sockets_;
  SentBytes sent_;
  bool checks_names_ = true;
  size_t held_in_all_ = 0;  // bytes
  NameTable names_;
  NameService service_;
  PipePool pipes_;
  Connections connections_;
  std::unordered_map<uint32_t, QuestionConnection> questions_;
  std::map<uint32_t, uint32_t> asked_by_;  // a question's id, its connection's
  Deadlines deadlines_;
  std::deque<uint32_t> unfinished_;  // have more to do
  uint32_t next_ = 1;
  bool is_finishing_ = false;
  bool ended_ = false;
};

// The supervisor reads what we say; if it does not, it is gone, and we with it.
void Relay::tell(const RelayNotice& notice) {
  if (!outbox_.tell(notice)) ended_ = true;
}

// Whoever comes faster than the supervisor can decide waits before the wall, not in our memory.
void Relay::hold_the_door() {
  bool is_behind = outbox_.size() >= (is_shut_ ? 1 : NoticeBox::kMostUnsaid);
  if (is_behind == is_shut_) return;
  is_shut_ = is_behind;
  for (uint32_t i = 0; i < kSockets; i++) {
    if (!sockets_[i]) continue;
    uint32_t events = is_shut_ ? 0u : EPOLLIN;
    if (!epoll::change(epoll_.get(), sockets_[i].get(), tag(About::socket, i), events))
      ended_ = true;
  }
}

int Relay::patience() const {
  if (!unfinished_.empty() || has_passed_all_on()) return 0;
  return deadlines_.patience(clock::monotonic());
}

void Relay::step() {
  if (told_to_wait_ == outbox_.is_empty()) {
    told_to_wait_ = !outbox_.is_empty();
    uint32_t events = EPOLLIN | (told_to_wait_ ? EPOLLOUT : 0u);
    (void)epoll::change(epoll_.get(), in_.channel, tag(About::channel, 0), events);
  }
  hold_the_door();
  epoll_event events[256];
  int count = epoll_wait(epoll_.get(), events, std::size(events), patience());
  if (count < 0 && errno != EINTR) ended_ = true;
  // Nobody inside is left, and nobody stands before the door either.
  if (count == 0 && has_passed_all_on()) {
    is_finishing_ = false;
    tell({RelayNotice::Type::finished});
  }
  for (int i = 0; i < count && !ended_; i++)
    take_event(events[i]);
  for (size_t left = unfinished_.size(); left > 0 && !ended_; left--) {
    uint32_t id = unfinished_.front();
    unfinished_.pop_front();
    auto found = connections_.find(id);
    if (found != connections_.end()) obey(id, found->second->go_on(pipes_));
  }
  end_silent_ones();
}

void Relay::take_event(const epoll_event& event) {
  auto about = static_cast<About>(event.data.u64 >> 32);
  auto number = static_cast<uint32_t>(event.data.u64);
  if (about == About::channel) {
    if ((event.events & EPOLLOUT) != 0 && !outbox_.flush()) ended_ = true;
    if ((event.events & ~EPOLLOUT) != 0) take_order();
  }
  if (about == About::socket) {
    bool is_names = number == 2 || number == 3;
    is_names ? service_.take_datagrams(sockets_[number].get(), number == 3) : accept_at(number);
  }
  if (about == About::connection) {
    auto found = connections_.find(number);
    if (found == connections_.end()) return;
    // Nobody waits for the answer any more.
    bool is_gone = (event.events & (EPOLLHUP | EPOLLERR)) != 0 && found->second->is_asked();
    if (is_gone) tell({RelayNotice::Type::left, number});
    is_gone ? forget(number) : obey(number, found->second->go_on(pipes_));
    found = is_gone ? connections_.end() : connections_.find(number);
    bool waits = found != connections_.end() && found->second->is_asked();
    if (waits && (event.events & EPOLLRDHUP) != 0) tell({RelayNotice::Type::half_closed, number});
  }
  if (about == About::questions) {
    auto found = questions_.find(number);
    if (found != questions_.end()) go_on_with_questions(number, found->second.go_on(service_));
  }
}

void Relay::end_silent_ones() {
  while (auto whom = deadlines_.take_due(clock::monotonic())) {
    auto id = static_cast<uint32_t>(*whom);
    if (static_cast<About>(*whom >> 32) == About::questions) {
      go_on_with_questions(id, false);
      continue;
    }
    auto found = connections_.find(id);
    if (found == connections_.end()) continue;
    Connection& silent = *found->second;
    if (silent.waits_for_client() || silent.is_patient()) obey(id, silent.expire(pipes_));
  }
}

void Relay::take_order() {
  auto message = channel::receive(in_.channel, MSG_DONTWAIT);
  if (!message && message.error().err == EAGAIN) return;
  auto order = message && !message->bytes.empty() ? parse_relay_order(message->bytes)
                                                  : std::unexpected(Error{"gone"});
  if (!order) {
    ended_ = true;
    return;
  }
  if (order->type == RelayOrder::Type::sockets) take_sockets(*order, message->fds);
  if (order->type == RelayOrder::Type::answer) take_answer(*order, message->fds);
  if (order->type == RelayOrder::Type::join) join(message->fds);
  if (order->type == RelayOrder::Type::cut) cut(order->id);
  if (order->type == RelayOrder::Type::try_acts) try_acts();
  if (order->type == RelayOrder::Type::refused_by_kernel) tell_refused(*order);
  if (order->type == RelayOrder::Type::finish) is_finishing_ = true;
}

void Relay::tell_refused(const RelayOrder& order) {
  RelayNotice notice{RelayNotice::Type::refused_by_kernel, 0, static_cast<int32_t>(order.value),
                     order.to};
  if (NameTable::Entry* name = names_.at(order.to)) fixed::put(notice.to.name, name->name);
  tell(notice);
}

void Relay::take_sockets(const RelayOrder& order, std::vector<Fd>& fds) {
  sent_.limit(order.most_to_name, order.most_in_all);
  checks_names_ = order.checks_names;
  size_t next = 0;
  for (uint32_t i = 0; i < kSockets; i++) {
    if ((order.value & (1u << i)) == 0 || next >= fds.size()) continue;
    sockets_[i] = std::move(fds[next++]);
    if (!watch(sockets_[i].get(), tag(About::socket, i), EPOLLIN)) ended_ = true;
  }
}

void Relay::take_answer(const RelayOrder& order, std::vector<Fd>& fds) {
  bool yes = order.verdict == RelayOrder::Verdict::yes;
  if (order.id >= NameService::kFirstQuestion) {
    std::string reply = service_.take_answer(order.id, yes, order.value != 0);
    auto asker = asked_by_.find(order.id);
    if (asker == asked_by_.end()) return;
    auto found = questions_.find(asker->second);
    asked_by_.erase(asker);
    if (found == questions_.end()) return;
    return go_on_with_questions(found->first, found->second.take_reply(reply, service_));
  }
  auto found = connections_.find(order.id);
  if (found == connections_.end() || !found->second->is_asked()) {
    if (yes) tell({RelayNotice::Type::closed, order.id});  // whoever asked for it is gone
    for (Fd& unwanted : fds)
      end_by_reset(unwanted.get());
    return;
  }
  Connection& connection = *found->second;
  Fd outside = fds.empty() ? Fd() : std::move(fds[0]);
  bool made = yes && outside &&
              watch(outside.get(), tag(About::connection, order.id), EPOLLIN | EPOLLOUT | EPOLLET);
  if (made) return obey(order.id, connection.take_outside(std::move(outside), pipes_));
  if (yes) tell({RelayNotice::Type::closed, order.id});
  bool refused = order.verdict == RelayOrder::Verdict::no;
  obey(order.id,
       connection.take_obstacle(refused ? Obstacle::refused : Obstacle::unreachable, order.why));
}

void Relay::join(std::vector<Fd>& fds) {
  if (fds.size() != 2 || connections_.size() >= in_.most_connections) return;
  add(std::make_unique<Connection>(std::move(fds[0]), std::move(fds[1])));
}

// Of all, who waits for an answer gets it.
void Relay::cut(uint32_t id) {
  for (auto next = connections_.begin(); next != connections_.end();) {
    auto at = next++;
    if (at->first != id && (id != 0 || at->second->is_asked())) continue;
    at->second->cut();
    forget(at->first);
  }
}

void Relay::try_acts() {
  for (const TriedAct& act : in_.try_acts()) {
    RelayNotice notice{RelayNotice::Type::act, 0, act.err};
    fixed::put(notice.why, act.name);
    tell(notice);
  }
  tell({RelayNotice::Type::acts_done});
}

bool Relay::has_passed_all_on() const {
  if (!is_finishing_ || is_shut_ || !unfinished_.empty()) return false;
  return std::ranges::all_of(connections_, [](const Connections::value_type& connection) {
    return connection.second->has_passed_all_on();
  });
}

void Relay::accept_at(size_t socket) {
  bool is_ipv6 = socket % 2 != 0;
  for (int i = 0; i < kMostAccepted; i++) {
    sockaddr_in6 from{};
    socklen_t size = sizeof from;
    Fd inside(accept4(sockets_[socket].get(), reinterpret_cast<sockaddr*>(&from), &size,
                      SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!inside) return;
    uint16_t port = ntohs(from.sin6_port);  // lies at the same place for both families
    socket < 2 ? take_in(std::move(inside), is_ipv6, port)
               : add_questions(std::move(inside), is_ipv6, port);
  }
}

void Relay::take_in(Fd inside, bool is_ipv6, uint16_t from) {
  auto meant = original_destination(inside.get(), is_ipv6);
  if (!meant) return;
  Destination to = *meant;
  // Closed at once: nobody is told of more than there is room for.
  if (connections_.size() >= in_.most_connections) {
    RelayNotice notice{RelayNotice::Type::refused, 0, 0, to, {0, is_ipv6, from}};
    fixed::put(notice.why, "more connections are open than can be held");
    return tell(notice);
  }
  NameTable::Entry* name = names_.at(to);
  if (NameTable::holds(to) && name == nullptr) return end_by_reset(inside.get());
  Budget budget = name != nullptr ? sent_.budget(name->sent) : sent_.budget(to);
  if (name != nullptr) fixed::put(to.name, name->name);
  add(std::make_unique<Connection>(std::move(inside), to, Asker{0, is_ipv6, from},
                                   name != nullptr && checks_names_, budget, &held_in_all_));
}

void Relay::add(std::unique_ptr<Connection> connection) {
  uint32_t id = next_++ & ~NameService::kFirstQuestion;
  if (id == 0 || connections_.contains(id)) return;  // wrapped around: that one is lost
  Connection& added = *connection;
  uint64_t data = tag(About::connection, id);
  constexpr uint32_t kEvents = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
  bool watched = watch(added.inside(), data, kEvents) &&
                 (added.outside() < 0 || watch(added.outside(), data, kEvents));
  if (!watched) return;
  connections_.emplace(id, std::move(connection));
  if (added.waits_for_client()) deadlines_.set(data, clock::monotonic() + kSilence);
  obey(id, added.go_on(pipes_));
}

void Relay::obey(uint32_t id, Connection::Next next) {
  Connection& connection = *connections_.at(id);
  if (next == Connection::Next::again) unfinished_.push_back(id);
  if (next == Connection::Next::ask || next == Connection::Next::refused) {
    auto type =
        next == Connection::Next::ask ? RelayNotice::Type::connection : RelayNotice::Type::refused;
    RelayNotice notice{type, id, 0, connection.destination(), connection.asker()};
    fixed::put(notice.why, connection.why());
    tell(notice);
    deadlines_.drop(tag(About::connection, id));
  }
  if (connection.is_over()) return forget(id);
  if (uint64_t bytes = connection.take_unsaid(false))
    tell(about_bytes(RelayNotice::Type::sent, id, bytes));
  if (auto patience = connection.take_patience())
    deadlines_.set(tag(About::connection, id), clock::monotonic() + *patience);
}

void Relay::forget(uint32_t id) {
  auto found = connections_.find(id);
  if (found->second->was_made())
    tell(about_bytes(RelayNotice::Type::closed, id, found->second->take_unsaid(true)));
  found->second->give_up(pipes_);
  connections_.erase(found);
  deadlines_.drop(tag(About::connection, id));
}

void Relay::add_questions(Fd socket, bool is_ipv6, uint16_t from) {
  if (questions_.size() >= kMostQuestionConnections) return;
  uint32_t id = next_++;
  uint64_t data = tag(About::questions, id);
  if (!watch(socket.get(), data, kQuestionEvents)) return;
  questions_.emplace(id, QuestionConnection(std::move(socket), Asker{0, is_ipv6, from}));
  deadlines_.set(data, clock::monotonic() + kSilence);
  go_on_with_questions(id, questions_.at(id).go_on(service_));
}

void Relay::go_on_with_questions(uint32_t id, bool goes_on) {
  auto found = questions_.find(id);
  if (found == questions_.end()) return;
  if (!goes_on) {
    asked_by_.erase(found->second.awaits());
    questions_.erase(found);
    deadlines_.drop(tag(About::questions, id));
  } else if (found->second.awaits() != 0) {
    asked_by_[found->second.awaits()] = id;
  } else if (found->second.has_more()) {
    // Others first; this makes it be told of again.
    (void)epoll::change(epoll_.get(), found->second.socket(), tag(About::questions, id),
                        kQuestionEvents);
  }
}

}  // namespace

void run_relay(const RelayInputs& inputs) { Relay(inputs).run(); }

}  // namespace ringwall::net
