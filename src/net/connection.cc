#include "net/connection.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace ringwall::net {
namespace {

constexpr size_t kMostHeld = 80 << 10;  // more than any judge asks for
constexpr size_t kReadAtOnce = 16 << 10;
// What nobody has judged yet lies in our memory, which no limit of the sandbox bounds.
constexpr size_t kMostHeldInAll = 32 << 20;
constexpr int64_t kLastWords =
    2'000'000'000;                      // nanoseconds that a client may take to hear a refusal
constexpr int64_t kMoment = 1'000'000;  // and that the rest of a fast stream may wait

// Small writes go out at once: whoever sent them had its own reasons.
void send_at_once(int socket) {
  int on = 1;
  (void)setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);  // a matter of speed alone
}

}  // namespace

void end_by_reset(int socket) {
  linger now{1, 0};
  (void)setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);  // closed it is in any case
}

Connection::Connection(Fd inside, const Destination& to, Asker asker, bool judged, Budget budget,
                       size_t* held_in_all)
    : inside_(std::move(inside)),
      to_(to),
      asker_(asker),
      held_in_all_(held_in_all),
      budget_(budget) {
  budget_.sent_here = &sent_;
  if (judged) judge_ = std::make_unique<StreamJudge>(to_.name, to_.port);
}

Connection::Connection(Fd inside, Fd outside)
    : inside_(std::move(inside)), outside_(std::move(outside)), state_(State::open) {
  send_at_once(inside_.get());
  send_at_once(outside_.get());
  up_ = Flow(inside_.get(), outside_.get());
  down_ = Flow(outside_.get(), inside_.get());
  up_.allow(UINT64_MAX);
  down_.allow(UINT64_MAX);
}

Connection::Next Connection::go_on(PipePool& pipes) {
  switch (state_) {
    case State::first_bytes:
      return read_first();
    case State::asked:
      return Next::wait;
    case State::open:
      return relay(pipes);
    case State::closing:
      return finish_closing();
    case State::over:
      break;
  }
  return Next::finished;
}

// True if something came.
bool Connection::read_client(bool& ended) {
  char buffer[kReadAtOnce];
  ssize_t count = recv(inside_.get(), buffer, sizeof buffer, MSG_DONTWAIT);
  client_broke_off_ = count < 0 && errno != EAGAIN && errno != EINTR;
  ended = count == 0 || client_broke_off_;
  if (count <= 0) return false;
  held_.append(buffer, static_cast<size_t>(count));
  if (held_in_all_ != nullptr) *held_in_all_ += static_cast<size_t>(count);
  return true;
}

