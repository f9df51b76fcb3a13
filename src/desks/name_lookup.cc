#include "desks/name_lookup.h"

#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>

#include "base/channel.h"
#include "base/clock.h"
#include "base/fixed_message.h"
#include "net/resolver.h"
#include "sandbox/resolver_walls.h"

namespace ringwall::desks {
namespace {

constexpr int64_t kHolds = 5'000'000'000;  // nanoseconds that a name's addresses are believed
constexpr size_t kMostRemembered = 4096;   // names
// Of the resolver's threads.
constexpr size_t kMostBelowOne = 16;
constexpr size_t kMostBelowAll = net::kMostThreads / 2;

}  // namespace

Status NameLookup::start_resolver() {
  TRY_ASSIGN(channel::Pair pair, channel::make_pair());
  processes::HelperRequest helper{"ringwall-resolver", start_area_, {pair.theirs.get()}};
  helper.own_walls = sandbox::enter_resolver_walls;
  TRY_ASSIGN(resolver_.pid,
             processes::start_helper(std::move(helper), [](std::span<const int> kept) {
               net::run_resolver(kept[0], sandbox::try_resolver_acts);
             }));
  resolver_.channel = std::move(pair.ours);
  to_resolver_ = channel::Outbox(resolver_.channel.get());
  if (watch_(resolver_.channel.get())) return {};
  resolver_.end();
  return fail("cannot watch the resolver of names");
}

void NameLookup::ask(uint32_t id, const std::string& name, const std::string& below) {
  auto known = known_.find(name);
  if (known != known_.end() && known->second.until > clock::monotonic())
    return found_(id, name, 0, known->second.addresses);
  Question& question = questions_[name];
  question.waiting.push_back(id);
  waits_for_[id] = name;
  if (question.waiting.size() > 1 || question.is_asked) return;
  if (!resolver_.channel && !start_resolver()) return finish(name, EAI_SYSTEM, {});
  question.below = below;
  if (has_room(below)) return put(name, question);
  put_off_.push_back(name);
}

void NameLookup::forget(uint32_t id) {
  auto found = waits_for_.find(id);
  if (found == waits_for_.end()) return;
  auto question = questions_.find(found->second);
  waits_for_.erase(found);
  if (question == questions_.end()) return;
  std::erase(question->second.waiting, id);
  if (!question->second.waiting.empty() || question->second.is_asked) return;
  std::erase(put_off_, question->first);
  questions_.erase(question);
}

bool NameLookup::has_room(const std::string& below) const {
  if (below.empty()) return true;
  auto held = held_below_.find(below);
  return held_by_wildcards_ < kMostBelowAll &&
         (held == held_below_.end() || held->second < kMostBelowOne);
}

void NameLookup::put(const std::string& name, Question& question) {
  if (!question.below.empty()) {
    held_below_[question.below]++;
    held_by_wildcards_++;
  }
  question.is_asked = true;
  net::ResolverOrder order{next_++};
  fixed::put(order.name, name);
  asked_[order.id] = name;
  (void)to_resolver_.send(fixed::bytes_of(order));  // its end is seen when it is read from
}

// In the order in which they were asked for, but past those that have to wait still.
void NameLookup::put_the_next() {
  for (auto name = put_off_.begin(); name != put_off_.end();) {
    Question& question = questions_.at(*name);
    if (has_room(question.below)) {
      put(*name, question);
      name = put_off_.erase(name);
    } else {
      name++;
    }
  }
}

Status NameLookup::take_notice(const TakeAct& take_act) {
  auto message = channel::receive(resolver_.channel.get(), MSG_DONTWAIT);
  if (!message && message.error().err == EAGAIN) return {};
  auto notice = message && !message->bytes.empty() ? net::parse_resolver_notice(message->bytes)
                                                   : std::unexpected(Error{"gone"});
  if (!notice) return fail("the resolver of names ended unexpectedly");
  if (notice->type != net::ResolverNotice::Type::addresses) {
    take_act(notice->act, notice->error, notice->type == net::ResolverNotice::Type::acts_done);
    return {};
  }
  auto asked = asked_.find(notice->id);
  if (asked == asked_.end()) return {};
  std::string name = std::move(asked->second);
  asked_.erase(asked);
  const std::string& below = questions_.at(name).below;
  if (!below.empty()) {
    held_by_wildcards_--;
    if (--held_below_[below] == 0) held_below_.erase(below);
  }
  finish(name, notice->error, {notice->addresses, notice->addresses + notice->count});
  put_the_next();
  return {};
}

void NameLookup::finish(const std::string& name, int error,
                        const std::vector<net::Address>& addresses) {
  auto question = questions_.find(name);
  if (question == questions_.end()) return;
  std::vector<uint32_t> waiting = std::move(question->second.waiting);
  questions_.erase(question);
  if (error == 0 && !addresses.empty()) {
    if (known_.size() >= kMostRemembered) known_.clear();
    known_[name] = {clock::monotonic() + kHolds, addresses};
  }
  for (uint32_t id : waiting) {
    waits_for_.erase(id);
    found_(id, name, error, addresses);
  }
}

bool NameLookup::try_acts() {
  if (!resolver_.channel) return false;
  net::ResolverOrder order{0, {}, true};
  return to_resolver_.send(fixed::bytes_of(order)).has_value();
}

}  // namespace ringwall::desks
