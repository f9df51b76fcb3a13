#include "session/run_report.h"
#include "desks/risk_desk.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/clock.h"
#include "base/path.h"
#include "base/text.h"
#include "base/unix_sockets.h"
#include "desks/git_push.h"
#include "events/redact.h"
#include "explain/explain.h"
#include "policy/fields.h"
#include "policy/fingerprint.h"
#include "prepare/start_failure.h"
#include "session/remote_lines.h"
#include "session/review_end.h"

namespace ringwall::session {
namespace {

// Every value that gives the inside more than the defaults do, with where it came from.
std::vector<std::string> list_widenings(const policy::Policy& policy) {
  std::vector<std::string> widenings;
  policy::Policy copy = policy;
  auto add = [&](const policy::Field& field, const std::string& value, const std::string& origin) {
    widenings.push_back(std::string(field.key) + "=" + value + " (" + origin + ")");
  };
  for (const policy::Field& field : policy::fields()) {
    if (!field.widens) continue;
    if (const auto* single = std::get_if<policy::TextOf>(&field.member)) {
      const policy::Text& text = (*single)(copy);
      if (!text.value.empty()) add(field, text.value, text.origin.text());
    } else if (const auto* list = std::get_if<policy::ListOf>(&field.member)) {
      for (const policy::Text& text : (*list)(copy))
        add(field, text.value, text.origin.text());
    } else if (const auto* on = std::get_if<policy::SwitchOf>(&field.member)) {
      if ((*on)(copy).on) add(field, "true", (*on)(copy).origin.text());
    }
  }
  return widenings;
}

// A socket that is not there inside although its folder is: the person should know why.
void tell_masked_sockets(const RunHooks& hooks, const std::vector<std::string>& sockets) {
  if (sockets.empty()) return;
  std::string what = sockets.size() == 1
                         ? "1 socket of the host is masked: "
                         : std::to_string(sockets.size()) + " sockets of the host are masked: ";
  what += text::quote(sockets[0]) + (sockets.size() > 1 ? ", …" : "");
  hooks.tell(events::Withheld{what, "see them all: ringwall run --explain …"});
}

// Some are secrets, others are what the person's own patterns name.
void tell_hidden(const RunHooks& hooks, const prepare::GuardedFiles& guarded) {
  const std::vector<std::string>& hidden = guarded.hidden;
  if (hidden.empty()) return;
  bool one = hidden.size() == 1;
  size_t secrets = hidden.size() - guarded.hidden_by_policy.size();
  std::string what = one ? "1 file" : std::to_string(hidden.size()) + " files";
  if (secrets == hidden.size()) what += " with secrets";
  what += one ? " is hidden" : " are hidden";
  if (secrets > 0 && secrets < hidden.size())
    what += " (" + std::to_string(secrets) + " with secrets)";
  what += ": " + text::quote(hidden[0]) + (hidden.size() > 1 ? ", …" : "");
  hooks.tell(
      events::Withheld{what, "show one: --show PATTERN; see them all: ringwall run --explain …"});
}

// What was asked for and cannot be had: a shell's <(…), a variable that is not set.
void tell_missing(const RunHooks& hooks, const prepare::Preparation& prepared) {
  for (const std::string& argument : prepared.plan.arguments) {
    if (!argument.starts_with("/dev/fd/") && !argument.starts_with("/proc/self/fd/")) continue;
    hooks.tell(events::Withheld{
        text::quote(argument) + " is not there inside: descriptors above 2 are closed",
        "pass it by a pipe, or by a file in the workspace"});
  }
  for (const policy::Text& name : prepared.request.policy.environment.pass) {
    // A profile names what its agent could use; who has not set it does not miss it.
    if (name.origin.layer == policy::Layer::profile) continue;
    if (getenv(name.value.c_str()) != nullptr) continue;
    hooks.tell(events::Withheld{
        "the variable " + name.value + " (" + name.origin.text() + ") is not set", ""});
  }
}

// The kernel refuses what lies on such a mount before anybody is asked: there is no event for it.
void tell_withheld_execution(const RunHooks& hooks, const prepare::Preparation& prepared) {
  if (!prepared.plan.exec.only_known) return;
  std::string where = prepared.programs.trees.empty() ? "" : " outside of the exec trees";
  hooks.tell(
      events::Withheld{"what can be written inside does not run" + where +
                           ": the kernel says \"Permission denied\" there, which is not recorded",
                       "ask about one: ringwall explain exec FILE --exec allow …"});
}

// Where only known programs run, permission bits are not the likely reason.
events::CannotRun describe_exec_failure(const prepare::Preparation& prepared, int err) {
  const std::string& program = prepared.plan.arguments[0];
  events::CannotRun event = prepare::explain_exec_failure(program, err);
  if (err != EACCES || !prepared.plan.exec.only_known) return event;
  explain::Answer answer =
      explain::explain_exec(prepared, prepared.toolchain.program, prepared.plan.working_folder);
  if (answer.verdict == explain::Answer::Verdict::yes) return event;
  event.what = "does not run in mode allow: " + answer.why;
  event.hint = answer.advice;
  return event;
}

}  // namespace

std::vector<std::string> list_missing_walls(const prepare::Preparation& prepared,
                                            const limits::Cgroup& cgroup) {
  std::vector<std::string> missing;
  if (prepared.plan.landlock_abi < sandbox::kLeastLandlockAbi) missing.emplace_back("landlock");
  // Others are told when the first socket appears: where the list is missing, asking takes as long
  // as a program that looks for the module.
  bool asks = prepared.request.policy.walls.strict.on && prepared.plan.masks_later;
  if (asks && !unix_sockets::can_be_listed()) missing.emplace_back("later-sockets");
  if (limits::wants_cgroup(prepared.plan.limits) && !cgroup.is_there())
    missing.emplace_back("cgroup");
  return missing;
}

events::RunStarted describe_start(const prepare::Preparation& prepared,
                                  const limits::Cgroup& cgroup) {
  return {prepared.plan.run_name,
          prepared.plan.workspace,
          prepared.plan.arguments,
          policy::fingerprint(prepared.request.policy),
          prepared.home.name,
          list_widenings(prepared.request.policy),
          list_missing_walls(prepared, cgroup),
          desks::risk_weights(prepared.request.policy.risk),
          desks::risk_thresholds(prepared.request.policy.risk)};
}

namespace {

constexpr size_t kMostLeftRemotes = 10;  // then only their number

// Some of them may have been told while that run went on.
void tell_left_remotes(const RunHooks& hooks, const std::vector<broker::BrokerNotice>& remotes) {
  size_t shown = std::min(remotes.size(), kMostLeftRemotes);
  for (size_t i = 0; i < shown; i++)
    hooks.tell(describe_remote(remotes[i]));
  if (remotes.size() > shown) hooks.tell(describe_more_remotes(remotes.size() - shown));
}

// What `ringwall verify RUN` finds inside and is there on purpose. Names alone: values may be keys.
void describe_own(const sandbox::Plan& plan, boost::json::object& out) {
  boost::json::array served, set;
  for (const sandbox::Mount& mount : plan.mounts) {
    if (mount.target.starts_with("/run/ringwall/")) served.emplace_back(mount.target);
  }
  for (const sandbox::EnvironmentEntry& entry : plan.environment) {
    if (entry.rule.key == "environment.set" || entry.value == desks::kAgentSocket)
      set.emplace_back(entry.name);
  }
  out["served"] = std::move(served);
  out["set_variables"] = std::move(set);
}

}  // namespace

boost::json::object describe_run(const prepare::Preparation& prepared, const Recorder* recorder) {
  boost::json::object out{
      {"name", prepared.plan.run_name},   {"pid", getpid()},
      {"started", clock::wall_seconds()}, {"workspace", prepared.plan.workspace},
      {"home", prepared.home.name},       {"landlock_abi", prepared.plan.landlock_abi}};
  boost::json::array command;
  for (const std::string& argument : events::redact_words(prepared.plan.arguments))
    command.emplace_back(argument);
  out["command"] = std::move(command);
  out["asks"] = prepared.network.request.asks;
  out["learns"] = prepared.network.request.learns;
  out["judged_name"] = prepare::find_judged_name(prepared.network.request.rules);
  describe_own(prepared.plan, out);
  boost::json::array profiles;
  for (const std::string& name : prepared.request.profiles)
    profiles.emplace_back(name);
  out["profiles"] = std::move(profiles);
  boost::json::array widenings;
  for (const std::string& widening : list_widenings(prepared.request.policy))
    widenings.emplace_back(events::redact(widening));
  out["widenings"] = std::move(widenings);
  if (recorder != nullptr) out["record"] = recorder->id();
  return out;
}

events::FilesHidden describe_hidden(const prepare::Preparation& prepared) {
  return {prepared.plan.run_name, prepared.guarded->hidden, prepared.guarded->sockets};
}

// Of a killed run, maybe of another workspace: in as many lines as within a run.
void tell_swept(const RunHooks& hooks, const std::vector<broker::Swept>& all) {
  constexpr size_t kMostTold = 10;
  for (size_t i = 0; i < std::min(all.size(), kMostTold); i++)
    hooks.tell(events::Planted{"", all[i].path, all[i].rule, all[i].why, all[i].item});
  if (all.size() <= kMostTold) return;
  size_t more = all.size() - kMostTold;
  hooks.tell(events::Withheld{"took away " + std::to_string(more) +
                                  (more == 1 ? " more file that is" : " more files that are") +
                                  " protected, which a killed run had left",
                              "list them: ringwall quarantine list"});
}

void tell_start(const RunHooks& hooks, const prepare::Preparation& prepared) {
  tell_swept(hooks, prepared.swept);
  tell_left_remotes(hooks, prepared.left_remotes);
  if (!prepared.guarded->hidden.empty() || !prepared.guarded->sockets.empty())
    hooks.tell(describe_hidden(prepared));
  if (prepared.exec.is_on()) {
    for (const std::string& complaint : prepared.exec.search->complaints())
      hooks.tell(events::Withheld{complaint, ""});
  }
  tell_masked_sockets(hooks, prepared.guarded->sockets);
  tell_hidden(hooks, *prepared.guarded);
  tell_missing(hooks, prepared);
  tell_withheld_execution(hooks, prepared);
}

void tell_outcome(const RunHooks& hooks, const prepare::Preparation& prepared,
                  const processes::Outcome& outcome) {
  end_review(hooks, prepared);
  if (outcome.kind == processes::Outcome::Kind::cannot_run)
    hooks.tell(describe_exec_failure(prepared, outcome.value));
  if (outcome.kind == processes::Outcome::Kind::lost && outcome.value == 0)
    hooks.tell(events::Refused{"", "pid 1 of the sandbox ended unexpectedly", ""});
  hooks.tell(events::RunEnded{prepared.plan.run_name, outcome.exit_status()});
}

}  // namespace ringwall::session
