#include "desks/gate_desk.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>

#include "base/channel.h"
#include "base/clock.h"
#include "base/epoll.h"
#include "base/fixed_message.h"
#include "base/sha256.h"

namespace ringwall::desks {
namespace {

using gate::GateAnswer;
using gate::GateNotice;

constexpr uint32_t kListener = 0;  // of epoll's numbers; the others are visitors
constexpr size_t kMostVisitors = 64;
constexpr size_t kMostApproved = 1024;
constexpr size_t kMostTold = 50;  // different lines for the person, in a run
constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kSilence = 2 * kSecond;  // of one who has come
// An agent makes a few calls a second; whoever makes more wants something else.
constexpr double kVisitsASecond = 100, kMostVisitsAtOnce = 200;
constexpr double kLinesASecond = 10, kMostLinesAtOnce = 100;

int64_t earlier(int64_t one, int64_t other) {
  return one == 0 || other == 0 ? std::max(one, other) : std::min(one, other);
}

// As the record names what was too much to be heard.
std::string_view name_of(GateNotice::Type type) {
  switch (type) {
    case GateNotice::Type::refused:
      return "refused";
    case GateNotice::Type::asked:
      return "asked";
    case GateNotice::Type::allowed:
      return "allowed";
    case GateNotice::Type::subagent:
      return "subagent";
    case GateNotice::Type::hidden:
      return "hidden";
    default:
      return "question";
  }
}

std::string agent_of(const GateNotice& notice) {
  return std::string(gate::dialect_of(notice.agent).name);
}

}  // namespace

Digest AskedCall::digest() const {
  Sha256 hash;
  for (const std::string* part : {&agent, &tool, &folder, &text}) {
    uint64_t size = part->size();
    hash.add(&size, sizeof size);
    hash.add(part->data(), part->size());
  }
  return hash.finish();
}

std::string AskedCall::shown() const { return tool + " in " + folder + ": " + text; }

bool is_same(const AskedCall& one, const AskedCall& other) {
  return one.digest() == other.digest();
}

GateDesk::GateDesk(Fd listener, std::string run, int64_t patience, EventWays ways,
                   AdvisorPlan advisor)
    : run_(std::move(run)),
      patience_(patience),
      ways_(std::move(ways)),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      listener_(std::move(listener)),
      advisor_(std::move(advisor)),
      visits_left_(kMostVisitsAtOnce),
      refilled_(clock::monotonic()) {}

Result<std::unique_ptr<GateDesk>> GateDesk::open(Fd listener, std::string run, int64_t patience,
                                                 EventWays ways, AdvisorPlan advisor) {
  std::unique_ptr<GateDesk> desk(new GateDesk(std::move(listener), std::move(run), patience,
                                              std::move(ways), std::move(advisor)));
  if (!desk->epoll_ || !desk->watch(desk->listener_.get(), kListener, EPOLLIN))
    return fail_errno("cannot watch the gate's socket");
  return desk;
}

bool GateDesk::watch(int fd, uint64_t number, uint32_t events) {
  return epoll::add(epoll_.get(), fd, number, events);
}

int64_t GateDesk::next_deadline() const {
  int64_t next = waiting_.next_deadline();
  for (const auto& [number, visitor] : visitors_)
    next = earlier(next, visitor.until);
  for (const auto& [number, question] : questions_)
    next = earlier(next, question.process.until());
  if (!listens_) next = earlier(next, refilled_ + kSecond / 10);
  if (unheard_ > 0) next = earlier(next, noise_told_ + kSecond);
  return next;
}

void GateDesk::refill(int64_t now) {
  double seconds = static_cast<double>(now - refilled_) / kSecond;
  refilled_ = now;
  visits_left_ = std::min(kMostVisitsAtOnce, visits_left_ + seconds * kVisitsASecond);
  for (auto& [kind, left] : lines_left_)
    left = std::min(kMostLinesAtOnce, left + seconds * kLinesASecond);
}

// Whoever comes too often waits in the socket's own queue, and costs us nothing there.
void GateDesk::listen_again(bool listens) {
  if (listens == listens_) return;
  if (epoll::change(epoll_.get(), listener_.get(), kListener, listens ? EPOLLIN : 0u))
    listens_ = listens;
}

void GateDesk::step() {
  int64_t now = clock::monotonic();
  refill(now);
  epoll_event events[32];
  int count = epoll_wait(epoll_.get(), events, std::size(events), 0);
  for (int i = 0; i < count; i++) {
    auto number = static_cast<uint32_t>(events[i].data.u64);
    if ((events[i].data.u64 & kAdvice) != 0) {
      end_advice(number);
    } else {
      number == kListener ? accept_visitors(now) : hear(number, now);
    }
  }
  end_late_advice(now);
  drop_silent(now);
  refuse_unanswered(now);
  tell_noise(now);
  bool has_room = visits_left_ >= 1 && visitors_.size() < kMostVisitors;
  // Whoever fills the line keeps others from being heard, and is a risk by that.
  if (!has_room) count_unheard(now);
  listen_again(has_room);
}

void GateDesk::accept_visitors(int64_t now) {
  while (visits_left_ >= 1 && visitors_.size() < kMostVisitors) {
    Fd connection(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!connection) return;
    visits_left_ -= 1;
    uint32_t number = next_++;
    if (number == kListener) number = next_++;
    if (!watch(connection.get(), number, EPOLLIN)) continue;
    visitors_[number] = {std::move(connection), now + kSilence};
  }
}

// One message each. Who says a second one, or what is none, is shown out.
void GateDesk::hear(uint32_t number, int64_t now) {
  auto visitor = visitors_.find(number);
  if (visitor == visitors_.end()) return;
  auto message = channel::receive(visitor->second.connection.get(), MSG_DONTWAIT);
  if (!message && message.error().err == EAGAIN) return;
  bool speaks_first = visitor->second.until != 0;
  auto notice = speaks_first && message ? gate::parse_gate_notice(message->bytes)
                                        : std::unexpected(Error{"no more"});
  if (notice) take(number, *notice, now);
  if (!notice && speaks_first) count_unheard(now);  // it came, and said nothing
  bool is_question =
      notice && (notice->type == GateNotice::Type::ask || notice->type == GateNotice::Type::asked ||
                 notice->type == GateNotice::Type::advise);
  if (is_question && visitors_.contains(number)) return;  // it waits
  questions_.erase(number);
  if (auto left = waiting_.forget(number))
    ways_.note(events::Answered{run_, left->id, left->to.shown(), "left", "", "", "tool"});
  visitors_.erase(number);
}

void GateDesk::take(uint32_t number, const GateNotice& notice, int64_t now) {
  bool at_prompt = notice.type == GateNotice::Type::asked;
  if (at_prompt && !is_wary_) {
    note(notice, now);
    return answer(number, {GateAnswer::Type::prompt});
  }
  if (at_prompt || notice.type == GateNotice::Type::ask) {
    visitors_[number].until = 0;
    return ask(number, {agent_of(notice), notice.tool, notice.folder, notice.text, notice.rule},
               now);
  }
  if (notice.type == GateNotice::Type::advise) {
    visitors_[number].until = 0;
    return advise(number, notice);
  }
  if (notice.type == GateNotice::Type::serve) return serve(number, notice);
  note(notice, now);
}

void GateDesk::serve(uint32_t number, const GateNotice& notice) {
  auto end = servers_.start(notice.tool);
  std::string tool = "mcp__" + std::string(notice.tool);
  if (!end) {
    tell_once(tool,
              events::ToolRefused{run_, "mcp", tool, "start the server", "", end.error().text()});
    return answer(number, {GateAnswer::Type::rejected});
  }
  ways_.note(
      events::ToolJudged{run_, "mcp", tool, "start the server", "allowed", "tools.mcp_servers"});
  int fd = end->get();
  answer(number, {GateAnswer::Type::served}, {&fd, 1});
}

void GateDesk::ask(uint32_t number, AskedCall call, int64_t now) {
  Digest digest = call.digest();
  if (rejected_.contains(digest)) return answer(number, {GateAnswer::Type::rejected});
  std::erase_if(approved_, [now](const auto& one) { return one.second != 0 && one.second <= now; });
  if (approved_.contains(digest)) return answer(number, {GateAnswer::Type::approved});
  const WaitingCall* waits = waiting_.add(number, call, now, patience_);
  if (waits == nullptr) return answer(number, {GateAnswer::Type::no_room});
  if (waits->connections.size() > 1) return;
  waiting_.name_program(waits->id, call.agent);
  ways_.tell(events::Asked{run_, waits->id, call.shown(), call.agent, "tool"});
}

bool GateDesk::has_line_for(std::string_view kind, int64_t now) {
  double& left = lines_left_.try_emplace(kind, kMostLinesAtOnce).first->second;
  if (left >= 1) {
    left -= 1;
    return true;
  }
  count_unheard(now, kind);
  return false;
}

void GateDesk::count_unheard(int64_t now, std::string_view kind) {
  if (unheard_++ == 0) noise_told_ = now;
  if (!kind.empty()) unheard_of_[std::string(kind)]++;
}

void GateDesk::tell_noise(int64_t now) {
  if (unheard_ == 0 || now < noise_told_ + kSecond) return;
  ways_.note(events::ToolNoise{run_, std::exchange(unheard_, 0), std::exchange(unheard_of_, {})});
}

// The person hears of the same thing once, and not of everything that something inside can invent.
void GateDesk::tell_once(const std::string& key, const events::Event& event) {
  bool is_new = told_.size() < kMostTold && told_.insert(key).second;
  is_new ? ways_.tell(event) : ways_.note(event);
}

void GateDesk::note(const GateNotice& notice, int64_t now) {
  if (notice.type == GateNotice::Type::result) return note_result(notice, now);
  if (!has_line_for(name_of(notice.type), now)) return;
  std::string agent = agent_of(notice);
  std::string key = std::string(notice.tool) + "\n" + notice.text + "\n" + notice.rule;
  switch (notice.type) {
    case GateNotice::Type::refused:
      return tell_once(key, events::ToolRefused{run_, agent, notice.tool, notice.text, notice.rule,
                                                notice.why, notice.pack});
    case GateNotice::Type::asked:
    case GateNotice::Type::allowed: {
      bool asked = notice.type == GateNotice::Type::asked;
      return ways_.note(events::ToolJudged{run_, agent, notice.tool, notice.text,
                                           asked ? "asked" : "allowed", notice.rule});
    }
    case GateNotice::Type::subagent:
      return ways_.note(events::SubagentStarted{run_, agent, notice.text});
    case GateNotice::Type::hidden:
      return ways_.note(events::HiddenFile{run_, agent, notice.tool, notice.text});
    case GateNotice::Type::result:
    case GateNotice::Type::ask:
    case GateNotice::Type::advise:
    case GateNotice::Type::serve:
      return;
  }
}

// Nothing that was found costs no line, so that nothing else can be muted by it.
void GateDesk::note_result(const GateNotice& notice, int64_t now) {
  std::string agent = agent_of(notice);
  if (notice.failed != 0 && has_line_for("failed", now))
    ways_.note(events::ToolFailed{run_, agent, notice.tool, notice.text});
  if (notice.secrets != 0 && has_line_for("secret", now))
    ways_.note(events::ResultFinding{run_, agent, notice.tool, "secret", notice.text, 0});
  if (notice.weight == 0 || !has_line_for("finding", now)) return;
  tell_once(
      std::string(notice.tool) + "\n" + notice.person,
      events::ResultFinding{run_, agent, notice.tool, notice.why, notice.person, notice.weight});
}

// It has one message to hear, and room for it; whoever has gone is forgotten all the same.
void GateDesk::answer(uint32_t number, const GateAnswer& answer, std::span<const int> fds) {
  auto visitor = visitors_.find(number);
  if (visitor == visitors_.end()) return;
  (void)channel::send(visitor->second.connection.get(), fixed::bytes_of(answer), fds,
                      MSG_DONTWAIT | MSG_NOSIGNAL);
  visitors_.erase(visitor);
}

void GateDesk::answer_all(const WaitingCall& call, GateAnswer::Type type) {
  for (uint32_t number : call.connections)
    answer(number, {type});
}

void GateDesk::refuse_unanswered(int64_t now) {
  while (auto call = waiting_.take_expired(now)) {
    ways_.tell(
        events::Answered{run_, call->id, call->to.shown(), "nobody answered", "once", "", "tool"});
    answer_all(*call, GateAnswer::Type::unanswered);
  }
}

void GateDesk::drop_silent(int64_t now) {
  size_t dropped = std::erase_if(visitors_, [now](const auto& entry) {
    return entry.second.until != 0 && entry.second.until <= now;
  });
  for (; dropped > 0; dropped--)
    count_unheard(now);
}

bool GateDesk::has(uint64_t id) const {
  return std::ranges::find(waiting_.all(), id, &WaitingCall::id) != waiting_.all().end();
}

std::optional<WaitingCall> GateDesk::approve(uint64_t id, std::optional<int64_t> until) {
  auto call = waiting_.take(id);
  if (!call) return std::nullopt;
  if (until && approved_.size() < kMostApproved) approved_[call->to.digest()] = *until;
  answer_all(*call, GateAnswer::Type::approved);
  return call;
}

std::optional<WaitingCall> GateDesk::reject(uint64_t id, bool for_the_run) {
  auto call = waiting_.take(id);
  if (!call) return std::nullopt;
  if (for_the_run && rejected_.size() < kMostApproved) rejected_.insert(call->to.digest());
  answer_all(*call, GateAnswer::Type::rejected);
  return call;
}

}  // namespace ringwall::desks
