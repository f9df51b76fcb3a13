// What the network desk does at a level of risk: nobody new is reached, or nobody at all.
#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "desks/destination_text.h"
#include "desks/network_desk.h"
#include "net/kernel_refusals.h"

namespace ringwall::desks {

void NetworkDesk::note_rule(Pending& pending, const net::Decision& decision) {
  if (decision.by == nullptr) return;
  pending.rule = decision.by->pattern.text();
  pending.is_expected = decision.by->rule.origin.layer == policy::Layer::profile;
}

Status NetworkDesk::ask_kernel() {
  kernel_asked_ = clock::monotonic();
  // Where they cannot be read, less is told.
  auto refusals = rules_ ? net::read_kernel_refusals(rules_.get()) : std::unexpected(Error{"none"});
  for (size_t i = 0; refusals && i < refusals->size(); i++) {
    const net::KernelRefusal& refusal = (*refusals)[i];
    net::Destination to = destination_of(refusal.address, refusal.port);
    uint64_t& told = kernel_told_[show(to)];
    uint64_t times = refusal.times - std::min(std::exchange(told, refusal.times), refusal.times);
    if (times == 0) continue;
    net::RelayOrder order{net::RelayOrder::Type::refused_by_kernel};
    order.value = static_cast<uint32_t>(std::min<uint64_t>(times, INT32_MAX));
    order.to = to;
    TRY(send(order));
  }
  // The sets are small: read once and kept, a few addresses would leave no room for all others.
  if (refusals && !refusals->empty() && net::forget_kernel_refusals(rules_.get(), *refusals))
    kernel_told_.clear();
  return {};
}

bool NetworkDesk::refuse_by_risk(uint32_t id) {
  auto asked = pending_.find(id);
  if (asked == pending_.end()) return false;  // who asked has left
  const Pending pending = asked->second;
  bool is_new = only_known_ && !pending.is_approved && !ledger_.has_reached(pending.to);
  if (!is_cut_ && !is_new) return false;
  std::string why = is_cut_ ? "the run is isolated by its risk: its network is cut"
                            : "the run is restricted by its risk: nobody new is reached";
  std::string advice = "ringwall risk lower " + ledger_.run() + " --reason …";
  ledger_.refused(pending.to, pending.asker, why, advice, 0, NetworkLedger::By::risk);
  answer(id, net::RelayOrder::Verdict::no, why + " (" + advice + ")");
  return true;
}

void NetworkDesk::cut(bool is_cut) {
  if (std::exchange(is_cut_, is_cut) == is_cut || !is_cut) return;
  // What waits for its answer, its name or its dial is refused when that comes.
  (void)send({net::RelayOrder::Type::cut, net::RelayOrder::Verdict::no, 0});
}

}  // namespace ringwall::desks
