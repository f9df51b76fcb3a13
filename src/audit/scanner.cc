#include "audit/scanner.h"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/pipe.h"
#include "base/text.h"
#include "host/diagnose.h"
#include "sandbox/id_map.h"
#include "sandbox/landlock.h"
#include "sandbox/launch.h"

namespace ringwall::audit {
namespace {

constexpr size_t kMostReportBytes = 8u << 20;

// Nothing of the host but what is shown: no system, no home, no devices.
sandbox::Plan plan_scanner(const ScanRequest& request) {
  sandbox::Plan plan;
  plan.run_name = "audit";
  plan.identity = sandbox::plan_identity(getuid(), getgid(), "audit", "audit");
  for (const Shown& shown : request.shown) {
    plan.mounts.push_back({.kind = sandbox::Mount::Kind::bind,
                           .target = shown.target,
                           .source = shown.source,
                           .access = sandbox::Access::read,
                           .reason = "looked at by the audit",
                           .callers_own = true});
  }
  // Empty: every sandbox has rules for these two.
  for (const char* folder : {"/dev", "/etc"})
    plan.mounts.push_back({.kind = sandbox::Mount::Kind::folder, .target = folder});
  std::sort(plan.mounts.begin(), plan.mounts.end(),
            [](const auto& a, const auto& b) { return a.target < b.target; });
  plan.working_folder = "/";
  plan.builtin = request.task;
  plan.arguments = request.arguments;
  plan.landlock_abi = sandbox::probe_landlock_abi();
  plan.limits.processes = 4;
  plan.limits.file_size = 0;
  return plan;
}

Error describe(const sandbox::LaunchFailure& failure) {
  host::Diagnosis diagnosis = host::diagnose(failure);
  return {"the scanner's sandbox cannot be built: " + diagnosis.reason, 0, diagnosis.mend};
}

}  // namespace

RunningScan& RunningScan::operator=(RunningScan&& other) noexcept {
  end();
  sandbox_ = std::move(other.sandbox_);
  from_ = std::move(other.from_);
  lines_ = std::move(other.lines_);
  is_over_ = other.is_over_;
  return *this;
}

void RunningScan::end() {
  from_.close();
  if (sandbox_.pidfd) sandbox::end_sandbox(sandbox_);
  sandbox_ = {};
}

Result<RunningScan> RunningScan::start(const ScanRequest& request) {
  TRY_ASSIGN(Pipe report, make_pipe());
  RunningScan scan;
  scan.from_ = std::move(report.read);
  Fd theirs = std::move(report.write);
  TRY_ASSIGN(Fd null, file::open("/dev/null", O_RDWR));
  sandbox::Plan plan = plan_scanner(request);
  auto launched = sandbox::launch({.plan = plan,
                                   .stdio = {null.get(), theirs.get(), null.get()},
                                   .start_area = request.start_area,
                                   .run_builtin = request.run});
  if (!launched) return std::unexpected(describe(launched.error()));
  theirs.close();
  if (auto ready = sandbox::wait_until_ready(*launched); !ready)
    return std::unexpected(describe(ready.error()));
  scan.sandbox_ = std::move(*launched);
  return scan;
}

Result<bool> RunningScan::take() {
  std::string part(1 << 16, '\0');
  pollfd waits{from_.get(), POLLIN, 0};
  while (poll(&waits, 1, 0) > 0) {
    ssize_t count = read(from_.get(), part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_errno("cannot read from the scanner");
    if (count == 0) {
      is_over_ = true;
      break;
    }
    lines_.append(part.data(), static_cast<size_t>(count));
    if (lines_.size() > kMostReportBytes) return fail("the scanner said too much");
  }
  return is_over_;
}

Result<Report> RunningScan::finish(int64_t deadline) {
  while (!is_over_) {
    int64_t left = (deadline - clock::monotonic()) / 1'000'000;
    pollfd waits{from_.get(), POLLIN, 0};
    int ready = left <= 0 ? 0 : poll(&waits, 1, static_cast<int>(left) + 1);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0)
      return fail("the scanner did not end in time", "name a part of it: ringwall audit repo DIR");
    TRY(take());
  }
  end();
  return parse_report(lines_);
}

Result<Report> scan_in_sandbox(const ScanRequest& request) {
  int64_t deadline = clock::monotonic() + int64_t{request.most_seconds} * 1'000'000'000;
  TRY_ASSIGN(RunningScan scan, RunningScan::start(request));
  return scan.finish(deadline);
}

}  // namespace ringwall::audit
