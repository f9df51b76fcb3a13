// ringwall risk: lowers the risk of a run, computes it once more from a record, and draws it.
#include <fcntl.h>

#include <boost/json.hpp>
#include <cstdio>

#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/explain_risk.h"
#include "cli/options.h"
#include "cli/output.h"
#include "clients/run_control.h"
#include "events/record_store.h"
#include "risk/plot.h"
#include "risk/replay.h"

namespace ringwall::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  ringwall explain risk app-1                          the sum, and what is behind it
  ringwall risk lower app-1 --reason 'I asked for it'  it begins anew, and goes on if it stood still
  ringwall risk replay app-1                           the same scores from the record, or 1
  ringwall risk replay record.jsonl --json             each score, a line each
  ringwall risk plot app-1 --output risk.svg           the curve

LOG is a run's name, a record's id, or the path of a record's file.
docs/risk.md has the formulas.)";

struct RiskOptions {
  std::string act;
  std::string subject;
  std::string reason;
  std::string output;
  bool json = false;
};

Result<risk::Replay> replay_file(const std::string& path) {
  TRY_ASSIGN(Fd file, file::open(path, O_RDONLY));
  TRY_ASSIGN(std::string text, file::read_all(file.get(), events::kLargestRecord));
  risk::Replay replay;
  std::string_view rest = text;
  while (!rest.empty()) {
    size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    if (!line.empty()) replay.take(line);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return replay;
}

Result<ReplayedRecord> replay_log(const std::string& log) {
  bool is_path = log.find('/') != std::string::npos || log.ends_with(".jsonl");
  if (!is_path) return replay_record(log);
  TRY_ASSIGN(risk::Replay replay, replay_file(log));
  return ReplayedRecord{log, std::move(replay)};
}

void print_points(const risk::Replay& replay) {
  for (const risk::ReplayedPoint& point : replay.points()) {
    boost::json::object axes;
    for (size_t i = 0; i < risk::kAxes; i++)
      axes[risk::kAxisRows[i].name] = point.reading.axes[i];
    boost::json::object line{{"line", point.line},
                             {"at", point.at},
                             {"score", point.reading.score},
                             {"axes", std::move(axes)},
                             {"level", name_of(point.level)}};
    printf("%s\n", boost::json::serialize(line).c_str());
  }
}

void print_levels(const risk::Replay& replay) {
  for (const risk::ReplayedLevel& level : replay.levels()) {
    printf("%10.1f s  %-10s %.6f  %s\n", static_cast<double>(level.at) / 1000,
           text::escape(level.level).c_str(), level.found.score / 1e6,
           level.is_same ? "the same" : "the record says otherwise");
    for (const std::string& reason : level.because)
      printf("              %s\n", text::escape(reason).c_str());
  }
  risk::Reading last = replay.score().look(replay.end());
  printf("%10.1f s  %-10s %.6f  at the end\n", static_cast<double>(replay.end()) / 1000,
         std::string(name_of(replay.level())).c_str(), last.score / 1e6);
  if (replay.missing() > 0)
    printf("%llu events are only counted in this record: scores after them may have been higher\n",
           static_cast<unsigned long long>(replay.missing()));
  if (replay.unsaid() > 0)
    printf("%llu levels must have been reached of which the record has no line\n",
           static_cast<unsigned long long>(replay.unsaid()));
  if (replay.strange() > 0)
    printf("%llu lines are none of a record\n", static_cast<unsigned long long>(replay.strange()));
}

Result<int> replay(const RiskOptions& options) {
  TRY_ASSIGN(ReplayedRecord done, replay_log(options.subject));
  options.json ? print_points(done.replay) : print_levels(done.replay);
  return done.replay.is_same() ? 0 : 1;
}

Result<int> plot(const RiskOptions& options) {
  TRY_ASSIGN(ReplayedRecord done, replay_log(options.subject));
  std::string picture = risk::plot(done.replay, done.id);
  if (options.output.empty()) {
    fputs(picture.c_str(), stdout);
    return fflush(stdout) == 0 ? 0 : 1;
  }
  TRY_ASSIGN(Fd file, file::open(options.output, O_WRONLY | O_CREAT | O_TRUNC, 0644));
  TRY(file::write_all(file.get(), picture));
  return 0;
}

Result<int> lower(const RiskOptions& options) {
  if (options.reason.empty())
    return fail("why is it no risk?", "--reason is written into the record");
  TRY_ASSIGN(std::string run, clients::choose_run(options.subject));
  TRY_ASSIGN(std::string done, clients::lower_risk(run, options.reason));
  printf("%s: %s\n", text::quote(run).c_str(), text::escape(done).c_str());
  return 0;
}

Result<int> act(const RiskOptions& options) {
  if (options.act == "lower") return lower(options);
  if (options.act == "replay") return replay(options);
  if (options.act == "plot") return plot(options);
  return fail(options.act.empty() ? "risk what?" : "unknown act " + text::quote(options.act),
              "known are: lower, replay, plot; the sum: ringwall explain risk RUN");
}

}  // namespace

int cmd_risk(const Invocation& invocation) {
  CommandLine line("The risk of a run: lowers it, computes it once more, draws it.", "risk",
                   "ringwall risk lower [RUN] --reason TEXT | replay LOG | plot LOG");
  line.footer(kExamples);
  RiskOptions options;
  line.add_option("ACT", options.act, "lower, replay or plot");
  line.add_option("SUBJECT", options.subject, "a run, a record's id, or a record's file");
  line.add_option("--reason", options.reason, "with lower: why it is none").type_name("TEXT");
  line.add_option("-o,--output", options.output, "with plot: a file in place of standard output")
      .type_name("FILE");
  line.add_flag("--json", options.json, "with replay: every score, a line each");
  if (auto status = line.parse(invocation.arguments)) return *status;
  auto status = act(options);
  if (status) return *status;
  complain(status.error());
  return kUsageStatus;
}

}  // namespace ringwall::cli
