#include "learn/learn.h"

#include <sys/mman.h>

#include <cstring>
#include <set>

#include "events/network_row.h"
#include "events/redact.h"
#include "hand/wanted_table.h"
#include "learn/learned_files.h"
#include "learn/learned_hosts.h"
#include "policy/hosts.h"

namespace ringwall::learn {

namespace {

bool is_granted(const net::EgressRules& rules, const std::string& address) {
  auto host = policy::parse_host_pattern(address);
  if (!host || host->kind != policy::HostPattern::Kind::address) return false;
  net::Address wanted{host->is_ipv6, {}};
  memcpy(wanted.bytes, host->address, sizeof wanted.bytes);
  return net::decide_address(rules, wanted, host->first_port, {}).granted;
}

}  // namespace

Result<std::unique_ptr<Learning>> Learning::begin() {
  void* memory = mmap(nullptr, hand::kWantedBytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return fail_errno("no memory to note what is wanted");
  return std::unique_ptr<Learning>(new Learning({static_cast<char*>(memory), hand::kWantedBytes}));
}

Learning::~Learning() { munmap(memory_.data(), memory_.size()); }

bool Learning::takes(const events::Event& event) {
  if (const auto* blocked = std::get_if<events::Blocked>(&event)) {
    programs_.emplace(blocked->destination, blocked->program);
    return true;
  }
  if (const auto* use = std::get_if<events::NetworkUse>(&event)) {
    hosts_ = use->rows;
    return true;
  }
  has_begun_ |= std::holds_alternative<events::RunStarted>(event);
  return false;
}

std::vector<policy::Wish> Learning::hosts_wanted(const hand::WantedPaths& wanted,
                                                 const prepare::Preparation& prepared) const {
  const net::EgressRules& rules = prepared.network.request.rules;
  std::vector<AskedHost> asked;
  std::set<std::string> connected;  // names whose ports are known
  for (const events::NetworkUse::Row& row : hosts_) {
    size_t colon = row.destination.rfind(':');
    if (colon != std::string::npos) connected.insert(row.destination.substr(0, colon));
  }
  for (const events::NetworkUse::Row& row : hosts_) {
    if (connected.contains(row.destination)) continue;  // its question, before that
    auto known = programs_.find(row.destination);
    std::string program = known == programs_.end() ? "" : known->second;
    bool was_granted = row.why.empty() || row.why.starts_with(events::kNotReached);
    if (!was_granted) asked.push_back({row.destination, row.why, row.times, program});
  }
  for (const hand::WantedPath& one : wanted.paths) {
    // What is granted reached the desk, and was counted there.
    bool was_refused = one.wanted == hand::Wanted::reach && !is_granted(rules, one.path);
    if (was_refused)
      asked.push_back({one.path, "no grant names this address", one.times, one.program});
  }
  return wishes_for_hosts(asked, rules);
}

Result<policy::Proposal> Learning::end(const prepare::Preparation& prepared) const {
  TRY_ASSIGN(hand::WantedPaths wanted, hand::read_wanted({memory_.data(), memory_.size()}));
  TRY_ASSIGN(SensitivePlaces sensitive, SensitivePlaces::collect(prepared.caller, prepared.places));
  std::vector<policy::Wish> wishes = wishes_for_files(wanted, prepared, sensitive);
  for (policy::Wish& wish : hosts_wanted(wanted, prepared))
    wishes.push_back(std::move(wish));
  // What was asked for may carry away what the asker knows; it is not handed on to a file.
  for (policy::Wish& wish : wishes) {
    std::string clean = events::redact(wish.what);
    if (clean == wish.what) continue;
    wish.what = std::move(clean);
    wish.left_out = "holds what looks like a secret";
  }
  policy::Proposal proposal =
      policy::propose(wishes, {prepared.caller.home, [&](const std::string& folder, bool writes) {
                                 return why_not_the_folder(folder, writes, prepared, sensitive);
                               }});
  proposal.unseen = wanted.left_off;
  return proposal;
}

}  // namespace ringwall::learn
