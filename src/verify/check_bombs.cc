// P33. Bombs go off in sandboxes of their own, with small limits, so that nothing else is short of
// anything meanwhile. What the kernel keeps is tried by a probe inside; a bomb of memory and one on
// disk are watched from outside: Ringwall must tell of each, and then it must stand still.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <optional>

#include "base/channel.h"
#include "base/file.h"
#include "base/path.h"
#include "base/pipe.h"
#include "probes/probe.h"
#include "processes/growth.h"
#include "verify/checks.h"
#include "verify/inside.h"
#include "verify/own_run.h"

namespace ringwall::verify {
namespace {

constexpr unsigned long kProcesses = 200;
constexpr unsigned long kOpenFiles = 300;
constexpr unsigned long kTmpFiles = 300;
constexpr unsigned long kTmpBytes = 2 << 20;

// Each goes a good way beyond its limit and then stops by itself.
constexpr const char* kMemoryBomb = "exec dd if=/dev/zero of=/dev/null bs=64M count=2000";
constexpr const char* kDiskBomb =
    "i=0; while [ $i -lt 16 ]; do dd if=/dev/zero bs=1M count=4 2>/dev/null >>bomb; sleep 0.05; "
    "i=$((i+1)); done; exec sleep 600";

Result<OwnRun> start(const std::string& folder, std::vector<std::string> limits,
                     const char* script) {
  TRY(file::make_dirs(folder));
  std::vector<std::string> arguments = {"-w", folder, "--fresh"};
  arguments.insert(arguments.end(), limits.begin(), limits.end());
  arguments.insert(arguments.end(), {"--", "/bin/sh", "-c", script});
  return OwnRun::start({.arguments = std::move(arguments)});
}

Result<OwnRun> start_counted(const std::string& folder) {
  return start(
      folder,
      {"--processes", std::to_string(kProcesses), "--open-files", std::to_string(kOpenFiles),
       "--tmp-size", std::to_string(kTmpBytes), "--tmp-files", std::to_string(kTmpFiles)},
      "exec sleep 600");
}

// The probe's answer, from inside.
Result<Verdict> probe(OwnRun& run, const CheckInputs& inputs) {
  TRY_ASSIGN(std::string name, run.wait_until_started(seconds_from_now(kPatience)));
  probes::Outside facts;
  facts.home = inputs.real_home;
  facts.most_processes = kProcesses;
  facts.most_open_files = kOpenFiles;
  facts.most_tmp_files = kTmpFiles;
  facts.most_tmp_bytes = kTmpBytes;
  TRY_ASSIGN(Pipe answers, make_pipe());
  constexpr std::string_view kPromise = "P33";
  std::string_view wanted[] = {kPromise};
  TRY(probe_run(name, facts, wanted, answers.write.get()));
  answers.write.close();
  TRY_ASSIGN(std::string lines, file::read_all(answers.read.get(), kMostAnswerBytes));
  AnswerSheet sheet = parse_answers(lines, wanted);
  auto answer = sheet.answers.find(kPromise);
  if (answer == sheet.answers.end()) return fail("no answer from inside: " + sheet.trouble);
  return answer->second;
}

// What Ringwall did about it: "paused" or "killed".
Result<std::string> wait_for_limit(OwnRun& run) {
  TRY_ASSIGN(std::string line, run.wait_for_event("limit_reached", seconds_from_now(kPatience)));
  boost::system::error_code error;
  boost::json::value event = boost::json::parse(line, error);
  const boost::json::value* then =
      error || !event.is_object() ? nullptr : event.get_object().if_contains("then");
  if (then == nullptr || !then->is_string())
    return fail("a limit was told in words not known here");
  return std::string(then->get_string());
}

// A paused writer writes no more.
Result<bool> stands_still(const std::string& file) {
  constexpr int kTries = 20;
  struct stat before, after;
  for (int i = 0; i < kTries; i++) {
    if (stat(file.c_str(), &before) < 0) return fail_errno("the disk bomb wrote nothing");
    usleep(60'000);  // longer than it sleeps between two blocks
    if (stat(file.c_str(), &after) == 0 && after.st_size == before.st_size) return true;
  }
  return false;
}

}  // namespace

Result<Verdict> check_bombs(const CheckInputs& inputs) {
  std::string disk_folder = path::join(inputs.folder, "disk");
  TRY_ASSIGN(OwnRun memory,
             start(path::join(inputs.folder, "memory"), {"--memory", "24M"}, kMemoryBomb));
  bool watches_disk = processes::can_watch_growth(path::parent(inputs.folder));
  std::optional<OwnRun> disk;
  if (watches_disk) {
    TRY_ASSIGN(OwnRun started, start(disk_folder, {"--workspace-size", "4M"}, kDiskBomb));
    disk.emplace(std::move(started));
  }
  TRY_ASSIGN(OwnRun counted, start_counted(path::join(inputs.folder, "counted")));
  TRY_ASSIGN(Verdict verdict, probe(counted, inputs));
  if (verdict.finding != Finding::held) return verdict;
  auto memory_end = wait_for_limit(memory);
  if (!memory_end) return Verdict{Finding::breached, "memory: " + memory_end.error().text()};
  bool cgroup = *memory_end == "killed";
  if (watches_disk) {
    auto disk_end = wait_for_limit(*disk);
    if (!disk_end) return Verdict{Finding::breached, "disk: " + disk_end.error().text()};
    TRY_ASSIGN(bool still, stands_still(path::join(disk_folder, "bomb")));
    if (!still) return Verdict{Finding::breached, "the disk bomb goes on after it was paused"};
  }
  std::string memory_kept = cgroup ? "cgroup" : "caught";
  std::string disk_kept = watches_disk ? "caught" : "remote, not watched";
  std::string evidence = memory_kept == disk_kept
                             ? "memory, disk: caught"
                             : "memory: " + memory_kept + ", disk: " + disk_kept;
  return Verdict{Finding::held, evidence + ", " + verdict.evidence};
}

}  // namespace ringwall::verify
