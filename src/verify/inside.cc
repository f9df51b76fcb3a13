#include "verify/inside.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/pipe.h"
#include "clients/remote.h"
#include "probes/planted_servers.h"
#include "verify/own_run.h"

namespace ringwall::verify {

Status probe_run(const std::string& run_name, const probes::Outside& outside,
                 std::span<const std::string_view> promises, int answers) {
  std::vector<std::string> arguments = {outside.to_json()};
  arguments.insert(arguments.end(), promises.begin(), promises.end());
  TRY_ASSIGN(Fd null, file::open("/dev/null", O_RDWR));
  TRY_ASSIGN(processes::Outcome outcome, clients::run_in(run_name, {"verify", arguments, ""},
                                                         {null.get(), answers, null.get()}));
  if (outcome.exit_status() != 0)
    return fail("the probes ended with status " + std::to_string(outcome.exit_status()));
  return {};
}

Result<Verdict> ask_probe(const std::string& run_name, const probes::Outside& facts,
                          std::string_view promise) {
  TRY_ASSIGN(Pipe answers, make_pipe());
  TRY(probe_run(run_name, facts, {&promise, 1}, answers.write.get()));
  answers.write.close();
  TRY_ASSIGN(std::string lines, file::read_all(answers.read.get(), kMostAnswerBytes));
  AnswerSheet sheet = parse_answers(lines, {&promise, 1});
  auto answer = sheet.answers.find(promise);
  if (answer == sheet.answers.end()) return fail("the probe did not answer: " + sheet.trouble);
  return answer->second;
}

Status probe_own_sandbox(const std::string& home_name, const probes::Outside& outside,
                         std::span<const std::string_view> promises, int answers) {
  std::vector<std::string> arguments = {"-w", outside.workspace, "--home", home_name};
  if (!outside.granted_name.empty()) {
    std::vector<std::string> grants = probes::grants_for(outside);
    arguments.insert(arguments.end(), grants.begin(), grants.end());
  }
  arguments.insert(arguments.end(), {"--", "/bin/sleep", "600"});
  TRY_ASSIGN(OwnRun run,
             OwnRun::start({.arguments = arguments,
                            .variable = outside.canary_variable + "=" + outside.canary_secret,
                            .left_open = outside.open_files}));
  TRY_ASSIGN(std::string name, run.wait_until_started(seconds_from_now(kPatience)));
  return probe_run(name, outside, promises, answers);
}

}  // namespace ringwall::verify
