#include "session/run_network.h"

#include "net/redirect.h"
#include "processes/network_change.h"

namespace ringwall::session {

Result<RunNetwork> RunNetwork::start(const prepare::PlannedNetwork& planned,
                                     std::span<char> start_area) {
  RunNetwork network;
  network.later = planned.request;
  network.has_wall = planned.plan.has_wall;
  if (!planned.needs_desk()) return network;
  if (planned.publishes()) {
    TRY_ASSIGN(network.published, desks::PublishedPorts::listen(planned.published));
  }
  TRY_ASSIGN(network.desk, desks::NetworkDesk::start(planned.request, start_area));
  return network;
}

Status RunNetwork::open(sandbox::Launched& launched, const prepare::PlannedNetwork& planned,
                        const std::string& run, const desks::EventWays& ways,
                        std::span<char> start_area) {
  sandbox::HandedOut& made = launched.handed_out;
  if (desk) TRY(desk->open(made.wall, run, launched.pid, ways));
  if (planned.push.on) {
    TRY_ASSIGN(keys, desks::KeyDesk::start(planned.push, planned.request.rules, made.served,
                                           start_area, run, ways.tell));
  }
  if (planned.login_callback) {
    std::set<uint16_t> known;
    for (const policy::PublishedPort& port : planned.published)
      known.insert(port.inside);
    callback = std::make_unique<desks::LoginCallback>(*published, launched.pid, std::move(known),
                                                      ways.tell);
  }
  // The helpers have them.
  made.wall = {};
  made.served = {};
  return {};
}

Status RunNetwork::allow(const sandbox::Launched& launched, const policy::HostPattern& pattern,
                         int64_t until, const std::string& run, const desks::EventWays& ways,
                         std::span<char> start_area) {
  if (has_wall) {
    TRY(processes::change_redirect(launched, net::encode_further_grant(pattern), start_area));
  } else {
    sandbox::NetworkPlan plan;
    desks::NetworkRequest first;
    first.rules.allow.push_back({pattern, {}});
    prepare::plan_wall(first, false, plan);
    // A desk that only serves published ports has no wall yet.
    bool is_new = !desk;
    if (is_new) {
      TRY_ASSIGN(desk, desks::NetworkDesk::start(later, start_area));
    }
    auto sockets = processes::build_wall_later(launched, plan, start_area);
    Status opened = !sockets ? std::unexpected(sockets.error())
                    : is_new ? desk->open(*sockets, run, launched.pid, ways)
                             : desk->take_sockets(*sockets);
    if (!opened && is_new) desk.reset();
    TRY(opened);
    has_wall = true;
  }
  desk->allow(pattern, until);
  return {};
}

}  // namespace ringwall::session
