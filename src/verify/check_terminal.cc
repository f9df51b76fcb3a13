// P20, P21 and P39, in a run at a terminal that is ours: "the caller's". Its 0 and 1 are that
// terminal and its 2 is a pipe. The command prints what a hostile program would; what arrives here
// is judged. Then a probe inside tries to type into it, and the relay is looked at.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "probes/terminal_output.h"
#include "verify/checks.h"
#include "verify/inside.h"
#include "verify/own_run.h"

namespace ringwall::verify {
namespace {

constexpr int64_t kEchoNanoseconds = 5'000'000;  // for what was typed to be shown

// A name that writes the clipboard where it is printed as it is, and what is left of it when it is
// printed as it should be.
constexpr std::string_view kHostileName = "n\x1b]52;c;aGk=\a\302\23321t";
constexpr std::string_view kTraceOfName = "52;c;aGk=";

Result<Verdict> check_output(OwnRun& run) {
  int64_t deadline = seconds_from_now(kPatience);
  TRY_ASSIGN(std::string arrived, run.read_until(probes::kTerminalQuestion, deadline));
  TRY(run.type(probes::kTerminalAnswer));
  // One of the two words is behind the other.
  TRY_ASSIGN(std::string answer, run.read_until("answered}", deadline));
  return probes::judge_terminal_output(arrived + answer);
}

// Without lines' ends and colours, which Ringwall's own messages have.
std::string without_own_sequences(std::string_view shown) {
  std::string rest;
  for (size_t at = 0; at < shown.size(); at++) {
    if (shown[at] == '\r' || shown[at] == '\n') continue;
    size_t end = shown.find_first_not_of("0123456789;", at + 2);
    bool colour = shown.substr(at, 2) == "\x1b[" && end < shown.size() && shown[end] == 'm';
    if (colour)
      at = end;
    else
      rest += shown[at];
  }
  return rest;
}

// A run that is refused, with a name of others' choice in the message.
Result<Verdict> check_message(const std::string& act, std::vector<std::string> arguments) {
  TRY_ASSIGN(
      OwnRun run,
      OwnRun::start({.arguments = std::move(arguments), .in_words = true, .at_terminal = true}));
  std::string shown = run.read_rest(seconds_from_now(kPatience));
  if (shown.find(kTraceOfName) == std::string::npos)
    return Verdict{Finding::cannot_tell, "no message names " + act};
  if (probes::is_only_text(without_own_sequences(shown))) return Verdict{};
  return Verdict{Finding::breached, "got through: " + act + " in a message"};
}

Result<Verdict> check_names(const CheckInputs& inputs) {
  std::string name(kHostileName);
  TRY_ASSIGN(Verdict program, check_message("the name of a program",
                                            {"-w", inputs.folder, "--fresh", "--", "./" + name}));
  if (program.finding != Finding::held) return program;
  return check_message("the name of a workspace",
                       {"-w", path::join(inputs.folder, name), "--fresh", "--", "/bin/true"});
}

constexpr unsigned long kNamedPort = 9;

// What brings the network's helpers along, where this host can have them.
std::vector<std::string> grants_in(const CheckInputs& inputs) {
  if (!inputs.redirect) return {};
  const std::string& name = inputs.name_to_grant;
  return {"--allow",
          (name.empty() ? "granted.ringwall.invalid" : name) + ":" + std::to_string(kNamedPort)};
}

Result<probes::Outside> facts_of(const OwnRun& run) {
  probes::Outside facts;
  TRY_ASSIGN(facts.terminal, run.terminal_path());
  struct stat seen;
  if (stat(facts.terminal.c_str(), &seen) < 0) return fail_errno("cannot look at a terminal");
  facts.terminal_device = seen.st_dev;
  facts.terminal_inode = seen.st_ino;
  TRY_ASSIGN(std::string pids, file::read_link("/proc/self/ns/pid"));
  facts.namespaces.push_back(std::move(pids));
  return facts;
}

// The inside must not be able to excuse itself, so the last look is from here.
Result<Verdict> check_typing(OwnRun& run, const std::string& run_name) {
  TRY_ASSIGN(probes::Outside facts, facts_of(run));
  TRY_ASSIGN(Verdict verdict, ask_probe(run_name, facts, "P20"));
  TRY_ASSIGN(int unread, run.count_unread_keys());
  bool shown = !run.read_rest(clock::monotonic() + kEchoNanoseconds).empty();
  if (verdict.finding == Finding::held && (unread > 0 || shown))
    return Verdict{Finding::breached, "something was typed into the caller's terminal"};
  return verdict;
}

// A connection by name starts the resolver, so that it can be looked at too.
Status start_resolver(const CheckInputs& inputs, const std::string& run_name) {
  if (!inputs.redirect || inputs.name_to_grant.empty()) return {};
  probes::Outside facts;
  facts.own_name = inputs.name_to_grant;
  facts.named_port = kNamedPort;
  TRY(ask_probe(run_name, facts, "P25"));
  return {};
}

Verdict or_cannot_tell(Result<Verdict> verdict) {
  return verdict ? std::move(*verdict) : Verdict{Finding::cannot_tell, verdict.error().text()};
}

}  // namespace

Result<std::vector<Verdict>> check_terminal(const CheckInputs& inputs) {
  TRY(file::make_dirs(inputs.folder));
  std::vector<std::string> arguments = {"-w", inputs.folder, "--fresh"};
  std::vector<std::string> grants = grants_in(inputs);
  arguments.insert(arguments.end(), grants.begin(), grants.end());
  arguments.insert(arguments.end(), {"--", "/bin/sh", "-c", probes::terminal_script()});
  TRY_ASSIGN(OwnRun run, OwnRun::start({.arguments = arguments, .at_terminal = true}));
  TRY_ASSIGN(std::string name, run.wait_until_started(seconds_from_now(kPatience)));
  Verdict output = or_cannot_tell(check_output(run));
  Verdict typing = or_cannot_tell(check_typing(run, name));
  TRY(start_resolver(inputs, name));
  Verdict helpers = or_cannot_tell(check_helpers(name));
  if (output.finding == Finding::held) {
    Verdict names = or_cannot_tell(check_names(inputs));
    if (names.finding != Finding::held) output = names;
  }
  return std::vector{typing, output, helpers};
}

}  // namespace ringwall::verify
