// The desk's part for what others have refused, and for hosts that were granted and not reached.
#include <algorithm>

#include "desks/destination_text.h"
#include "desks/network_desk.h"
#include "events/network_row.h"
#include "net/flow.h"

namespace ringwall::desks {
namespace {

// How to send more than the relay has let pass.
std::string advise_limit(std::string_view why) {
  for (const char* limit : {"upload_limit", "upload_total"}) {
    if (why != net::words_of_limit(limit)) continue;
    std::string flag =
        limit == std::string_view("upload_limit") ? "--upload-limit" : "--upload-total";
    return "raise it: ringwall run " + flag + " SIZE …";
  }
  return {};
}

}  // namespace

void NetworkDesk::tell_of_relay(const net::RelayNotice& notice) {
  // Names that are none are refused there too, before there is a connection.
  auto by = notice.to.port == 0 ? NetworkLedger::By::rule : NetworkLedger::By::content;
  ledger_.refused(notice.to, notice.asker, notice.why, advise_limit(notice.why),
                  static_cast<uint64_t>(std::max(notice.value, 0)), by);
}

// Rules of the kernel know ports and addresses; what they refuse is told as we would have.
void NetworkDesk::tell_of_kernel(const net::RelayNotice& notice) {
  std::string name = notice.to.name;
  net::Decision decision =
      name.empty() ? net::decide_address(request_.rules, address_of(notice.to), notice.to.port, {})
                   : net::decide(request_.rules, name, notice.to.port);
  if (decision.granted) return;  // nobody refuses that
  ledger_.refused(notice.to, {}, decision.why,
                  decision.by == nullptr ? advise_grant(notice.to) : "",
                  static_cast<uint64_t>(std::max(notice.value, 1)) - 1);
}

// Granted, and yet nobody was there: noted. A proxy that does not do its part stands in everybody's
// way, so the person hears of that.
void NetworkDesk::tell_not_reached(uint32_t id, const std::string& why, bool proxy_has_spoken) {
  auto found = pending_.find(id);
  if (found == pending_.end()) return;
  const Pending& pending = found->second;
  if (!request_.upstream) return ledger_.not_reached(pending.to, why);
  bool has_login = !request_.upstream->authorization.empty();
  std::string advice = "look at network.upstream";
  if (why == net::kProxyWantsLogin)
    advice = has_login ? "it was given the login in the file of --upstream-login, and refused it"
                       : "give it one: ringwall run --upstream-login FILE …";
  ledger_.refused(pending.to, pending.asker,
                  proxy_has_spoken ? why : "the upstream proxy cannot be reached: " + why, advice);
}

// Before anything was decided over what is still open, the run has ended.
events::NetworkUse NetworkDesk::describe_use() const {
  events::NetworkUse use = ledger_.describe_use();
  for (const auto& [id, pending] : pending_) {
    if (pending.to.port != 0)
      use.rows.push_back({show(pending.to), std::string(events::kNotReached) + "the run ended", 1});
  }
  return use;
}

}  // namespace ringwall::desks
