#include "verify/verify.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdlib>
#include <memory>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "base/unix_sockets.h"
#include "sandbox/landlock.h"
#include "state/control.h"
#include "state/registry.h"
#include "verify/checks.h"
#include "verify/inside.h"
#include "verify/job.h"
#include "verify/outside.h"
#include "verify/own_run.h"
#include "verify/redirect_trial.h"

namespace ringwall::verify {
namespace {

constexpr int kPatienceForAll = 240;  // seconds; an emulated machine is slow

// What is checked: a run that is going on, or one of our own.
struct Subject {
  std::string run;  // empty: our own
  std::string workspace;
  bool landlock = false;
  bool lists_sockets = true;        // the kernel does, on this host
  bool redirect = true;             // connections can be taken to the wall on this host
  std::string name_to_grant;        // to runs of checks; leads to this machine
  bool asks = false;                // the person, over what no rule covers
  bool learns = false;              // and gives names that are not granted an address inside
  std::string judged_name;          // granted to the run, at a port for TLS or HTTP; empty: none is
  std::vector<std::string> served;  // what Ringwall itself puts below /run
  std::vector<std::string> set_variables;  // names of those that the run's policy sets
};

// What is tried for these waits for the person in a run that asks.
constexpr std::string_view kAskedFor[] = {"P23", "P24", "P25"};

Result<Subject> describe_subject(const std::string& run, const state::Places& places) {
  if (run.empty())
    return Subject{.landlock = sandbox::probe_landlock_abi() >= sandbox::kLeastLandlockAbi};
  TRY_ASSIGN(Fd folder, state::open_run(places.runs, run));
  TRY_ASSIGN(Fd connection, state::connect_control(folder.get()));
  TRY_ASSIGN(std::string description,
             state::ask_description(connection.get(), state::kPatienceForOne));
  boost::system::error_code error;
  boost::json::value value = boost::json::parse(description, error);
  const boost::json::object* facts = error ? nullptr : value.if_object();
  const boost::json::value* workspace = facts ? facts->if_contains("workspace") : nullptr;
  const boost::json::value* abi = facts ? facts->if_contains("landlock_abi") : nullptr;
  if (workspace == nullptr || !workspace->is_string() || abi == nullptr || !abi->is_int64()) {
    return fail("the run " + text::quote(run) + " describes itself in words not known here");
  }
  const boost::json::value* name = facts->if_contains("judged_name");
  auto is_on = [&](const char* key) {
    const boost::json::value* on = facts->if_contains(key);
    return on != nullptr && on->is_bool() && on->get_bool();
  };
  auto texts = [&](const char* key) {
    std::vector<std::string> out;
    const boost::json::value* list = facts->if_contains(key);
    for (const boost::json::value& text :
         list && list->is_array() ? list->get_array() : boost::json::array())
      if (text.is_string()) out.emplace_back(text.get_string());
    return out;
  };
  return Subject{.run = run,
                 .workspace = std::string(workspace->get_string()),
                 .landlock = abi->get_int64() >= sandbox::kLeastLandlockAbi,
                 .asks = is_on("asks"),
                 .learns = is_on("learns"),
                 .judged_name = name && name->is_string() ? std::string(name->get_string()) : "",
                 .served = texts("served"),
                 .set_variables = texts("set_variables")};
}

void grant_nothing(probes::Outside& facts) {
  facts.granted_name.clear();
  facts.granted_zone.clear();
  facts.own_name.clear();
}

void aim(probes::Outside& facts, const Subject& subject) {
  if (subject.run.empty()) {
    facts.open_files = {facts.canary_file, facts.home, "/"};
    if (!subject.redirect) grant_nothing(facts);
    if (!subject.lists_sockets) facts.late_socket.clear();
    return;
  }
  // A run that is going on: what was outside at its start cannot be planted any more.
  facts.workspace = subject.workspace;
  facts.workspace_socket.clear();
  facts.late_socket.clear();
  facts.canary_variable.clear();
  grant_nothing(facts);
  facts.judged_name = subject.judged_name;
  facts.answers_names = subject.learns;
  facts.served = subject.served;
  facts.set_variables = subject.set_variables;
}

bool has_program(const std::string& name) {
  const char* path = getenv("PATH");
  for (const std::string& folder : text::split(path == nullptr ? "" : path, ':')) {
    if (access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

// The programs of P30 and P31 are copies of it. One with many names (busybox) does nothing under
// another.
bool has_echo_of_its_own() {
  std::unique_ptr<char, decltype(&free)> real(realpath("/bin/echo", nullptr), free);
  return real && path::basename(real.get()) == "echo";
}

// Judged out here: the inside must not be able to excuse itself.
HostLacks what_host_lacks(const probes::Outside& facts, const Subject& subject) {
  HostLacks lacks;
  if (!subject.run.empty()) {
    lacks["P26"] = "would speak with servers of others: ringwall verify, without a run";
    if (subject.judged_name.empty()) lacks["P27"] = "the run is granted no name at port 443 or 80";
  }
  for (std::string_view promise : kAskedFor) {
    if (subject.asks)
      lacks[std::string(promise)] = "would ask you over each: ringwall verify, without a run";
  }
  for (const char* promise : {"P26", "P27", "P29"}) {
    if (!subject.redirect) lacks[promise] = "no nftables on this host: ringwall doctor";
  }
  if (!has_program("git")) lacks["P22"] = "no git on this host";
  for (const char* promise : {"P30", "P31"}) {
    if (!has_echo_of_its_own()) lacks[promise] = "/bin/echo is no program of its own on this host";
  }
  if (facts.canary_key == 0 && facts.canary_user_key == 0)
    lacks["P17"] = "no kernel keys on this host";
  if (facts.shared_memory_key == 0 && facts.message_queue.empty())
    lacks["P18"] = "no System V or POSIX IPC here";
  return lacks;
}

using Verdicts = std::vector<Verdict>;

struct OutsideCheck {
  std::vector<std::string_view> promises;
  const char* folder;
  Result<Verdicts> (*run)(const CheckInputs&);  // in the order of the promises
};

template <Result<Verdict> (*check)(const CheckInputs&)>
Result<Verdicts> alone(const CheckInputs& inputs) {
  TRY_ASSIGN(Verdict verdict, check(inputs));
  return Verdicts{std::move(verdict)};
}

// One after the other: the first is about time, and the second keeps a processor busy.
Result<Verdicts> check_ending_then_guarded(const CheckInputs& inputs) {
  TRY_ASSIGN(Verdict ending, check_ending(inputs));
  CheckInputs apart = inputs;
  apart.folder += "-guarded";
  apart.home_name += "-guarded";
  TRY_ASSIGN(Verdict killing, check_kill_switch(inputs));
  TRY_ASSIGN(Verdicts verdicts, check_guarded(apart));
  verdicts.insert(verdicts.begin(), {std::move(ending), std::move(killing)});
  return verdicts;
}

// All are short, and more at once would only slow down the others.
Result<Verdicts> check_leftovers_and_others(const CheckInputs& inputs) {
  TRY_ASSIGN(Verdict leftovers, check_leftovers(inputs));
  CheckInputs apart = inputs;
  apart.folder += "-secrets";
  Verdicts verdicts = {std::move(leftovers)};
  for (auto* check : {check_secrets, check_record}) {
    auto verdict = check(apart);
    verdicts.push_back(verdict ? *verdict : Verdict{Finding::cannot_tell, verdict.error().text()});
    apart.folder += "-then";
  }
  return verdicts;
}

// The one that waits longest first: the others run meanwhile.
const std::vector<OutsideCheck>& checks() {
  static const std::vector<OutsideCheck> kChecks = {
      {{"P32", "P37", "P10", "P11"}, "ending", check_ending_then_guarded},
      {{"P33"}, "bombs", alone<check_bombs>},
      {{"P35"}, "refusal", alone<check_refusal>},
      {{"P20", "P21", "P39"}, "terminal", check_terminal},
      {{"P30"}, "programs", alone<check_programs>},
      {{"P31"}, "unknown", alone<check_unknown>},
      {{"P12"}, "untouched", alone<check_untouched>},
      {{"P38", "P29", "P36"}, "leftovers", check_leftovers_and_others},
  };
  return kChecks;
}

Status run_check(const OutsideCheck& check, const Planted& planted, const Subject& subject,
                 int answers) {
  CheckInputs inputs{.folder = path::join(planted.room(), check.folder),
                     .home_name = planted.home_prefix() + "-" + check.folder,
                     .real_home = planted.facts().home,
                     .state_folder = planted.facts().state_folder,
                     .canary_file = planted.facts().canary_file,
                     .busy_folder = subject.workspace,
                     .name_to_grant = subject.name_to_grant,
                     .caller_is_root = planted.facts().caller_is_root,
                     .landlock = subject.landlock,
                     .redirect = subject.redirect};
  auto verdicts = check.run(inputs);
  std::string lines;
  for (size_t i = 0; i < check.promises.size(); i++) {
    Verdict verdict =
        verdicts ? verdicts->at(i) : Verdict{Finding::cannot_tell, verdicts.error().text()};
    if (!subject.run.empty()) verdict.evidence.insert(0, "own run: ");
    lines += answer_line(check.promises[i], verdict);
  }
  return file::write_all(answers, lines);
}

std::vector<std::string_view> promises_shown_inside(const Subject& subject) {
  std::vector<std::string_view> numbers;
  for (const Promise& promise : promises()) {
    bool is_left_out =
        subject.asks && std::ranges::find(kAskedFor, promise.number) != std::end(kAskedFor);
    bool is_shown = promise.shown_from == ShownFrom::inside;
    if (is_shown && !is_left_out) numbers.push_back(promise.number);
  }
  return numbers;
}

Result<std::vector<Job>> start_jobs(const Planted& planted, const Subject& subject) {
  std::vector<Job> jobs;
  for (const OutsideCheck& check : checks()) {
    TRY_ASSIGN(Job job, Job::start([&](int answers) {
                 return run_check(check, planted, subject, answers);
               }));
    jobs.push_back(std::move(job));
  }
  TRY_ASSIGN(Job probes, Job::start([&](int answers) {
               auto wanted = promises_shown_inside(subject);
               return subject.run.empty()
                          ? probe_own_sandbox(planted.home_prefix(), planted.facts(), wanted,
                                              answers)
                          : probe_run(subject.run, planted.facts(), wanted, answers);
             }));
  jobs.push_back(std::move(probes));
  return jobs;
}

// The last job holds the probes, the others a check each.
Result<Report> gather(std::span<Job> jobs, const Planted& planted, const Subject& subject) {
  const Job& probes = jobs.back();
  if (probes.answers().empty()) {
    return fail(probes.trouble().empty() ? "the probes did not answer" : probes.trouble());
  }
  auto expected = promises_shown_inside(subject);
  AnswerSheet sheet = parse_answers(probes.answers(), expected);
  for (std::string_view promise : kAskedFor) {
    if (subject.asks) sheet.answers[std::string(promise)] = {Finding::cannot_tell, "not tried"};
  }
  if (sheet.trouble.empty()) sheet.trouble = probes.trouble();
  for (size_t i = 0; i + 1 < jobs.size(); i++) {
    AnswerSheet one = parse_answers(jobs[i].answers(), checks()[i].promises);
    sheet.answers.merge(one.answers);
  }
  Report report;
  report.subject = subject.run.empty() ? "a sandbox started for this check"
                                       : "the run " + text::quote(subject.run);
  if (!subject.landlock) report.missing.insert(sandbox::Wall::landlock);
  if (!subject.lists_sockets) {
    report.missing.insert(sandbox::Wall::later_sockets);
    auto sockets = sheet.answers.find("P13");
    if (sockets != sheet.answers.end())
      sockets->second.evidence.insert(0, "later ones not tried, ");
  }
  report.rows = plan_rows(sheet.answers, what_host_lacks(planted.facts(), subject));
  if (!sheet.trouble.empty())
    report.trouble = "the answers from inside were not read to the end: " + sheet.trouble;
  return report;
}

Result<Report> check_everything(Planted& planted, const Subject& subject, int signals) {
  TRY_ASSIGN(std::vector<Job> jobs, start_jobs(planted, subject));
  if (!wait_for_all(jobs, signals, seconds_from_now(kPatienceForAll)))
    return std::unexpected(Error{"interrupted", EINTR, {}});
  return gather(jobs, planted, subject);
}

Result<Fd> take_interrupts() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
    sigaddset(&set, signal);
  ::signal(SIGPIPE, SIG_IGN);
  if (sigprocmask(SIG_BLOCK, &set, nullptr) < 0) return fail_errno("cannot block signals");
  Fd signals(signalfd(-1, &set, SFD_CLOEXEC));
  if (!signals) return fail_errno("cannot take signals");
  return signals;
}

}  // namespace

Result<Report> verify(const std::string& run) {
  TRY_ASSIGN(state::Caller caller, state::read_caller());
  state::Places places = state::find_places(caller, getenv("XDG_RUNTIME_DIR"));
  TRY_ASSIGN(Subject subject, describe_subject(run, places));
  TRY_ASSIGN(Fd signals, take_interrupts());
  // Whatever a check leaves running is handed to this process, and ended before it returns.
  if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0) return fail_errno("cannot reap for others");
  Planted planted;
  TRY(planted.plant(caller, places));
  subject.lists_sockets = unix_sockets::can_be_listed();
  subject.redirect = try_redirect().has_value();
  subject.name_to_grant = planted.facts().own_name;
  aim(planted.facts(), subject);
  auto report = check_everything(planted, subject, signals.get());
  planted.dismiss_processes();
  end_all_children();
  // Registry entries of the runs that were killed on purpose: looking removes them.
  (void)state::list_runs(places.runs);
  return report;
}

}  // namespace ringwall::verify
