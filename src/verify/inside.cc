#include "verify/inside.h"

#include <fcntl.h>

#include "base/file.h"
#include "session/remote.h"
#include "verify/own_run.h"

namespace ringwall::verify {
namespace {

constexpr int kPatience = 10;  // seconds

}  // namespace

Status probe_run(const std::string& run_name, const probes::Outside& outside,
                 std::span<const std::string_view> promises, int answers) {
  std::vector<std::string> arguments = {outside.to_json()};
  arguments.insert(arguments.end(), promises.begin(), promises.end());
  TRY_ASSIGN(Fd null, file::open("/dev/null", O_RDWR));
  TRY_ASSIGN(session::Outcome outcome, session::run_in(run_name, {"verify", arguments, ""},
                                                       {null.get(), answers, null.get()}));
  if (outcome.exit_status() != 0)
    return fail("the probes ended with status " + std::to_string(outcome.exit_status()));
  return {};
}

Status probe_own_sandbox(const std::string& home_name, const probes::Outside& outside,
                         std::span<const std::string_view> promises, int answers) {
  TRY_ASSIGN(OwnRun run,
             OwnRun::start({.arguments = {"-w", outside.workspace, "--home", home_name, "--",
                                          "/bin/sleep", "600"},
                            .variable = outside.canary_variable + "=" + outside.canary_secret,
                            .left_open = outside.open_files}));
  TRY_ASSIGN(std::string name, run.wait_until_started(seconds_from_now(kPatience)));
  return probe_run(name, outside, promises, answers);
}

}  // namespace ringwall::verify
