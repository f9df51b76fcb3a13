#include "prepare/exec_plan.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <map>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "sandbox/system_files.h"
#include "sandbox/wall.h"

namespace ringwall::prepare {
namespace {

using identity::Mode;
using identity::Taken;

constexpr int64_t kPatience = 1'000'000'000;
constexpr int64_t kPatienceOfLog = 3 * kPatience;
constexpr int64_t kLongLook = 200'000'000;
// Folders that a sandbox has of its own, whatever a tree holds there.
constexpr std::string_view kOwnFolders[] = {"/proc", "/dev", "/tmp"};

Result<std::vector<identity::RuleEntry>> parse_rules(const std::vector<policy::Text>& entries,
                                                     const std::string& home, const char* key,
                                                     bool may_be_class) {
  std::vector<identity::RuleEntry> rules;
  for (const policy::Text& entry : entries) {
    auto rule = policy::parse_program_rule(entry.value, home, may_be_class);
    if (!rule) {
      rule.error().what = std::string(key) + " " + text::quote(entry.value) + " " +
                          rule.error().what + " (" + entry.origin.text() + ")";
      return std::unexpected(rule.error());
    }
    rules.push_back({std::move(*rule), entry.value, entry.origin});
  }
  return rules;
}

Mode mode_of(const policy::Policy::Exec& exec) {
  if (exec.mode.value == "allow") return Mode::allow;
  return exec.mode.value == "deny" || !exec.deny.empty() ? Mode::deny : Mode::any;
}

// The first look through a big system takes a while: who waits should know for what.
class ProgressLine {
 public:
  ~ProgressLine() {
    if (shown_ && is_terminal_) say("\r\033[K");
  }
  int64_t waited() const { return clock::monotonic() - start_; }
  void step(size_t folders) {
    int64_t so_far = waited();
    if (is_terminal_ && so_far >= kPatience) {
      say("\rringwall: looking at the programs of this host, once: " + std::to_string(folders) +
          " folders");
      shown_ = true;
    }
    // A log is told once.
    if (!is_terminal_ && so_far >= kPatienceOfLog && !shown_) {
      say("ringwall: looking at the programs of this host, once; this can take a minute\n");
      shown_ = true;
    }
  }

 private:
  static void say(const std::string& text) { (void)file::write_all(2, text); }
  int64_t start_ = clock::monotonic();
  bool is_terminal_ = isatty(2) != 0;
  bool shown_ = false;
};

// True if whoever looks through `other` sees all of `tree`, as it is: nothing else is mounted
// between the two.
bool shows_the_same(const ShownTree& tree, const ShownTree& other,
                    const std::vector<ShownTree>& all) {
  auto is_plain = [](const ShownTree& one) { return !one.writable && one.source == one.target; };
  if (!is_plain(tree) || !is_plain(other) || tree.of_system != other.of_system) return false;
  if (!path::is_beneath(tree.source, other.source)) return false;
  return std::ranges::none_of(all, [&](const ShownTree& between) {
    return !is_plain(between) && path::is_beneath(between.target, other.target) &&
           path::is_beneath(tree.target, between.target);
  });
}

// A file in two trees is told once, by the tree that shows it.
void forget_covered(ExecPlan& plan) {
  std::set<std::string> seen;
  for (const Taken& taken : plan.found.taken) {
    if (!plan.inside(taken).empty()) seen.insert(taken.program.path);
  }
  std::erase_if(plan.found.taken, [&](const Taken& taken) {
    return seen.contains(taken.program.path) && plan.inside(taken).empty();
  });
}

// What cannot be named in one call cannot be covered either.
Status refuse_too_deep(const ExecPlan& plan) {
  constexpr size_t kMostShown = 200;
  for (const Taken& taken : plan.found.taken) {
    if (plan.inside(taken).size() < PATH_MAX) continue;
    return fail("a denied program lies too deep to be taken away: " +
                    text::quote(taken.program.path.substr(0, kMostShown)) + "…",
                "move it up or remove it, or do not grant that folder");
  }
  return {};
}

std::string rule_text(const Taken& taken) {
  if (taken.rule.empty())
    return taken.reason == Taken::Reason::unknown ? "exec.deny" : "exec.allow";
  return "exec.deny " + text::quote(taken.rule);
}

}  // namespace

std::vector<ShownTree> system_trees() {
  std::vector<ShownTree> trees;
  for (const sandbox::SystemPlace& place : sandbox::system_places()) {
    struct stat facts;
    std::string path(place.path);
    bool is_shown = !place.copied && lstat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode);
    if (is_shown) trees.push_back({path, path, false, true, false});
  }
  return trees;
}