bool Connection::is_reset() const {
  char byte;
  ssize_t count = recv(inside_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return count < 0 && errno != EAGAIN && errno != EINTR;
}

bool Connection::has_passed_all_on() const {
  if (state_ == State::open) return up_.has_ended();
  char byte;
  bool has_more = recv(inside_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
  return state_ == State::closing || (held_.empty() && !has_more);
}

bool Connection::holds_too_much() const {
  bool all_do = held_in_all_ != nullptr && *held_in_all_ > kMostHeldInAll;
  return held_.size() > kMostHeld || (all_do && !held_.empty());
}

void Connection::let_go_of(size_t bytes) {
  if (held_in_all_ != nullptr) *held_in_all_ -= bytes;
}

// On ports where the client speaks first, nothing is resolved or dialled for one that shows a wrong
// name.
Connection::Next Connection::read_first() {
  bool client_first = judge_ && kind_of_port(to_.port) != PortKind::other;
  while (client_first) {
    if (holds_too_much()) return refuse("its first bytes are too many to be judged");
    if (!read_client(client_ended_)) return client_ended_ ? finish() : Next::wait;
    Judgement judgement = judge_->judge(held_);
    if (judgement.kind == Judgement::Kind::refuse) return refuse(judgement.why);
    if (judgement.kind == Judgement::Kind::wait) continue;
    first_ = judgement;  // for when there is somewhere to send the bytes
    break;
  }
  // A reset costs nothing here; whoever had to be asked over it would be held up for others.
  if (!client_first && is_reset()) return finish();
  state_ = State::asked;
  return Next::ask;
}

Connection::Next Connection::take_obstacle(Obstacle obstacle, std::string_view why) {
  Protocol protocol = judge_ ? judge_->protocol() : Protocol::other;
  return close_by(words_of_refusal(protocol, obstacle, why));
}

Connection::Next Connection::take_outside(Fd outside, PipePool& pipes) {
  outside_ = std::move(outside);
  was_made_ = true;
  state_ = State::open;
  send_at_once(inside_.get());
  send_at_once(outside_.get());
  up_ = Flow(inside_.get(), outside_.get(), budget_);
  down_ = Flow(outside_.get(), inside_.get());
  up_.allow(judge_ ? 0 : UINT64_MAX);
  down_.allow(UINT64_MAX);
  return relay(pipes);
}

Connection::Next Connection::relay(PipePool& pipes) {
  bool again = false;
  while (true) {
    Flow::Step step = up_.pump(pipes);
    if (step == Flow::Step::broken) return reset();
    if (step == Flow::Step::over_budget) return refuse(words_of_limit(budget_.tightest()));
    if (step == Flow::Step::yields) again = true;
    if (step != Flow::Step::used_up) break;
    bool moved = false;
    if (Next next = judge_more(moved); next != Next::wait) return next;
    if (!moved) break;
  }
  if (status_matters_ && status_ == 0) {
    look_at_status();
    if (status_ == 0) return again ? Next::again : Next::wait;
    // Whoever waits for it can go on.
    return relay(pipes);
  }
  Flow::Step step = down_.pump(pipes);
  if (step == Flow::Step::broken) return reset();
  if (step == Flow::Step::yields) again = true;
  if (up_.has_ended() && down_.has_ended()) return finish();
  return again ? Next::again : Next::wait;
}

Connection::Next Connection::judge_more(bool& moved) {
  while (true) {
    Next next = obey(first_ ? *std::exchange(first_, {}) : judge_->judge(held_), moved);
    if (next != Next::wait || moved) return next;
    if (judge_->awaits_switch()) return Next::wait;  // for the server's word
    if (client_broke_off_) return reset();           // and the server hears it as such
    if (client_ended_) {
      // What is not whole is of no use to anybody.
      up_.end_input();
      up_.allow(UINT64_MAX);
      moved = true;
      return Next::wait;
    }
    if (holds_too_much()) return refuse("too much was sent at once to be judged");
    if (!read_client(client_ended_) && !client_ended_) return Next::wait;
  }
}

Connection::Next Connection::obey(const Judgement& judgement, bool& moved) {
  if (judgement.kind == Judgement::Kind::refuse) return refuse(judgement.why);
  if (judgement.kind == Judgement::Kind::wait) {
    if (!judge_->awaits_switch()) return Next::wait;
    status_matters_ = true;
    if (status_ == 0) return Next::wait;
    judge_->take_status(status_);
    return obey(judge_->judge(held_), moved);
  }
  moved = true;
  judgement.cross_out(held_);
  bool all = judgement.kind == Judgement::Kind::pass_all;
  size_t there = all ? held_.size() : std::min<uint64_t>(judgement.length, held_.size());
  if (!up_.put_first({held_.data(), there})) return refuse(words_of_limit(budget_.tightest()));
  up_.allow(all ? UINT64_MAX : judgement.length - there);
  held_.erase(0, there);
  let_go_of(there);
  if (all) judge_.reset();
  if (held_.empty()) std::string().swap(held_);
  return Next::wait;
}

// Of the first answer: "HTTP/1.1 101". Only looked at; the bytes go on as they are.
void Connection::look_at_status() {
  char head[12];
  ssize_t count = recv(outside_.get(), head, sizeof head, MSG_PEEK | MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count > 0 && count < static_cast<ssize_t>(sizeof head) &&
      memcmp(head, "HTTP/1.1 101", static_cast<size_t>(count)) == 0) {
    pollfd end{outside_.get(), POLLRDHUP, 0};
    if (poll(&end, 1, 0) == 0) return;  // more of it may come
  }
  bool switches = count == static_cast<ssize_t>(sizeof head) &&
                  (memcmp(head, "HTTP/1.1 101", sizeof head) == 0);
  status_ = switches ? 101 : 200;
}

Connection::Next Connection::refuse(std::string why) {
  why_ = std::move(why);
  Protocol protocol = judge_ ? judge_->protocol() : Protocol::other;
  // In the midst of an answer of the server's, nothing of ours would be understood.
  bool is_fresh = state_ != State::open;
  (void)(is_fresh ? close_by(words_of_refusal(protocol, Obstacle::refused, why_)) : reset());
  return Next::refused;
}

// The client is told, as its protocol tells such things; without any words it is reset.
Connection::Next Connection::close_by(std::string last_words) {
  outside_.close();
  let_go_of(held_.size());
  std::string().swap(held_);
  if (last_words.empty()) return reset();
  state_ = State::closing;
  starts_to_close_ = true;
  last_words_ = std::move(last_words);
  return finish_closing();
}

uint64_t Connection::take_unsaid(bool all) {
  constexpr uint64_t kMuch = 16 << 10;
  uint64_t unsaid = sent_ - said_;
  if (!all && unsaid < std::max(kMuch, sent_ / 8)) return 0;
  said_ = sent_;
  return unsaid;
}

// What it has still sent is read and dropped: unread, it would make our words be lost.
Connection::Next Connection::finish_closing() {
  while (!last_words_.empty()) {
    ssize_t count =
        send(inside_.get(), last_words_.data(), last_words_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return Next::wait;
    if (count < 0) return finish();
    last_words_.erase(0, static_cast<size_t>(count));
    if (last_words_.empty()) shutdown(inside_.get(), SHUT_WR);
  }
  char dropped[kReadAtOnce];
  while (true) {
    ssize_t count = recv(inside_.get(), dropped, sizeof dropped, MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return Next::wait;
    if (count <= 0) return finish();
  }
}

std::optional<int64_t> Connection::take_patience() {
  if (std::exchange(starts_to_close_, false)) return kLastWords;
  return is_patient() ? std::optional(kMoment) : std::nullopt;
}

Connection::Next Connection::expire(PipePool& pipes) {
  if (state_ == State::closing) return finish();
  if (state_ == State::open) {
    up_.hurry();
    down_.hurry();
    return relay(pipes);
  }
  return refuse("its first bytes did not come in time");
}

Connection::Next Connection::reset() {
  if (inside_) end_by_reset(inside_.get());
  if (outside_) end_by_reset(outside_.get());
  return finish();
}

void Connection::cut() { (void)reset(); }

Connection::Next Connection::finish() {
  state_ = State::over;
  return Next::finished;
}

void Connection::give_up(PipePool& pipes) {
  up_.give_up(pipes);
  down_.give_up(pipes);
}

}  // namespace ringwall::net
