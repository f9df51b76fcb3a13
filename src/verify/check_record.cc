// P36. A run in which things are refused, by the broker and by the network's desk; then its record:
// each refusal is there with its rule, the inside could not reach it, and any change to it is
// noticed.
#include <algorithm>
#include <boost/json.hpp>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "events/record_check.h"
#include "events/record_store.h"
#include "verify/checks.h"
#include "verify/own_run.h"

namespace ringwall::verify {
namespace {

// $0 is Ringwall's own folder outside. A protected name is planted, a name is asked for that nobody
// granted, and the record is looked for.
constexpr const char* kActs = R"(
echo planted >.mcp.json
command -v getent >/dev/null || echo mute
getent hosts refused.ringwall.invalid
for d in "$0/records" "$0/heads"; do
  (echo forged >>"$d/forged") && echo "write into $d"
  ls "$d" | grep -q . && echo "list $d"
done
echo end
sleep 0.2
)";

struct Wanted {
  const char* event;
  const char* rule;  // the member that says by what it was refused
  bool is_there = false;
};

// What the record lacks of the refusals that there must be.
std::vector<std::string> missing_in(const std::string& record, bool asks_for_name) {
  Wanted wanted[] = {{"run_started", "policy"},
                     {"planted", "rule"},
                     {"blocked", "why"},
                     {"run_ended", "exit_status"}};
  for (const std::string& line : text::split(record, '\n')) {
    boost::system::error_code error;
    boost::json::value event = boost::json::parse(line, error);
    if (error || !event.is_object()) continue;
    for (Wanted& one : wanted) {
      const boost::json::value* name = event.get_object().if_contains("event");
      const boost::json::value* rule = event.get_object().if_contains(one.rule);
      if (name != nullptr && name->is_string() && name->get_string() == one.event)
        one.is_there = rule != nullptr && *rule != boost::json::value("");
    }
  }
  std::vector<std::string> missing;
  for (const Wanted& one : wanted) {
    bool applies = asks_for_name || std::string_view(one.event) != "blocked";
    if (!one.is_there && applies) missing.emplace_back(one.event);
  }
  return missing;
}

// Every line once changed and once removed: how many of these go unnoticed.
size_t count_unnoticed(const events::ReadRecord& record) {
  std::vector<std::string> lines = text::split(record.text, '\n');
  lines.pop_back();  // behind the last newline
  size_t unnoticed = 0;
  for (size_t i = 0; i < lines.size(); i++) {
    for (bool removed : {false, true}) {
      std::string text;
      for (size_t j = 0; j < lines.size(); j++) {
        if (j == i && removed) continue;
        std::string line = lines[j];
        if (j == i) line[line.size() / 2] = line[line.size() / 2] == 'x' ? 'y' : 'x';
        text += line + "\n";
      }
      if (events::check_record(text, record.head, false).findings.empty()) unnoticed++;
    }
  }
  return unnoticed;
}

}  // namespace

Result<Verdict> check_record(const CheckInputs& inputs) {
  TRY(file::make_dirs(path::join(inputs.folder, ".git")));
  std::vector<std::string> arguments = {"-w", inputs.folder, "--fresh"};
  if (inputs.redirect) arguments.insert(arguments.end(), {"--allow", "granted.ringwall.invalid"});
  arguments.insert(arguments.end(), {"--", "/bin/sh", "-c", kActs, inputs.state_folder});
  TRY_ASSIGN(OwnRun run, OwnRun::start({.arguments = arguments}));
  int64_t deadline = seconds_from_now(kPatience);
  TRY_ASSIGN(std::string name, run.wait_until_started(deadline));
  std::string got_through;
  bool asks_for_name = inputs.redirect;
  for (std::string line; line != "end";) {
    TRY_ASSIGN(line, run.read_line(deadline));
    if (line == "mute") asks_for_name = false;  // nothing on this host asks for names
    if (line != "end" && line.find(' ') != std::string::npos && !line.starts_with("::"))
      got_through += (got_through.empty() ? "" : ", ") + line;
  }
  TRY(run.wait(deadline));
  auto entry = events::find_record(inputs.state_folder, name);
  if (!entry) return Verdict{Finding::breached, "nothing was recorded"};
  TRY_ASSIGN(events::ReadRecord record, events::read_record(inputs.state_folder, entry->id));
  TRY(events::remove_record(inputs.state_folder, entry->id));
  if (!got_through.empty()) return Verdict{Finding::breached, escape(got_through)};
  std::vector<std::string> missing = missing_in(record.text, asks_for_name);
  if (!missing.empty())
    return Verdict{Finding::breached, "not in the record: " + text::join(missing, ", ")};
  events::RecordCheck check = events::check_record(record.text, record.head, record.goes_on);
  if (!check.findings.empty()) return Verdict{Finding::breached, check.findings[0].text()};
  size_t unnoticed = count_unnoticed(record);
  if (unnoticed > 0)
    return Verdict{Finding::breached, std::to_string(unnoticed) + " changes went unnoticed"};
  return Verdict{Finding::held, std::to_string(check.lines) +
                                    " lines, each refusal with its rule; " +
                                    std::to_string(2 * check.lines) + " changes noticed"};
}

}  // namespace ringwall::verify
