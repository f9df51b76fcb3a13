// What the supervisor does when the risk of its run reaches another level, and when the person
// brings it down again.
#include <signal.h>

#include "base/clock.h"
#include "session/supervisor.h"

namespace ringwall::session {
namespace {

using policy::RiskAct;

}  // namespace

// After everything else of a step: what was heard in it counts.
void Supervisor::follow_risk() {
  if (run_.record == nullptr || ended_) return;
  end_trial();
  bool is_due = next_risk_look_ != 0 && clock::monotonic() >= next_risk_look_;
  if (!risk_.has_news() && !is_due) return;
  auto change = risk_.look(run_.record->milliseconds());
  next_risk_look_ = risk_.has_to_look() ? clock::monotonic() + kBetweenRiskLooks : 0;
  if (!change) return;
  changes_++;
  act_on_risk();
  // One that falls is nothing to be told of; the record has it.
  bool rises = *risk::level_by_name(change->level) > *risk::level_by_name(change->before);
  rises ? run_.tell(*change) : note(*change);
}

// What the level that holds now wants, and nothing else.
void Supervisor::act_on_risk() {
  const risk::Acts& acts = risk_.acts();
  if (acts.has(RiskAct::kill)) return kill_run();
  if (run_.gate) run_.gate->be_wary(acts.has(RiskAct::refuse_unanswered));
  narrow_network();
  bool only_known = acts.has(RiskAct::refuse_new_programs);
  if (run_.exec_stop.is_running() &&
      std::exchange(only_known_programs_, only_known) != only_known &&
      !run_.exec_stop.only_known(only_known))
    return lose_run("the exec stop does not listen any more");
  bool freezes = acts.has(RiskAct::freeze);
  if (std::exchange(frozen_by_risk_, freezes) == freezes) return;
  if (freezes) was_paused_ = paused_;
  pause(freezes || was_paused_);
}

// Also when a desk is there only now.
void Supervisor::narrow_network() {
  if (!run_.network.desk) return;
  run_.network.desk->only_known(risk_.acts().has(RiskAct::refuse_new_destinations));
  bool is_cut = risk_.acts().has(RiskAct::cut_network);
  run_.network.desk->cut(is_cut);
  if (run_.network.published) run_.network.published->shut(is_cut);
}

void Supervisor::kill_run() {
  // Before anything else: whatever it does, it does no more.
  sandbox::kill_sandbox(run_.sandbox);
  start_deadline({processes::Outcome::Kind::signaled, SIGKILL});
  outcome_ = {processes::Outcome::Kind::signaled, SIGKILL};
  ended_ = true;
}

void Supervisor::lower_risk(Client& client, const state::ControlMessage& request) {
  if (run_.record == nullptr) return refuse(client, "the run has no record to count risk by");
  if (request.text[0] == '\0') return refuse(client, "a reason is wanted");
  changes_++;
  bool was_frozen = frozen_by_risk_;
  events::RiskLowered lowered = risk_.lower(run_.record->milliseconds(), request.text,
                                            state::name_peer(client.connection.get()));
  note(lowered);
  next_risk_look_ = 0;
  act_on_risk();
  state::ControlMessage done{state::ControlType::done};
  snprintf(done.text, sizeof done.text, "the risk was %.2f (%s) and begins anew%s",
           lowered.score / 1e6, lowered.level.c_str(),
           describe_after(was_frozen, run_.run_name).c_str());
  answer(client, done);
}

// Behind what was said of the risk.
std::string Supervisor::describe_after(bool was_frozen, const std::string& run) const {
  if (!was_frozen) return paused_ ? "; the run is paused as before" : "";
  return paused_ ? "; the run was paused besides and stays so: ringwall resume " + run
                 : "; the run goes on";
}

// What it made the walls refuse is told of a little later: by the kernel's sets, which are read
// every two seconds, and by the record, which counts a second together.
void Supervisor::end_probe(uint32_t id) {
  constexpr int64_t kEchoes = 3'000'000'000;  // nanoseconds
  if (probes_.erase(id) > 0 && probes_.empty()) trial_ends_ = clock::monotonic() + kEchoes;
}

void Supervisor::end_trial() {
  if (trial_ends_ == 0 || clock::monotonic() < trial_ends_) return;
  trial_ends_ = 0;
  note(events::Controlled{run_.run_name, "probes done", {}, "the supervisor"});
}

}  // namespace ringwall::session