std::string ExecPlan::inside(const Taken& taken) const {
  const ShownTree& tree = trees[taken.program.tree];
  std::string path = tree.target + taken.program.path.substr(tree.source.size());
  for (const ShownTree& other : trees) {
    bool deeper = other.target.size() > tree.target.size();
    if (deeper && path::is_beneath(path, other.target)) return {};
  }
  for (std::string_view own : kOwnFolders) {
    bool covers = own.size() > tree.target.size() && path::is_beneath(path, own);
    if (covers) return {};
  }
  return path;
}

Status refuse_idle_flags(const policy::Policy::Exec& exec) {
  Mode mode = mode_of(exec);
  auto is_typed = [](const auto& entry) {
    return entry.origin.layer == policy::Layer::command_line;
  };
  auto idle = [](const char* flag, const char* needs, const char* hint) {
    return Status(fail(std::string(flag) + " does nothing without " + needs, hint));
  };
  if (mode != Mode::allow && std::ranges::any_of(exec.allow, is_typed))
    return idle("--allow-program", "mode allow", "add --exec allow");
  if (mode != Mode::allow && std::ranges::any_of(exec.trees, is_typed))
    return idle("--exec-tree", "mode allow", "add --exec allow");
  if (mode != Mode::allow && exec.deny.empty() && exec.deny_later.on && is_typed(exec.deny_later))
    return idle("--deny-later", "a program that is denied", "add --deny-program NAME");
  return {};
}

Result<ExecPlan> plan_exec(ExecRequest request) {
  ExecPlan plan;
  plan.wanted.mode = mode_of(request.policy);
  if (plan.wanted.mode == Mode::any) return plan;
  TRY_ASSIGN(plan.wanted.deny, parse_rules(request.policy.deny, request.home, "exec.deny", false));
  TRY_ASSIGN(plan.wanted.allow,
             parse_rules(request.policy.allow, request.home, "exec.allow", true));
  auto line = std::make_shared<ProgressLine>();
  plan.search = std::make_shared<identity::ProgramSearch>(
      path::join(request.state, "programs"), std::move(request.search_path),
      [line](size_t folders) { line->step(folders); });
  for (const ShownTree& tree : request.trees) {
    bool known = std::ranges::any_of(plan.trees, [&](const ShownTree& other) {
      return shows_the_same(tree, other, request.trees);
    });
    if (known) continue;
    TRY(plan.search->add_tree(tree.source, tree.writable, tree.of_system));
    plan.trees.push_back(tree);
  }
  TRY_ASSIGN(plan.found, identity::resolve_rules(plan.wanted, *plan.search));
  // A run that is refused or killed would leave it to the next one to look for as long.
  if (line->waited() >= kLongLook) plan.search->keep();
  forget_covered(plan);
  TRY(refuse_too_deep(plan));
  return plan;
}

std::string command_to_allow(const policy::Policy::Exec& policy, const std::string& digest) {
  auto is_system = [](const policy::Text& entry) { return entry.value == "system"; };
  auto named = std::ranges::find_if(policy.allow, is_system);
  bool stays = named != policy.allow.end() && named->origin.layer != policy::Layer::command_line;
  bool runs = policy.allow.empty() || named != policy.allow.end();
  return "ringwall programs allow sha256:" + digest + (runs && !stays ? " system" : "");
}

