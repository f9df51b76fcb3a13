// What explain says of programs: whether one can be started, and which rule took it away.
#include <fcntl.h>

#include <algorithm>
#include <array>

#include "base/file.h"
#include "base/path.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "explain/explain.h"
#include "explain/plan_view.h"
#include "identity/hash_file.h"
#include "prepare/profile_choice.h"

namespace ringwall::explain {
namespace {

using identity::Taken;
using Verdict = Answer::Verdict;

// Programs that run whatever they read.
constexpr std::array<std::string_view, 18> kInterpreters = {
    "sh",   "bash", "dash", "zsh", "fish", "ksh", "busybox", "python", "perl",
    "ruby", "node", "deno", "bun", "php",  "lua", "java",    "awk",    "gdb"};

Answer refused(const Taken& taken, const std::string& subject) {
  Answer answer{.subject = subject};
  bool unallowed = taken.reason == Taken::Reason::unallowed;
  answer.rule = {unallowed || taken.rule.empty() ? "exec.allow" : "exec.deny", taken.origin};
  if (!unallowed && taken.rule.empty()) answer.rule.key = "exec.deny";
  answer.why = taken.why;
  if (!taken.rule.empty()) answer.why += " (denied: " + taken.rule + ")";
  answer.why += "; it is not there inside, by any name";
  if (unallowed) {
    answer.wishes = {{"exec.allow", std::string(path::basename(subject))}};
  } else if (!taken.rule.empty()) {
    answer.advice = removal_of(taken.origin);
  }
  return answer;
}

// Where what is written does not run.
bool is_withheld(const PlaceInside& place) {
  bool by_mount = place.mount != nullptr && place.mount->access == sandbox::Access::write_data;
  return by_mount ||
         (place.read_only != nullptr && place.read_only->access == sandbox::Access::none);
}

std::optional<Digest> digest_of(const std::string& host) {
  auto fd = file::open(host, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  auto hashed = fd ? identity::hash_file(fd->get()) : std::unexpected(fd.error());
  return hashed ? std::optional(hashed->digest) : std::nullopt;
}

// Why it does not run although it is there: what the kernel refuses, or the exec stop would.
std::string reason_against(const prepare::Preparation& run, const PlaceInside& place,
                           const std::optional<Digest>& digest) {
  const identity::StopRules& rules = run.programs.rules;
  if (run.plan.exec.has_stop && prepare::is_tracer(place.path))
    return "it traces other processes, and this policy has every process traced by the exec stop";
  if (rules.rules.mode == identity::Mode::deny) {
    bool is_loader = run.plan.exec.has_stop && digest && rules.loaders.contains(*digest);
    return is_loader ? "it runs any file that it is given, so exec.deny_later does not let it" : "";
  }
  if (is_withheld(place)) return "it can be written inside, and what is written does not run";
  bool in_tree = place.mount != nullptr && place.mount->access == sandbox::Access::write;
  if (!in_tree) return "";
  if (!digest) return "it cannot be read, so nobody knows what it is";
  if (rules.rules.verdict_of(*digest).may_run) return "";
  return rules.rules.built_here ? "nothing allows it, and it was not built in this run"
                                : "nothing allows it";
}

// A place that runs what is allowed needs an entry; one that runs nothing has to be named.
void advise(const prepare::Preparation& run, const PlaceInside& place,
            const std::optional<Digest>& digest, Answer& answer) {
  if (run.programs.rules.rules.mode != identity::Mode::allow || !digest) return;
  std::string allow = prepare::command_to_allow(run.request.policy.exec, digest->hex());
  answer.rule.key = "exec.allow";
  answer.advice = is_withheld(place)
                      ? allow + ", and let programs of that folder run: ringwall run --exec-tree " +
                            text::shell_word(path::parent(place.path)) + " …"
                      : allow;
}

}  // namespace

bool is_interpreter(std::string_view name) {
  return std::ranges::any_of(kInterpreters, [&](std::string_view known) {
    // python3, python3.11, lua5.4
    std::string_view rest = name.starts_with(known) ? name.substr(known.size()) : "x";
    return rest.find_first_not_of("0123456789.") == rest.npos;
  });
}

std::set<std::string> interpreters_left(const prepare::ExecPlan& plan) {
  std::set<std::string> names;
  if (!plan.is_on()) return names;
  std::set<std::string> gone;
  for (const Taken& taken : plan.found.taken)
    gone.insert(taken.program.path);
  plan.search->for_each(
      [&](size_t tree, const std::string& folder, const identity::ListedFile& file) {
        std::string_view name = plan.search->name_of(tree, file);
        bool may_be = file.may_execute != 0 && folder.ends_with("bin") && is_interpreter(name);
        if (may_be && !gone.contains(plan.search->program(tree, folder, file).path))
          names.emplace(name);
      });
  return names;
}

std::vector<std::string> stand_ins_left(const prepare::ExecPlan& plan, const std::string& name) {
  constexpr size_t kMostBytes = 16 << 20;
  std::vector<std::string> left;
  if (!plan.is_on()) return left;
  auto stays = [&](std::string_view program) -> std::string {
    for (const std::string& path : plan.search->found_by_path(program)) {
      bool is_gone = std::ranges::any_of(
          plan.found.taken, [&](const Taken& taken) { return taken.program.path == path; });
      if (!is_gone) return path;
    }
    return {};
  };
  // The names of its parts stand in it one after the other, each with its end.
  for (std::string_view box : {"busybox", "toybox"}) {
    std::string path = stays(box);
    auto bytes = path.empty() ? fail("") : file::read(path, kMostBytes);
    std::string part = '\0' + name + '\0';
    if (bytes && bytes->find(part) != bytes->npos) left.push_back(std::string(box) + " " + name);
  }
  constexpr std::array<std::array<std::string_view, 3>, 4> kOthers = {
      {{"npx", "npm", "npm exec"},
       {"npx", "pnpm", "pnpm dlx"},
       {"npx", "yarn", "yarn dlx"},
       {"uvx", "uv", "uv tool run"}}};
  for (const auto& [denied, other, how] : kOthers) {
    if (name == denied && !stays(other).empty()) left.emplace_back(how);
  }
  return left;
}

std::optional<Answer> explain_taken(const prepare::Preparation& run, const std::string& path) {
  std::string end = identity::ProgramSearch::real_path(path);
  for (const Taken& taken : run.exec.found.taken) {
    if (taken.program.path == end || taken.program.path == path) return refused(taken, path);
  }
  return std::nullopt;
}

Answer explain_exec(const prepare::Preparation& run, const std::string& subject,
                    const std::string& working_folder) {
  std::string path =
      subject.find('/') == subject.npos
          ? sandbox::locate_program(subject, prepare::callers_search_path(), working_folder)
          : path::absolute(subject, working_folder);
  Answer answer{.subject = path.empty() ? subject : path};
  std::string end = path.empty() ? "" : identity::ProgramSearch::real_path(path);
  if (end.empty()) {
    answer.why = "there is no such program, outside neither";
    return answer;
  }
  if (auto taken = explain_taken(run, path)) return *taken;
  PlaceInside place = find_inside(run.plan, path);
  if (!place.exists) {
    answer.why = "nothing grants it, and what is not granted is not there";
    answer.wishes = {{"files.read", end}};
    return answer;
  }
  answer.rule = {"exec.mode", run.request.policy.exec.mode.origin};
  std::optional<Digest> digest = run.exec.is_on() ? digest_of(place.host) : std::nullopt;
  std::string against = run.exec.is_on() ? reason_against(run, place, digest) : "";
  if (!against.empty()) {
    answer.why = against;
    advise(run, place, digest, answer);
    return answer;
  }
  answer.verdict = Verdict::yes;
  answer.why = run.exec.is_on() ? "no rule takes it away" : "every program runs: exec.mode is any";
  if (is_interpreter(path::basename(end)))
    answer.why +=
        "; it is an interpreter: the scripts it reads are read, not executed, and no rule "
        "of exec judges them";
  answer.wishes = {{"exec.deny", std::string(path::basename(path))}};
  return answer;
}

}  // namespace ringwall::explain
