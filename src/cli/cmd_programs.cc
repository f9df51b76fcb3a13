// ringwall programs: programs by their content. Which are denied or allowed here, what a rule would
// take away, and rules for the person's own policy.
#include <fcntl.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>
#include <set>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/load_policy.h"
#include "cli/output.h"
#include "cli/remember.h"
#include "explain/explain.h"
#include "identity/hash_file.h"
#include "prepare/grants.h"

namespace ringwall::cli {
namespace {

using identity::Taken;

constexpr const char* kExamples = R"(Examples:
  ringwall programs hash ./tool         the name of its content: sha256:…
  ringwall programs why npx             what denying it would take away, under which names
  ringwall programs deny npx            in your policy, for all runs from now on
  ringwall programs deny file:~/bin/x   what that file holds when a run starts
  ringwall programs allow sha256:…      for runs with --exec allow
  ringwall programs list                what the policy takes away here

A denied program is missing inside under any name. A changed copy from elsewhere is not the same
program any more: see docs/programs.md.)";

struct ProgramsOptions {
  std::string act;
  std::vector<std::string> subjects;
  std::string policy_file;
  bool dry_run = false;
  bool json = false;
};

Result<int> hash_files(const ProgramsOptions& options) {
  boost::json::array rows;
  int status = 0;
  for (const std::string& file : options.subjects) {
    auto fd = file::open(file, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    auto hashed = fd ? identity::hash_file(fd->get()) : std::unexpected(fd.error());
    if (!hashed) {
      complain("cannot hash " + text::quote(file) + ": " + hashed.error().text(), "");
      status = 1;
      continue;
    }
    std::string name = "sha256:" + hashed->digest.hex();
    rows.push_back({{"file", file}, {"program", name}, {"size", hashed->key.size}});
    if (!options.json) printf("%s  %s\n", name.c_str(), text::quote(file).c_str());
  }
  if (options.json) printf("%s\n", text::harmless_json(boost::json::serialize(rows)).c_str());
  return status;
}

Result<prepare::RunRequest> load(const ProgramsOptions& options, const PolicyFlags& flags) {
  prepare::RunRequest request;
  request.register_it = false;
  request.command = {"sh"};
  TRY(load_policy(options.policy_file, flags, options.json, request));
  return request;
}

const char* reason_of(Taken::Reason reason) {
  switch (reason) {
    case Taken::Reason::name:
      return "name";
    case Taken::Reason::content:
      return "content";
    case Taken::Reason::wrapper:
      return "wrapper";
    case Taken::Reason::unknown:
      return "unknown";
    case Taken::Reason::unallowed:
      return "not allowed";
  }
  return "";
}

boost::json::object row_of(const prepare::ExecPlan& plan, const Taken& taken) {
  bool has_digest = taken.digest != Digest();
  return {{"path", taken.program.path},
          {"inside", plan.inside(taken)},
          {"reason", reason_of(taken.reason)},
          {"rule", taken.rule},
          {"origin", taken.rule.empty() ? "" : taken.origin.text()},
          {"program", has_digest ? "sha256:" + taken.digest.hex() : ""},
          {"why", taken.why}};
}

void print_plan(const prepare::ExecPlan& plan, bool json) {
  boost::json::array rows, notes, interpreters;
  for (const Taken& taken : plan.found.taken)
    rows.push_back(row_of(plan, taken));
  for (const std::string& note : plan.found.notes)
    notes.emplace_back(note);
  std::set<std::string> left = explain::interpreters_left(plan);
  for (const std::string& name : left)
    interpreters.emplace_back(name);
  constexpr const char* kModes[] = {"any", "deny", "allow"};
  const char* mode = kModes[static_cast<size_t>(plan.wanted.mode)];
  if (json) {
    boost::json::object out{
        {"mode", mode}, {"taken", rows}, {"notes", notes}, {"interpreters", interpreters}};
    printf("%s\n", text::harmless_json(boost::json::serialize(out)).c_str());
    return;
  }
  printf("mode %s: %zu taken away\n", mode, plan.found.taken.size());
  for (const Taken& taken : plan.found.taken) {
    std::string rule = taken.rule.empty() ? "" : "  [" + text::quote(taken.rule) + "]";
    printf("  %s%s  %s\n", text::quote(taken.program.path).c_str(), rule.c_str(),
           text::escape(taken.why).c_str());
    if (taken.digest != Digest()) printf("      sha256:%s\n", taken.digest.hex().c_str());
  }
  for (const std::string& note : plan.found.notes)
    printf("  %s\n", text::escape(note).c_str());
  if (left.empty()) return;
  std::vector<std::string> names(left.begin(), left.end());
  printf(
      "interpreters that stay: %s\n  what they read is a read, not an exec: no rule of exec "
      "judges a script that is handed to one\n",
      text::join(names, ", ").c_str());
}

Result<int> list(const ProgramsOptions& options, const PolicyFlags& flags) {
  TRY_ASSIGN(prepare::RunRequest request, load(options, flags));
  prepare::Preparation prepared{.request = request};
  TRY(prepare::prepare(prepared));
  print_plan(prepared.exec, options.json);
  return 0;
}

// A path is what that file holds now.
Result<std::string> rule_of(const std::string& typed, const std::string& home, bool may_be_class) {
  std::string rule = typed;
  bool is_path = typed.find('/') != typed.npos && !typed.starts_with("file:");
  if (is_path) {
    TRY_ASSIGN(std::string folder, prepare::read_working_folder());
    rule = "file:" + path::absolute(typed, folder);
  }
  auto parsed = policy::parse_program_rule(rule, home, may_be_class);
  if (!parsed) {
    parsed.error().what = text::quote(typed) + " " + parsed.error().what;
    return std::unexpected(parsed.error());
  }
  return rule;
}

// As if only this were denied.
Result<int> why(const ProgramsOptions& options, const PolicyFlags& flags) {
  TRY_ASSIGN(prepare::RunRequest request, load(options, flags));
  TRY_ASSIGN(std::string rule, rule_of(options.subjects[0], request.caller.home, false));
  prepare::RunRequest as_it_is = request;
  prepare::Preparation now{.request = as_it_is};
  TRY(prepare::prepare(now));
  TRY_ASSIGN(std::string folder, prepare::read_working_folder());
  explain::Answer answer = explain::explain_exec(now, options.subjects[0], folder);
  request.policy.exec.mode = {"deny"};
  request.policy.exec.allow.clear();
  request.policy.exec.trees.clear();
  request.policy.exec.deny = {{rule, {policy::Layer::command_line, "programs why"}}};
  prepare::Preparation then{.request = request};
  TRY(prepare::prepare(then));
  if (!options.json) {
    printf("now: %s, %s\n", std::string(explain::name_of(answer.verdict)).c_str(),
           text::escape(answer.why).c_str());
    printf("with %s denied, %s", text::quote(rule).c_str(), "in ");
  }
  print_plan(then.exec, options.json);
  std::vector<std::string> others = explain::stand_ins_left(then.exec, rule);
  if (!options.json && !others.empty())
    printf("what does the same and stays: %s\n", text::escape(text::join(others, ", ")).c_str());
  return 0;
}

// An empty list is not nothing: it means what the read-only folders hold.
Result<bool> ends_the_default(const ProgramsOptions& options, const PolicyFlags& flags) {
  auto is_class = [](const std::string& one) { return one == "system" || one == "built-here"; };
  if (options.act != "allow" || std::ranges::any_of(options.subjects, is_class)) return false;
  TRY_ASSIGN(prepare::RunRequest request, load(options, flags));
  return request.policy.exec.allow.empty();
}

// A denial beats an allowance: what was just allowed runs no more than before.
Status tell_denials(const ProgramsOptions& options, const PolicyFlags& flags) {
  TRY_ASSIGN(prepare::RunRequest request, load(options, flags));
  for (const std::string& subject : options.subjects) {
    TRY_ASSIGN(std::string rule, rule_of(subject, request.caller.home, true));
    for (const auto& denied : request.policy.exec.deny) {
      if (denied.value != rule) continue;
      complain("exec.deny names " + text::quote(rule) + " too (" + denied.origin.text() +
                   "): it stays denied",
               "take it out there");
    }
  }
  return {};
}

Result<int> write_rule(const ProgramsOptions& options, const PolicyFlags& flags) {
  TRY_ASSIGN(state::Caller caller, state::read_caller());
  if (getenv("RINGWALL_RUN") != nullptr)
    return fail("rules are given by a person, outside of every run",
                "ask the person who started it");
  bool allows = options.act == "allow";
  std::string key = allows ? "exec.allow" : "exec.deny";
  TRY_ASSIGN(bool replaces, ends_the_default(options, flags));
  boost::json::array rows;
  for (const std::string& subject : options.subjects) {
    TRY_ASSIGN(std::string rule, rule_of(subject, caller.home, allows));
    std::string said;
    if (!options.dry_run) {
      TRY_ASSIGN(said, write_down(key, rule));
    }
    rows.push_back({{"key", key}, {"value", rule}, {"written", !said.empty()}});
    if (options.json) continue;
    if (options.dry_run) said = "would add " + text::quote(rule) + " to " + key;
    printf("%s\n", said.empty() ? (key + " names " + text::quote(rule) + " already").c_str()
                                : said.c_str());
  }
  if (options.json) printf("%s\n", text::harmless_json(boost::json::serialize(rows)).c_str());
  if (replaces)
    complain(
        "with a list, nothing else runs in mode allow: what the read-only folders hold did so "
        "far, and does no more",
        "keep it: ringwall programs allow system");
  if (allows) TRY(tell_denials(options, flags));
  return 0;
}

Result<int> act(const ProgramsOptions& options, const PolicyFlags& flags) {
  if (options.act == "list") return list(options, flags);
  bool known = options.act == "hash" || options.act == "deny" || options.act == "allow" ||
               options.act == "why";
  if (!known)
    return fail("programs what?", "try: ringwall programs list; see: ringwall programs --help");
  if (options.subjects.empty())
    return fail("programs " + options.act + " what?", "see: ringwall programs --help");
  if (options.act == "hash") return hash_files(options);
  if (options.act == "why") return why(options, flags);
  return write_rule(options, flags);
}

}  // namespace

int cmd_programs(const Invocation& invocation) {
  CommandLine line("Programs by their content: hashes, rules, and what they take away.", "programs",
                   "ringwall programs hash FILE… | list | why PROGRAM | deny PROGRAM… | allow "
                   "PROGRAM…");
  line.footer(kExamples);
  ProgramsOptions options;
  line.add_option("ACT", options.act, "hash, list, why, deny or allow");
  line.add_option("PROGRAM", options.subjects, "NAME, sha256:HASH, file:PATH or a path");
  line.add_option("--policy", options.policy_file, "a policy file, as for run").type_name("FILE");
  line.add_flag("--dry-run", options.dry_run,
                "with deny and allow: only say what would be written");
  line.add_flag("--json", options.json, "as JSON");
  PolicyFlags flags = PolicyFlags::of_run(line);
  if (auto status = line.parse(invocation.arguments)) return *status;
  auto status = act(options, flags);
  if (status) return *status;
  complain(status.error());
  return kUsageStatus;
}

}  // namespace ringwall::cli