Status check_program(const ExecPlan& plan, const std::string& program) {
  if (!plan.is_on() || program.empty()) return {};
  std::string end = identity::ProgramSearch::real_path(program);
  auto fd = file::open(end, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  char head[4096];
  ssize_t got = fd ? pread(fd->get(), head, sizeof head, 0) : -1;
  std::string interpreter =
      got > 0 ? identity::interpreter_of({head, static_cast<size_t>(got)}) : "";
  std::string interpreter_end =
      interpreter.empty() ? "" : identity::ProgramSearch::real_path(interpreter);
  for (const Taken& taken : plan.found.taken) {
    const std::string& path = taken.program.path;
    bool is_it = path == end || path == program;
    if (!is_it && (interpreter.empty() || (path != interpreter_end && path != interpreter)))
      continue;
    bool unallowed = taken.reason == Taken::Reason::unallowed;
    std::string what =
        is_it ? text::quote(program)
              : text::quote(interpreter) + ", which runs " + text::quote(program) + ",";
    std::string origin = taken.rule.empty() ? "" : " (" + taken.origin.text() + ")";
    return fail(what + (unallowed ? " is not among the programs that exec.allow names"
                                  : " is denied by " + rule_text(taken) + origin),
                unallowed ? "allow it: --allow-program " + std::string(path::basename(path))
                          : "see why: ringwall programs why " + text::quote(path));
  }
  return {};
}

void take_programs_away(const ExecPlan& plan, GuardedFiles& guarded, sandbox::FileGrants& files) {
  if (!plan.is_on() || sandbox::is_taken_away(sandbox::Wall::denied_programs)) return;
  std::map<std::string, sandbox::MissingNames> folders;
  std::set<std::string> masked;
  for (const Taken& taken : plan.found.taken) {
    std::string inside = plan.inside(taken);
    if (inside.empty()) continue;
    const ShownTree& tree = plan.trees[taken.program.tree];
    bool is_link = taken.program.kind == identity::ProgramKind::link;
    if (tree.is_copy) {
      std::erase_if(files.made, [&](const auto& made) { return path_of(made) == inside; });
      continue;
    }
    if (tree.writable) {
      // A link leads to what is covered.
      if (is_link || !masked.insert(inside).second) continue;
      guarded.protections.push_back({sandbox::Protection::Kind::hidden, inside,
                                     "denied program: " + rule_text(taken) + ", " + taken.why,
                                     tree.is_layer});
      if (tree.is_grant) guarded.denied.push_back(inside);
      continue;
    }
    if (taken.program.path == tree.source) {
      std::erase_if(files.grants, [&](const auto& grant) { return grant.path == inside; });
      continue;
    }
    sandbox::MissingNames& folder = folders[path::parent(inside)];
    folder.target = path::parent(inside);
    folder.source = path::parent(taken.program.path);
    folder.callers_own = !tree.of_system;
    folder.names.emplace_back(path::basename(inside));
  }
  for (auto& [target, folder] : folders)
    files.missing.push_back(std::move(folder));
}

Result<std::vector<std::string>> look_at_the_rest(ExecPlan& plan) {
  std::vector<std::string> late;
  if (!plan.is_on()) return late;
  TRY_ASSIGN(bool changed, plan.search->look_at_the_rest());
  if (changed) {
    std::set<std::string> known;
    for (const Taken& taken : plan.found.taken)
      known.insert(taken.program.path);
    TRY_ASSIGN(identity::Resolution again, identity::resolve_rules(plan.wanted, *plan.search));
    for (const Taken& taken : again.taken) {
      if (!known.contains(taken.program.path) && !plan.inside(taken).empty())
        late.push_back(taken.program.path);
    }
  }
  plan.search->keep();
  return late;
}

Status check_late_programs(ExecPlan& plan) {
  auto late = look_at_the_rest(plan);
  if (!late) {
    return fail("ended: programs that came since the last look cannot be looked for: " +
                    late.error().text(),
                late.error().hint);
  }
  if (late->empty()) return {};
  return fail("ended: " + text::quote((*late)[0]) + " is denied and came since the last look",
              "start it again: it will not be there");
}

}  // namespace ringwall::prepare
