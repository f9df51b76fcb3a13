// The supervisor's dealings with the exec stop: programs that were refused are told of.
#include <poll.h>

#include "prepare/exec_plan.h"
#include "session/supervisor.h"

namespace ringwall::session {
namespace {

using identity::StopNotice;

constexpr size_t kMostTold = 20;  // to the person; the record has all

events::RefusedProgram describe_refusal(const std::string& run, const StopNotice& notice) {
  events::RefusedProgram event{.run = run,
                               .digest = notice.has_digest != 0 ? notice.digest.hex() : "",
                               .path = notice.path,
                               .parent = notice.parent,
                               .rule = notice.rule,
                               .why = std::string("it ") + notice.why,
                               .how = {},
                               .advice = {},
                               .by_risk = notice.by_risk != 0};
  switch (notice.how) {
    case StopNotice::How::killed:
      event.how = "killed before its first instruction";
      break;
    case StopNotice::How::not_mapped:
      event.how = "not mapped";
      break;
    case StopNotice::How::was_changed:
      event.how = "ended before it changed";
      break;
  }
  return event;
}

}  // namespace

void Supervisor::take_program_notice() {
  auto notice = run_.exec_stop.receive();
  if (!notice) {
    // What pid 1 said before it ended comes first.
    pollfd waits{run_.sandbox.channel.get(), POLLIN, 0};
    if (!ended_ && poll(&waits, 1, 0) > 0 && (waits.revents & POLLIN) != 0) return;
    return hear_end_of_exec_stop();
  }
  if (notice->type == StopNotice::Type::act || notice->type == StopNotice::Type::acts_done) {
    bool done = notice->type == StopNotice::Type::acts_done;
    return answer_act("exec stop", notice->path, notice->value, done);
  }
  if (notice->type == StopNotice::Type::first_seen) {
    return note(events::FirstSeenProgram{run_.run_name, notice->digest.hex(), notice->path,
                                         notice->parent, notice->rule});
  }
  if (notice->type != StopNotice::Type::refused) return;
  events::RefusedProgram event = describe_refusal(run_.run_name, *notice);
  if (notice->value == 1) event.advice = prepare::command_to_allow(run_.exec_policy, event.digest);
  ++refused_programs_ > kMostTold ? note(event) : run_.tell(event);
}

// It takes everything inside along.
void Supervisor::hear_end_of_exec_stop() {
  if (!run_.exec_stop.is_running()) return;
  bool killed = run_.exec_stop.was_killed();
  run_.exec_stop.end();
  if (killed) lose_run("the exec stop ended unexpectedly, and with it everything inside");
}

// It speaks before a program is killed, which may have been the last.
void Supervisor::hear_last_of_exec_stop() {
  constexpr int kMost = 8192;  // nobody can make this last
  for (int i = 0; i < kMost && run_.exec_stop.is_running(); i++) {
    pollfd waits{run_.exec_stop.fd(), POLLIN, 0};
    if (poll(&waits, 1, 0) <= 0) return;
    take_program_notice();
  }
}

}  // namespace ringwall::session
