// The supervisor's dealings with root's guard: what did not run is told of, once.
#include "base/text.h"
#include "guard/guard_client.h"
#include "prepare/exec_plan.h"
#include "session/supervisor.h"

namespace ringwall::session {
namespace {

constexpr size_t kMostToldPrograms = 1000;

std::string digest_of(const guard::GuardNotice& notice) {
  Digest digest;
  memcpy(digest.bytes.data(), notice.digest, sizeof notice.digest);
  return digest == Digest{} ? std::string() : digest.hex();
}

}  // namespace

void Supervisor::take_guard_notice() {
  auto notice = run_.guard.receive();
  if (!notice) {
    run_.guard.end();
    if (ended_) return;
    return lose_run(
        "ended: root's guard, which decides what may run, is gone: " + notice.error().text(),
        "see: ringwall doctor");
  }
  events::RefusedProgram refused{.run = run_.run_name,
                                 .digest = digest_of(*notice),
                                 .path = notice->path,
                                 .parent = notice->program,
                                 .rule = {},
                                 .why = std::string(guard::describe_why(notice->why)),
                                 .how = std::string(guard::describe_how(notice->how)) +
                                        (notice->killed != 0 ? ", killed" : ""),
                                 .advice = {},
                                 .times = 1 + static_cast<uint64_t>(notice->more)};
  if (!refused.digest.empty())
    refused.advice = prepare::command_to_allow(run_.exec_policy, refused.digest);
  std::string what = refused.digest + "\n" + refused.path;
  bool is_new = told_programs_.size() < kMostToldPrograms && told_programs_.insert(what).second;
  is_new ? run_.tell(refused) : note(refused);
}

}  // namespace ringwall::session
