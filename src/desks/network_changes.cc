// The desk's part for the person: grants and denials while the run goes on, and connections that
// wait for an answer.
#include <algorithm>

#include "base/clock.h"
#include "desks/asking_program.h"
#include "desks/destination_text.h"
#include "desks/network_desk.h"
#include "sandbox/wall.h"

namespace ringwall::desks {
namespace {

constexpr int64_t kForOthers = 5'000'000;        // nanoseconds until a look, for those that follow
constexpr int64_t kBetweenLooks = 200'000'000;   // at least
constexpr int64_t kUntilNextLook = 500'000'000;  // at those that are still held

bool covers(const policy::HostPattern& pattern, const net::Destination& to) {
  return to.name[0] != '\0' ? pattern.matches(to.name, to.port)
                            : pattern.matches_address(to.address, to.is_ipv6 != 0, to.port);
}

// The pattern that means this destination and nothing else.
Result<policy::HostPattern> pattern_of(const net::Destination& to) {
  return policy::parse_host_pattern(show(to));
}

int64_t earlier(int64_t one, int64_t other) {
  return one == 0 || other == 0 ? std::max(one, other) : std::min(one, other);
}

}  // namespace

int64_t NetworkDesk::next_deadline() const {
  int64_t ends = 0;
  for (const auto& [until, pattern] : ending_)
    ends = earlier(ends, until);
  int64_t answers = earlier(waiting_.next_deadline(), next_look_);
  int64_t kernel = kernel_asked_ == 0 ? 0 : kernel_asked_ + kBetweenKernelLooks;
  return earlier(earlier(earlier(dialer_.next_deadline(), answers), ends), kernel);
}

void NetworkDesk::refuse_or_ask(uint32_t id, const net::Decision& decision) {
  const net::Destination to = pending_[id].to;
  bool by_a_rule = decision.by != nullptr;
  if (by_a_rule || !request_.asks)
    return refuse(id, decision.why, by_a_rule ? "" : advise_grant(to));
  const WaitingRequest* waits = waiting_.add(id, to, clock::monotonic(), request_.patience);
  if (waits == nullptr) return refuse(id, "too many other connections wait for an answer");
  if (waits->connections.size() > 1) return;
  std::string program = ledger_.program_of(pending_[id].asker);
  events::Asked asked{ledger_.run(), waits->id, show(to), program};
  waiting_.name_program(waits->id, std::move(program));
  ledger_.ways().tell(asked);
}

void NetworkDesk::forget(uint32_t id) {
  pending_.erase(id);
  half_closed_.erase(id);
  lookup_.forget(id);
  dialer_.forget(id);
  if (auto request = waiting_.forget(id))
    ledger_.ways().note(
        events::Answered{ledger_.run(), request->id, show(request->to), "left", "", ""});
}

void NetworkDesk::take_half_closed(uint32_t id) {
  if (!request_.asks || !pending_.contains(id)) return;
  half_closed_.insert(id);
  // Several at once are looked for together.
  int64_t soon = std::max(clock::monotonic() + kForOthers, last_look_ + kBetweenLooks);
  next_look_ = earlier(next_look_, soon);
}

// One that sends nothing more may still wait for an answer, or have been closed: the wire shows no
// difference, and says nothing if it is closed later.
void NetworkDesk::forget_who_left(int64_t now) {
  std::erase_if(half_closed_, [this](uint32_t id) { return !pending_.contains(id); });
  if (half_closed_.empty()) next_look_ = 0;
  if (next_look_ == 0 || now < next_look_) return;
  last_look_ = now;
  next_look_ = now + kUntilNextLook;
  auto held = list_held_ports(ledger_.init());
  if (!held) return;
  for (uint32_t id : std::set<uint32_t>(half_closed_)) {
    if (held->contains(pending_[id].asker.port)) continue;
    forget(id);
    net::RelayOrder order{net::RelayOrder::Type::cut};
    order.id = id;
    (void)send(order);  // its end is seen when it is read from
  }
}

void NetworkDesk::refuse_unanswered(int64_t now) {
  while (auto request = waiting_.take_expired(now)) {
    // The refusal is told.
    ledger_.ways().note(events::Answered{ledger_.run(), request->id, show(request->to),
                                         "nobody answered", "once", ""});
    for (uint32_t id : request->connections) {
      if (pending_.contains(id)) refuse(id, "nobody answered in time", advise_grant(request->to));
    }
  }
}

void NetworkDesk::end_grants(int64_t now) {
  for (const auto& [until, pattern] : ending_) {
    if (until > now) continue;
    std::string text = pattern.text();
    auto rule = std::ranges::find_if(request_.rules.allow, [&](const net::EgressRule& one) {
      return one.rule.key.empty() && one.pattern.text() == text;
    });
    if (rule != request_.rules.allow.end()) request_.rules.allow.erase(rule);
    ledger_.ways().note(events::PolicyChanged{ledger_.run(), "no more " + text, "", "its time"});
  }
  std::erase_if(ending_, [&](const auto& ending) { return ending.first <= now; });
}

void NetworkDesk::allow(const policy::HostPattern& pattern, int64_t until) {
  // The person's last word holds over the one before; the policy's denials stay.
  std::erase_if(request_.rules.deny, [&](const net::EgressRule& rule) {
    bool is_about_it = pattern.covers(rule.pattern) || rule.pattern.covers(pattern);
    return rule.rule.key.empty() && is_about_it;
  });
  request_.rules.allow.push_back({pattern, {"", {policy::Layer::command_line, "ringwall allow"}}});
  if (until != 0) ending_.emplace_back(until, pattern);
  // Whoever waits for it, waits no longer.
  std::vector<uint64_t> covered;
  for (const WaitingRequest& waiting : waiting_.all()) {
    if (covers(pattern, waiting.to)) covered.push_back(waiting.id);
  }
  for (uint64_t id : covered)
    (void)approve(id, std::nullopt);
}

void NetworkDesk::deny(const policy::HostPattern& pattern) {
  std::erase_if(request_.rules.allow, [&](const net::EgressRule& rule) {
    return rule.rule.key.empty() && pattern.covers(rule.pattern);
  });
  std::erase_if(request_.rules.deny, [&](const net::EgressRule& rule) {
    return rule.rule.key.empty() && pattern.covers(rule.pattern);  // said again
  });
  request_.rules.deny.push_back({pattern, {"", {policy::Layer::command_line, "ringwall deny"}}});
  // What had an end was a grant that this takes back; one that follows has its own.
  std::erase_if(ending_, [&](const auto& ending) { return pattern.covers(ending.second); });
  for (const auto& [id, open] : ledger_.open_connections()) {
    net::RelayOrder order{net::RelayOrder::Type::cut};
    order.id = id;
    bool leads_there =
        open.peer && !net::judge_denials(request_.rules, *open.peer, open.to.port).granted;
    // Its end is seen when it is read from.
    if (leads_there || covers(pattern, open.to)) (void)send(order);
  }
  std::vector<uint64_t> covered;
  for (const WaitingRequest& waiting : waiting_.all()) {
    if (covers(pattern, waiting.to)) covered.push_back(waiting.id);
  }
  for (uint64_t id : covered)
    (void)reject(id, false);
}

bool NetworkDesk::refuse_if_denied(uint32_t id, const std::optional<net::Address>& peer) {
  auto asked = pending_.find(id);
  if (asked == pending_.end()) return false;  // who asked has left
  const net::Destination& to = asked->second.to;
  bool by_name = to.name[0] != '\0';
  if (by_name && sandbox::is_taken_away(sandbox::Wall::network_names)) return false;
  net::Decision decision = by_name
                               ? net::decide(request_.rules, to.name, to.port)
                               : net::decide_address(request_.rules, address_of(to), to.port, {});
  bool is_denied = !decision.granted && decision.by != nullptr;
  if (!is_denied && peer) {
    decision = net::judge_denials(request_.rules, *peer, to.port);
    is_denied = !decision.granted;
  }
  if (is_denied) refuse(id, decision.why);
  return is_denied;
}

std::optional<WaitingRequest> NetworkDesk::approve(uint64_t id, std::optional<int64_t> until) {
  auto request = waiting_.take(id);
  if (!request) return std::nullopt;
  auto pattern = pattern_of(request->to);
  if (until && pattern) allow(*pattern, *until);
  for (uint32_t connection : request->connections) {
    auto pending = pending_.find(connection);
    if (pending == pending_.end()) continue;
    pending->second.is_approved = true;
    pending->second.rule = "approved";
    const net::Destination to = pending->second.to;
    to.name[0] != '\0' ? connect_by_name(connection, to.name, to.port)
                       : connect_by_address(connection, to);
  }
  return request;
}

std::optional<WaitingRequest> NetworkDesk::reject(uint64_t id, bool for_the_run) {
  auto request = waiting_.take(id);
  if (!request) return std::nullopt;
  auto pattern = pattern_of(request->to);
  if (for_the_run && pattern) deny(*pattern);
  for (uint32_t connection : request->connections) {
    if (pending_.contains(connection)) refuse(connection, "you rejected it");
  }
  return request;
}

}  // namespace ringwall::desks
