// What a person outside may do to a run that goes on: grant and deny, answer what waits, end it.
// Every change is an event with who made it.
#include <signal.h>

#include "base/clock.h"
#include "base/text.h"
#include "desks/destination_text.h"
#include "policy/hosts.h"
#include "session/supervisor.h"

namespace ringwall::session {
namespace {

constexpr int64_t kNanoseconds = 1'000'000'000;
constexpr int64_t kLongestSeconds = 366ll * 86'400;

std::string show_scope(int64_t seconds) {
  if (seconds == state::kOnce) return "once";
  if (seconds == state::kForTheRun || seconds == state::kAlways) return "session";
  if (seconds % 3600 == 0) return std::to_string(seconds / 3600) + "h";
  if (seconds % 60 == 0) return std::to_string(seconds / 60) + "m";
  return std::to_string(seconds) + "s";
}

boost::json::array show_rules(const std::vector<net::EgressRule>& rules) {
  boost::json::array out;
  for (const net::EgressRule& rule : rules)
    out.emplace_back(rule.pattern.text());
  return out;
}

}  // namespace

desks::EventWays Supervisor::ways() {
  return {run_.tell, [this](const events::Event& event) { note(event); }};
}

void Supervisor::note_control(const Client& client, std::string act,
                              std::vector<std::string> command) {
  changes_++;
  note(events::Controlled{run_.run_name, std::move(act), std::move(command),
                          state::name_peer(client.connection.get())});
}

// False if the request makes no sense from this client.
bool Supervisor::serve_control(Client& client, const state::ControlMessage& request) {
  switch (request.type) {
    case state::ControlType::status: {
      state::ControlMessage state{state::ControlType::state};
      state.status = status();
      answer(client, state);
      return true;
    }
    case state::ControlType::allow:
    case state::ControlType::deny:
      change_network(client, request);
      return true;
    case state::ControlType::approve:
    case state::ControlType::reject:
      answer_waiting(client, request);
      return true;
    case state::ControlType::lower_risk:
      lower_risk(client, request);
      return true;
    case state::ControlType::stop:
    case state::ControlType::kill:
      end_by_request(client, request);
      return true;
    default:
      return false;
  }
}

void Supervisor::change_network(Client& client, const state::ControlMessage& request) {
  bool allows = request.type == state::ControlType::allow;
  auto pattern = policy::parse_host_pattern(request.text,
                                            allows ? policy::NoPort::https : policy::NoPort::any);
  Status possible = !pattern ? std::unexpected(pattern.error())
                    : allows ? policy::check_grant(*pattern)
                             : Status();
  if (!possible) {
    const Error& error = possible.error();
    return refuse(client, text::quote(request.text) + " " + error.what +
                              (error.hint.empty() ? "" : "; " + error.hint));
  }
  if (request.seconds < 0 || request.seconds > kLongestSeconds)
    return refuse(client, "no time that a grant can last");
  if (allows && !run_.network_lock.empty())
    return refuse(client, "network.allow is locked (" + run_.network_lock + ")");
  int64_t until = request.seconds == 0 ? 0 : clock::monotonic() + request.seconds * kNanoseconds;
  if (allows) {
    Status done =
        run_.network.allow(run_.sandbox, *pattern, until, run_.run_name, ways(), run_.start_area);
    if (!done) return refuse(client, done.error().text());
    prepare_network();  // its desk may be new
    narrow_network();
  } else if (run_.network.desk) {
    run_.network.desk->deny(*pattern);
  } else {
    run_.network.later.rules.deny.push_back({*pattern, {}});
  }
  follow_network();
  changes_++;
  note(events::PolicyChanged{run_.run_name, (allows ? "allow " : "deny ") + pattern->text(),
                             show_scope(request.seconds),
                             state::name_peer(client.connection.get())});
  answer(client, {state::ControlType::done});
}

namespace {

// On the monotonic clock, 0: with the run; nothing: no longer than this once.
std::optional<int64_t> end_of_answer(int64_t seconds) {
  if (seconds == state::kForTheRun || seconds == state::kAlways) return 0;
  if (seconds > 0) return clock::monotonic() + seconds * kNanoseconds;
  return std::nullopt;
}

}  // namespace

void Supervisor::answer_waiting(Client& client, const state::ControlMessage& request) {
  bool approves = request.type == state::ControlType::approve;
  if (request.seconds < state::kAlways || request.seconds > kLongestSeconds)
    return refuse(client, "no time that an answer can last");
  auto id = static_cast<uint64_t>(request.value);
  if (run_.gate && run_.gate->has(id)) return answer_call(client, request);
  if (approves && !run_.network_lock.empty())
    return refuse(client, "network.allow is locked (" + run_.network_lock + ")");
  std::optional<int64_t> until = end_of_answer(request.seconds);
  std::optional<desks::WaitingRequest> answered;
  if (run_.network.desk) {
    answered = approves ? run_.network.desk->approve(id, until)
                        : run_.network.desk->reject(id, until == 0);
  }
  if (!answered)
    return refuse(client, "nothing waits under the number " + std::to_string(request.value));
  follow_network();
  finish_answer(client, request, desks::show(answered->to), "");
}

// A tool call of the agent.
void Supervisor::answer_call(Client& client, const state::ControlMessage& request) {
  if (request.seconds == state::kAlways)
    return refuse(client, "a tool call is answered once, for a time or for the session; for " +
                              std::string("always, write a rule: tools.allow or tools.deny"));
  auto id = static_cast<uint64_t>(request.value);
  std::optional<int64_t> until = end_of_answer(request.seconds);
  auto answered = request.type == state::ControlType::approve ? run_.gate->approve(id, until)
                                                              : run_.gate->reject(id, until == 0);
  if (answered) finish_answer(client, request, answered->to.shown(), "tool");
}

void Supervisor::finish_answer(Client& client, const state::ControlMessage& request,
                               const std::string& what, std::string kind) {
  changes_++;
  bool approves = request.type == state::ControlType::approve;
  note(events::Answered{run_.run_name, static_cast<uint64_t>(request.value), what,
                        approves ? "approved" : "rejected", show_scope(request.seconds),
                        state::name_peer(client.connection.get()), std::move(kind)});
  state::ControlMessage done{state::ControlType::done};
  snprintf(done.text, sizeof done.text, "%s", what.c_str());
  answer(client, done);
}

void Supervisor::end_by_request(Client& client, const state::ControlMessage& request) {
  bool kills = request.type == state::ControlType::kill;
  note_control(client, kills ? "kill" : "stop");
  client.awaits_end = true;
  // What stands still by its risk is not let go on for its last words.
  if (kills || frozen_by_risk_) return kill_run();
  tell({sandbox::MessageType::signal, sandbox::kMainCommand, SIGTERM});
  wake_to_end();
  start_deadline({processes::Outcome::Kind::signaled, SIGTERM});
  if (request.seconds > 0 && request.seconds <= kLongestSeconds)
    deadline_ = clock::monotonic() + request.seconds * kNanoseconds;
}

void Supervisor::answer_who_ended_it() {
  for (Client& client : clients_) {
    if (client.awaits_end) answer(client, {state::ControlType::done});
  }
}

state::RunStatus Supervisor::status() const {
  state::RunStatus status;
  status.refused = run_.record != nullptr ? run_.record->refusals() : 0;
  status.paused = paused_ ? 1 : 0;
  status.changes = changes_;
  status.risk = run_.record != nullptr ? risk_.score(run_.record->milliseconds()) : 0;
  status.level = static_cast<uint32_t>(risk_.level());
  if (run_.gate) status.waiting = run_.gate->waiting().size();
  if (!run_.network.desk) return status;
  const desks::NetworkLedger& ledger = run_.network.desk->ledger();
  status.connected = ledger.count_opened();
  status.open = ledger.open_connections().size();
  status.waiting += run_.network.desk->waiting().size();
  return status;
}

void Supervisor::describe_control(boost::json::object& description) const {
  constexpr size_t kMostShown = 200;
  state::RunStatus now = status();
  description["init"] = run_.sandbox.pid;
  description["refused"] = now.refused;
  description["connected"] = now.connected;
  if (run_.record != nullptr) description["risk"] = risk_.describe(run_.record->milliseconds());
  boost::json::array open, waiting;
  if (run_.network.desk) {
    for (const auto& [id, connection] : run_.network.desk->ledger().open_connections()) {
      if (open.size() >= kMostShown) break;
      open.emplace_back(desks::show(connection.to));
    }
    for (const desks::WaitingRequest& request : run_.network.desk->waiting()) {
      int64_t left = request.until - clock::monotonic();
      waiting.push_back(boost::json::object{{"id", request.id},
                                            {"destination", desks::show(request.to)},
                                            {"program", request.program},
                                            {"seconds_left", left / kNanoseconds}});
    }
  }
  for (size_t i = 0; run_.gate && i < run_.gate->waiting().size(); i++) {
    const desks::WaitingCall& call = run_.gate->waiting()[i];
    int64_t left = call.until - clock::monotonic();
    waiting.push_back(boost::json::object{{"id", call.id},
                                          {"destination", call.to.shown()},
                                          {"program", call.program},
                                          {"kind", "tool"},
                                          {"rule", call.to.rule},
                                          {"seconds_left", left / kNanoseconds}});
  }
  const net::EgressRules& rules =
      run_.network.desk ? run_.network.desk->rules() : run_.network.later.rules;
  description["allow"] = show_rules(rules.allow);
  description["deny"] = show_rules(rules.deny);
  description["connections"] = std::move(open);
  description["waiting"] = std::move(waiting);
}

}  // namespace ringwall::session
