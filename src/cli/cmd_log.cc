// ringwall log: what happened in a run, from its record.
#include <unistd.h>

#include <boost/json.hpp>
#include <cstdio>

#include "base/file.h"
#include "base/layout.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/local_time.h"
#include "cli/options.h"
#include "cli/output.h"
#include "events/record_check.h"
#include "events/record_follow.h"
#include "events/record_show.h"
#include "events/record_store.h"
#include "state/places.h"

namespace ringwall::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  ringwall log                      the newest run
  ringwall log app-1 --denied       what was refused in the run app-1
  ringwall log app-1 --follow       as it happens, until the run ends
  ringwall log --verify             was the record changed? 0: no, 1: yes
  ringwall log --list               every run that is recorded

A record holds what Ringwall's own processes decided. A file that is simply not
there inside is refused by the kernel alone; see those with: ringwall learn.)";

struct LogOptions {
  std::string run;
  bool follow = false;
  bool denied = false;
  bool network = false;
  bool json = false;
  bool verify = false;
  bool list = false;
};

void print_json(const boost::json::object& object) {
  printf("%s\n", text::harmless_json(boost::json::serialize(object)).c_str());
}

class Printer {
 public:
  explicit Printer(const LogOptions& options) : options_(options), style_(style_for(stdout)) {}

  void print(std::string_view line) {
    auto shown = events::show_line(line);
    if (!shown) {
      if (!options_.denied && !options_.network && !options_.json)
        printf("%s\n", text::escape(line).c_str());
      return;
    }
    if (options_.denied && !shown->is_refusal) return;
    if (options_.network && !shown->is_network) return;
    if (options_.json) {
      printf("%s\n", text::harmless_json(line).c_str());
      return;
    }
    std::string day = local_time(shown->time, "%A, %Y-%m-%d");
    if (day != day_)
      printf("%s%s%s\n", std::string(style_.dim).c_str(), day.c_str(),
             std::string(style_.plain).c_str());
    day_ = day;
    std::string colour(shown->is_refusal ? style_.red : std::string_view());
    printf("%s  %s%s%s  %s\n", local_time(shown->time, "%H:%M:%S").c_str(), colour.c_str(),
           layout::pad(shown->kind, 10).c_str(), std::string(style_.plain).c_str(),
           shown->words.c_str());
  }

 private:
  const LogOptions& options_;
  Style style_;
  std::string day_;
};

