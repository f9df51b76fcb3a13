// ringwall allow, deny, approve, reject, stop, kill: what a person does to a run that goes on.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>

#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/remember.h"
#include "clients/run_control.h"
#include "policy/numbers.h"

namespace ringwall::cli {
namespace {

int complain_of(const Error& error) {
  complain(error);
  return kUsageStatus;
}

// How long an answer holds. `always` writes the person's policy file too.
struct Scope {
  int64_t seconds = state::kForTheRun;
  bool always = false;
};

Result<Scope> parse_scope(const std::string& word, bool may_be_once) {
  if (word == "session") return Scope{};
  if (word == "always") return Scope{state::kForTheRun, true};
  if (word == "once" && may_be_once) return Scope{state::kOnce, false};
  auto time = policy::parse_number(policy::Shape::duration, word);
  if (time && *time >= 1000 && *time % 1000 == 0)
    return Scope{static_cast<int64_t>(*time / 1000), false};
  return fail(text::quote(word) + " is no time that an answer can hold",
              std::string("known are: ") + (may_be_once ? "once, " : "") +
                  "session, always, or a time such as 1h or 30m");
}

struct Target {
  std::string run;
  std::string what;
};

// "RUN WHAT", or WHAT alone where only one run goes on.
Result<Target> choose(const std::vector<std::string>& words, const char* what) {
  if (words.empty() || words.size() > 2)
    return fail(std::string("name ") + what + (words.empty() ? "" : " and nothing else"),
                std::string("RUN comes before it, where more than one is going on"));
  if (words.size() == 1) {
    TRY_ASSIGN(auto names, clients::list_run_names());
    if (std::ranges::find(names, words[0]) != names.end())
      return fail(text::quote(words[0]) + " is a run: name " + what + " too");
  }
  TRY_ASSIGN(std::string run, clients::choose_run(words.size() == 2 ? words[0] : ""));
  return Target{run, words.back()};
}

int change_hosts(const Invocation& invocation, bool allows) {
  CommandLine line(allows ? "Lets a run that goes on reach a host."
                          : "Keeps a run that goes on from a host, and ends what is open to it.",
                   allows ? "allow" : "deny",
                   allows ? "ringwall allow [RUN] HOST[:PORTS] [--for TIME]"
                          : "ringwall deny [RUN] HOST[:PORTS] [--for always]");
  line.footer(allows ? "Examples:\n  ringwall allow app-1 api.example.com\n"
                       "  ringwall allow github.com:22 --for 1h      the only run there is\n"
                       "  ringwall allow app-1 '*.example.com' --for always"
                     : "Examples:\n  ringwall deny app-1 api.example.com\n"
                       "  ringwall deny '*.example.com' --for always");
  std::vector<std::string> words;
  std::string how_long = "session";
  line.add_option("[RUN] HOST", words, "a run's name, and a host as in network.allow");
  line.add_option("--for", how_long, "session (default), always, or a time such as 1h")
      .type_name("TIME");
  if (auto status = line.parse(invocation.arguments)) return *status;
  auto scope = parse_scope(how_long, false);
  if (!scope) return complain_of(scope.error());
  if (!allows && scope->seconds != state::kForTheRun)
    return complain_of({"a denial holds for the session, or always", 0, ""});
  auto target = choose(words, "a host");
  if (!target) return complain_of(target.error());
  Status done = allows ? clients::allow_host(target->run, target->what, scope->seconds)
                       : clients::deny_host(target->run, target->what);
  if (done)
    printf("%s %s %s\n", target->run.c_str(), allows ? "may reach" : "may not reach",
           text::quote(target->what).c_str());
  if (done && scope->always)
    done = remember(allows ? "network.allow" : "network.deny", target->what);
  return done ? 0 : complain_of(done.error());
}

struct WantedAnswer {
  std::string run;  // empty: the only one
  int32_t id = 0;
  Scope scope{state::kOnce, false};
};

bool is_number(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

// "[RUN] NUMBER [TIME]". No run is named by a number or a time, so the first number is what waits.
Result<WantedAnswer> parse_answer(const std::vector<std::string>& words) {
  WantedAnswer wanted;
  size_t at = !words.empty() && !is_number(words[0]) ? 1 : 0;
  if (at == 1) wanted.run = words[0];
  std::string where = "see: ringwall inspect" + (at == 1 ? " " + text::quote(words[0]) : "");
  if (words.size() <= at) return fail("name the number of what waits", where);
  const std::string& number = words[at];
  auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), wanted.id);
  if (!is_number(number) || error != std::errc())
    return fail(text::quote(number) + " is no number of something that waits", where);
  if (words.size() > at + 2)
    return fail(text::quote(words[at + 2]) + " is one word too many",
                "[RUN] NUMBER [once|session|1h|always]");
  if (words.size() > at + 1) {
    TRY_ASSIGN(wanted.scope, parse_scope(words[at + 1], true));
  }
  return wanted;
}

int answer_waiting(const Invocation& invocation, bool approves) {
  CommandLine line(approves ? "Lets a connection go on that waits for you (run --ask)."
                            : "Refuses a connection that waits for you (run --ask).",
                   approves ? "approve" : "reject",
                   approves ? "ringwall approve [RUN] NUMBER [once|session|1h|always]"
                            : "ringwall reject [RUN] NUMBER [once|session|always]");
  line.footer(std::string("Examples:\n  ringwall ") + (approves ? "approve" : "reject") +
              " app-1 3            this connection alone\n  ringwall " +
              (approves ? "approve" : "reject") +
              " app-1 3 session    until the run ends\n  ringwall " +
              (approves ? "approve" : "reject") + " 3 always           and in your policy file");
  std::vector<std::string> words;
  line.add_option("[RUN] NUMBER [TIME]", words, "a run's name, what waits, and how long it holds");
  if (auto status = line.parse(invocation.arguments)) return *status;
  auto wanted = parse_answer(words);
  if (!wanted) return complain_of(wanted.error());
  auto run = clients::choose_run(wanted->run);
  if (!run) return complain_of(run.error());
  const Scope& scope = wanted->scope;
  auto answered = clients::answer_request(*run, wanted->id, approves,
                                          scope.always ? state::kAlways : scope.seconds);
  if (!answered) return complain_of(answered.error());
  printf("%s %s\n", approves ? "approved" : "rejected", text::quote(*answered).c_str());
  if (!scope.always) return 0;
  Status done = remember(approves ? "network.allow" : "network.deny", *answered);
  return done ? 0 : complain_of(done.error());
}

int end_runs(const Invocation& invocation, bool kills) {
  CommandLine line(kills ? "Ends everything inside a run at once, whatever it does."
                         : "Asks a run's command to end, and kills what has not ended in time.",
                   kills ? "kill" : "stop",
                   kills ? "ringwall kill RUN…|--all" : "ringwall stop RUN…|--all [--time TIME]");
  line.footer(kills ? "The workspace and the record stay. Nothing inside can bring it back.\n"
                      "SIGTERM to the supervisor (see: ringwall ls) does the same in 600 ms.\n\n"
                      "Examples:\n  ringwall kill app-1\n  ringwall kill --all"
                    : "Examples:\n  ringwall stop app-1\n  ringwall stop --all --time 30s");
  std::vector<std::string> runs;
  bool all = false;
  std::string time = "5s";
  line.add_option("RUN", runs, "names of runs; see: ringwall ls");
  line.add_flag("--all", all, "every run that goes on");
  if (!kills) line.add_option("--time", time, "until it is killed; default 5s").type_name("TIME");
  if (auto status = line.parse(invocation.arguments)) return *status;
  if (all != runs.empty())
    return complain_of(
        {all ? "--all names every run already" : "which run?", 0, "see: ringwall ls"});
  auto patience = policy::parse_number(policy::Shape::duration, time);
  if (!patience || *patience > 3'600'000)
    return complain_of({text::quote(time) + " is no time to wait", 0, "such as 5s, at most 1h"});
  if (all) {
    auto names = clients::list_run_names();
    if (!names) return complain_of(names.error());
    runs = std::move(*names);
  }
  int status = 0;
  for (const std::string& run : runs) {
    Status done = kills ? clients::kill_run(run)
                        : clients::stop_run(run, static_cast<int64_t>(*patience / 1000));
    if (!done) status = complain_of(done.error());
  }
  return status;
}

}  // namespace

int cmd_allow(const Invocation& invocation) { return change_hosts(invocation, true); }
int cmd_deny(const Invocation& invocation) { return change_hosts(invocation, false); }
int cmd_approve(const Invocation& invocation) { return answer_waiting(invocation, true); }
int cmd_reject(const Invocation& invocation) { return answer_waiting(invocation, false); }
int cmd_stop(const Invocation& invocation) { return end_runs(invocation, false); }
int cmd_kill(const Invocation& invocation) { return end_runs(invocation, true); }

}  // namespace ringwall::cli
