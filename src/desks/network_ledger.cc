#include "desks/network_ledger.h"

#include "base/shell_word.h"
#include "desks/asking_program.h"
#include "desks/destination_text.h"
#include "events/network_row.h"

namespace ringwall::desks {
namespace {

constexpr size_t kMostTold = 20;
constexpr size_t kMostCounted = 1000;  // different ones; the rest is one
constexpr std::string_view kOthers = "(others)";
constexpr size_t kMostReached = 10'000;
constexpr uint64_t kWorthALine = 4 << 10;  // bytes that have left; keys and logins are small
constexpr uint64_t kWorthIfExpected = 16 << 10;
constexpr uint64_t kWorthMany = 64 << 10;  // to all together

}  // namespace

void NetworkLedger::open(std::string run, pid_t init, EventWays ways) {
  run_ = std::move(run);
  init_ = init;
  ways_ = std::move(ways);
}

std::string NetworkLedger::program_of(const net::Asker& asker) const {
  return find_asking_program(init_, asker);
}

void NetworkLedger::count(const std::string& where, const std::string& why, uint64_t times) {
  auto known = counted_.find({where, why});
  if (known != counted_.end()) {
    known->second += times;
  } else if (counted_.size() < kMostCounted) {
    counted_[{where, why}] += times;
  } else {
    counted_[{std::string(kOthers), why.empty() ? "" : "refused"}] += times;
  }
}

void NetworkLedger::refused(const net::Destination& to, const net::Asker& asker,
                            const std::string& why, const std::string& advice, uint64_t more,
                            By by) {
  std::string where = show(to);
  count(where, why, 1 + more);
  bool is_new = told_.size() < kMostTold && told_.insert(where + " " + why).second;
  events::Blocked event{run_, where, "", why, advice, 1 + more, by == By::risk, by == By::content};
  if (!is_new) {
    if (told_.size() >= kMostTold && !told_.contains(where + " " + why)) tell_of_more();
    return ways_.note(event);
  }
  // Looked for only once: it takes a walk over all processes.
  event.program = program_of(asker);
  bool is_name_alone = to.port == 0 && !advice.empty();
  if (is_name_alone) event.advice = advise_grant(to, event.program);
  ways_.tell(event);
}

// Once: an agent could fill the screen with its tries.
void NetworkLedger::tell_of_more() {
  if (std::exchange(told_of_more_, true)) return;
  ways_.tell(events::Withheld{"further refusals of the network are not told one by one",
                              "see them: ringwall log " + text::shell_word(run_) + " --network"});
}

void NetworkLedger::not_reached(const net::Destination& to, const std::string& why) {
  count(show(to), std::string(events::kNotReached) + why, 1);
}

void NetworkLedger::opened(uint32_t id, Open connection, const std::string& rule, bool expected) {
  std::string where = show(connection.to);
  bool has_room = uploaded_.size() < kMostReached || uploaded_.contains(where);
  if (has_room) uploaded_[where].expected = expected;
  opened_++;
  open_[id] = std::move(connection);
  count(where, "", 1);
  ways_.note(events::Connected{run_, where, rule, 1, expected});
}

void NetworkLedger::say(const std::string& where, Uploaded& uploaded) {
  if (uploaded.unsaid == 0) return;
  uploaded.total += uploaded.unsaid;
  unsaid_ -= uploaded.unsaid;
  ways_.note(events::Sent{run_, where, std::exchange(uploaded.unsaid, 0), uploaded.total,
                          uploaded.expected});
}

void NetworkLedger::sent(uint32_t id, uint64_t bytes) {
  auto open = open_.find(id);
  if (open == open_.end()) return;
  std::string where = show(open->second.to);
  auto known = uploaded_.find(where);
  if (known == uploaded_.end()) known = uploaded_.try_emplace(std::string(kOthers)).first;
  known->second.unsaid += bytes;
  unsaid_ += bytes;
  uint64_t least = known->second.expected ? kWorthIfExpected : kWorthALine;
  if (known->second.unsaid >= least) say(known->first, known->second);
  if (unsaid_ >= kWorthMany) tell_sent();
}

void NetworkLedger::closed(uint32_t id, uint64_t bytes) {
  sent(id, bytes);
  open_.erase(id);
}

void NetworkLedger::tell_sent() {
  for (auto& [where, uploaded] : uploaded_)
    say(where, uploaded);
}

bool NetworkLedger::has_reached(const net::Destination& to) const {
  return uploaded_.contains(show(to));
}

events::NetworkUse NetworkLedger::describe_use() const {
  events::NetworkUse use{run_, {}};
  for (const auto& [what, times] : counted_)
    use.rows.push_back({what.first, what.second, times});
  return use;
}

}  // namespace ringwall::desks