int print_record(const LogOptions& options, const std::string& state,
                 const events::RecordEntry& entry) {
  Printer printer(options);
  if (!options.json && isatty(STDERR_FILENO) != 0)
    fprintf(stderr, "record %s\n", text::quote(entry.id).c_str());
  events::RecordReader reader(state, entry.id);
  while (true) {
    bool goes_on = options.follow && events::is_going_on(state, entry.id);
    bool any = reader.read([&](std::string_view line) { printer.print(line); });
    if (fflush(stdout) != 0) return 1;  // nobody reads any more
    if (!any && !goes_on) return 0;
    if (!any) usleep(100'000);
  }
}

int verify_record(const LogOptions& options, const std::string& state,
                  const events::RecordEntry& entry) {
  auto record = events::read_record(state, entry.id);
  if (!record) {
    complain(record.error());
    return kUsageStatus;
  }
  events::RecordCheck check = events::check_record(record->text, record->head, record->goes_on);
  if (options.json) {
    boost::json::array findings;
    for (const events::Finding& finding : check.findings)
      findings.emplace_back(finding.text());
    print_json({{"record", entry.id},
                {"lines", check.lines},
                {"goes_on", record->goes_on},
                {"findings", std::move(findings)}});
    return check.findings.empty() ? 0 : 1;
  }
  for (const events::Finding& finding : check.findings)
    printf("%s: %s\n", text::quote(entry.id).c_str(), finding.text().c_str());
  if (check.findings.empty())
    printf("%s: %llu lines, none changed\n", text::quote(entry.id).c_str(),
           static_cast<unsigned long long>(check.lines));
  return check.findings.empty() ? 0 : 1;
}

int verify_records(const LogOptions& options, const std::string& state) {
  std::vector<events::RecordEntry> entries;
  auto found = options.run.empty() ? events::list_records(state) : std::unexpected(Error{});
  if (!options.run.empty()) {
    auto one = events::find_record(state, options.run);
    found = one ? Result<std::vector<events::RecordEntry>>({*one}) : std::unexpected(one.error());
  }
  if (!found) {
    complain(found.error());
    return kUsageStatus;
  }
  int status = 0;
  for (const events::RecordEntry& entry : *found)
    status = std::max(status, verify_record(options, state, entry));
  return status;
}

struct Listed {
  uint64_t lines = 0;
  uint64_t refusals = 0;
  const char* state = "";
};

// What the head says, or where it is missing or vouches for more than was written before a kill,
// what the lines say.
Listed look_at(const std::string& state, const events::RecordEntry& entry) {
  constexpr size_t kLongestLastLine = 64 << 10;
  auto head = events::read_head(state, entry.id);
  bool is_killed = entry.is_open && !events::is_going_on(state, entry.id);
  if (entry.is_open && !is_killed)
    return {head ? head->last.number : 0, head ? head->refusals : 0, "goes on"};
  events::RecordReader reader(state, entry.id);
  if (head && !is_killed) {
    reader.skip_to_last(kLongestLastLine);
    std::string last;
    reader.read([&](std::string_view line) { last = line; });
    bool was_killed = events::event_of(last) == "record_mended";
    return {head->last.number, head->refusals, was_killed ? "killed" : "ended"};
  }
  Listed counted{0, 0, is_killed ? "killed" : "ended"};
  reader.read([&](std::string_view line) {
    counted.lines++;
    counted.refusals += events::refusals_in(line);
  });
  return counted;
}

int list_all(const LogOptions& options, const std::string& state) {
  auto entries = events::list_records(state);
  if (!entries) {
    complain(entries.error());
    return kUsageStatus;
  }
  for (const events::RecordEntry& entry : *entries) {
    Listed listed = look_at(state, entry);
    if (options.json) {
      print_json({{"record", entry.id},
                  {"lines", listed.lines},
                  {"refusals", listed.refusals},
                  {"state", listed.state}});
      continue;
    }
    printf("%s  %llu lines  %llu refusals  %s\n", text::quote(entry.id).c_str(),
           static_cast<unsigned long long>(listed.lines),
           static_cast<unsigned long long>(listed.refusals), listed.state);
  }
  return 0;
}

}  // namespace

int cmd_log(const Invocation& invocation) {
  CommandLine line("Shows what was decided in a run: refused, allowed, asked, changed.", "log",
                   "ringwall log [RUN] [OPTIONS]");
  line.footer(kExamples);
  LogOptions options;
  line.add_option("RUN", options.run, "a run's name, or a record's; default: the newest");
  line.add_flag("-f,--follow", options.follow, "go on as it happens, until the run ends");
  line.add_flag("--denied", options.denied, "only refusals");
  line.add_flag("--network", options.network, "only what concerns the network");
  line.add_flag("--json", options.json, "the lines as they were written");
  line.add_flag("--verify", options.verify,
                "say which lines were changed, removed or added; all records without RUN");
  line.add_flag("--list", options.list, "list the records");
  if (auto status = line.parse(invocation.arguments)) return *status;
  auto caller = state::read_caller();
  if (!caller) {
    complain(caller.error());
    return kUsageStatus;
  }
  std::string state = state::find_places(*caller, getenv("XDG_RUNTIME_DIR")).state;
  if (options.list) return list_all(options, state);
  if (options.verify) return verify_records(options, state);
  auto entry = events::find_record(state, options.run);
  if (!entry) {
    complain(entry.error());
    return kUsageStatus;
  }
  return print_record(options, state, *entry);
}

}  // namespace ringwall::cli
