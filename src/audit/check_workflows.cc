// Workflows of GitHub Actions: what strangers can start, what they can put into it, and what it may
// do then.
#include <map>
#include <set>

#include "audit/checks.h"
#include "audit/ci_agents.h"
#include "base/text.h"

namespace ringwall::audit {
namespace {

// Events that somebody without rights in the repository can cause, and that run with its own.
constexpr std::string_view kStrangers[] = {
    "issues",
    "issue_comment",
    "pull_request_target",
    "pull_request_review",
    "discussion",
    "discussion_comment",
    "pull_request_review_comment",
    "workflow_run",
    "fork",
    "watch",
    "gollum",
};

// Texts of theirs.
constexpr std::string_view kTheirTexts[] = {
    "github.event.issue.title",
    "github.event.issue.body",
    "github.event.pull_request.title",
    "github.event.pull_request.body",
    "github.event.comment.body",
    "github.event.review.body",
    "github.event.discussion.title",
    "github.event.discussion.body",
    "github.event.pull_request.head.ref",
    "github.event.pull_request.head.label",
    "github.event.pull_request.head.repo.default_branch",
    "github.event.head_commit.message",
    "github.event.head_commit.author",
    "github.event.commits",
    "github.event.review_comment.body",
    "github.event.pages",
    "github.event.workflow_run.head_branch",
    "github.event.workflow_run.display_title",
    "github.head_ref",
    "tojson(github)",
    "tojson(github.event)",
};

constexpr std::string_view kAgentActions[] = {
    "anthropics/claude-code-action",
    "anthropics/claude-code-base-action",
    "openai/codex-action",
    "google-github-actions/run-gemini-cli",
    "google-gemini/gemini-cli-action",
    "sst/opencode",
    "actions/ai-inference",
    "cline/",
    "block/goose",
    "aider-ai/",
};
template <size_t N>
std::string_view find_among(std::string_view text, const std::string_view (&signs)[N]) {
  for (std::string_view sign : signs) {
    if (text.contains(sign)) return sign;
  }
  return {};
}

// An expression as GitHub understands it: in small letters, without blanks, github['event'] as
// github.event.
std::string plain_expression(std::string_view text) {
  std::string plain;
  for (char c : text::in_small_letters(text)) {
    if (c == '[') {
      plain += '.';
    } else if (!std::string_view(" \t\r\n'\"]").contains(c)) {
      plain += c;
    }
  }
  return plain;
}

bool holds_their_text(std::string_view text) {
  return !find_among(plain_expression(text), kTheirTexts).empty();
}

std::set<std::string, std::less<>> triggers_of(const Setting& workflow) {
  std::set<std::string, std::less<>> names;
  for (const char* key : {"on", "true"}) {  // YAML 1.1 takes a bare on for true
    workflow.each(key, [&](const Setting& on) {
      if (on.is_text()) names.insert(on.text);
      for (const auto& [name, member] : on.members)
        names.insert(on.is_list() ? member.text : name);
    });
  }
  return names;
}

struct Permissions {
  bool writes = false;
  size_t line = 0;
};

// What is written there; without any, old repositories give a token that writes.
void take_permissions(const Setting* permissions, Permissions& found) {
  if (permissions == nullptr) return;
  if (permissions->text == "write-all") found = {true, permissions->line};
  for (const auto& [name, value] : permissions->members) {
    // A badge for another service, and marks on the pull request itself.
    if (value.text == "write" && name != "id-token") found = {true, value.line};
  }
}

struct Workflow {
  const RepositoryFile& file;
  std::set<std::string, std::less<>> triggers;
  Permissions permissions;  // of the workflow
  bool strangers_start = false;
  bool asks_who = false;  // an author's association, or a label, is looked at
  std::map<std::string, std::string> variables;  // by "env.name": what they are set to
};

void take_variables(const Setting& part, Workflow& workflow) {
  const Setting* variables = part.find("env");
  if (variables == nullptr) return;
  for (const auto& [name, value] : variables->members)
    workflow.variables["env." + text::in_small_letters(name)] = value.text;
}

// With what its variables stand for, which an expression puts in before the shell sees it.
std::string with_variables(const Workflow& workflow, std::string_view expression) {
  std::string plain = plain_expression(expression);
  for (const auto& [name, value] : workflow.variables) {
    size_t at = plain.find(name);
    if (at != std::string::npos) plain += " " + plain_expression(value);
  }
  return plain;
}

void check_shell(const Workflow& workflow, const Setting& step, Reporter& reporter) {
  for (const char* key : {"run", "with"}) {
    const Setting* part = step.find(key);
    if (part == nullptr) continue;
    // Scripts of actions/github-script are code as well.
    const Setting* script = part->is_text() ? part : part->find("script");
    if (script == nullptr || !script->is_text()) continue;
    for (size_t at = script->text.find("${{"); at != std::string::npos;
         at = script->text.find("${{", at + 3)) {
      std::string_view inside =
          std::string_view(script->text).substr(at, script->text.find("}}", at) - at + 2);
      if (!holds_their_text(with_variables(workflow, inside))) continue;
      reporter.add("RW273", workflow.file.path, script->line + line_at(script->text, at), inside);
    }
  }
}

void check_checkout(const Workflow& workflow, const Setting& step, Reporter& reporter) {
  const Setting* uses = step.find("uses");
  const Setting* ref = step.find_way("with.ref");
  const Setting* run = step.find("run");
  bool is_target = workflow.triggers.contains("pull_request_target") ||
                   workflow.triggers.contains("workflow_run") ||
                   workflow.triggers.contains("issue_comment");
  if (!is_target) return;
  std::string plain = ref == nullptr ? "" : with_variables(workflow, ref->text);
  bool takes_head = plain.contains("pull_request.head") || plain.contains("head_ref") ||
                    plain.contains("workflow_run.head") || plain.contains("refs/pull/");
  if (uses != nullptr && uses->text.starts_with("actions/checkout") && takes_head)
    reporter.add("RW272", workflow.file.path, ref->line, "ref: " + ref->text);
  bool by_hand =
      run != nullptr && (run->text.contains("gh pr checkout") ||
                         (run->text.contains("git fetch") && run->text.contains("pull/")));
  if (by_hand) reporter.add("RW272", workflow.file.path, run->line, run->text);
}

// The step that starts an agent, if it does.
std::string_view agent_in(const Setting& step) {
  if (const Setting* uses = step.find("uses"); uses != nullptr && uses->is_text()) {
    if (std::string_view action = find_among(uses->text, kAgentActions); !action.empty())
      return uses->text;
  }
  if (const Setting* run = step.find("run"); run != nullptr && run->is_text())
    return find_agent_command(run->text);
  return {};
}

void check_agent(const Workflow& workflow, const Setting& step, const Permissions& permissions,
                 Reporter& reporter) {
  std::string_view agent = agent_in(step);
  if (agent.empty()) return;
  std::string all, secrets;
  bool for_everybody = false;
  visit(step, [&](const std::string& way, const Setting& value) {
    if (value.is_list() || value.is_object()) return;
    all += value.text + "\n";
    bool is_own_key = way.ends_with("api_key") || way.ends_with("API_KEY") ||
                      way.ends_with("oauth_token") || way.ends_with("github_token");
    if (value.text.contains("secrets.") && !is_own_key) secrets = value.text;
    for_everybody =
        for_everybody || (way.ends_with("allowed_non_write_users") && value.text == "*");
  });
  std::string seen = std::string(agent) + " on " + *workflow.triggers.begin();
  bool is_open = workflow.strangers_start && !workflow.asks_who;
  // For everybody: whoever writes has the action, and the key that it works with.
  if (for_everybody || (is_open && (permissions.writes || !secrets.empty())))
    reporter.add("RW271", workflow.file.path, step.line, seen);
  if (std::string_view unasked = find_unasked(all); !unasked.empty())
    reporter.add("RW275", workflow.file.path, step.line,
                 std::string(agent) + " " + std::string(unasked));
}

bool holds_question(const Setting& part) {
  const Setting* condition = part.find("if");
  return condition != nullptr &&
         (condition->text.contains("author_association") ||
          condition->text.contains("label.name") || condition->text.contains("github.actor ==") ||
          condition->text.contains("sender.login =="));
}

void check_job(Workflow workflow, const Setting& job, Reporter& reporter) {
  Permissions permissions = workflow.permissions;
  if (const Setting* own = job.find("permissions")) {
    permissions = {};
    take_permissions(own, permissions);
  }
  workflow.asks_who = workflow.asks_who || holds_question(job);
  if (workflow.strangers_start && permissions.writes && !workflow.asks_who &&
      permissions.line > 0) {
    const Setting* own = job.find("permissions");
    bool all = own != nullptr ? own->text == "write-all" : false;
    if (all) reporter.add("RW274", workflow.file.path, permissions.line, "permissions: write-all");
  }
  const Setting* steps = job.find("steps");
  if (steps == nullptr || !steps->is_list()) return;
  take_variables(job, workflow);
  for (const auto& [none, step] : steps->members) {
    Workflow around = workflow;
    take_variables(step, around);
    check_shell(around, step, reporter);
    check_checkout(around, step, reporter);
    check_agent(around, step, permissions, reporter);
    if (const Setting* run = step.find("run"); run != nullptr && run->is_text()) {
      auto hostile = find_hostile(run->text);
      bool takes = hostile && (hostile->contains("/dev/tcp") || hostile->contains("base64 -d"));
      if (takes) reporter.add("RW250", workflow.file.path, run->line, run->text);
    }
  }
}

}  // namespace

void check_workflow(const RepositoryFile& file, Reporter& reporter) {
  auto settings = read_settings(file, read_yaml_settings, reporter);
  if (!settings || !settings->is_object()) return;
  Workflow workflow{file, triggers_of(*settings), {}};
  take_variables(*settings, workflow);
  for (std::string_view trigger : kStrangers)
    workflow.strangers_start = workflow.strangers_start || workflow.triggers.contains(trigger);
  take_permissions(settings->find("permissions"), workflow.permissions);
  if (workflow.strangers_start) {
    const Setting* all = settings->find("permissions");
    if (all != nullptr && all->text == "write-all")
      reporter.add("RW274", file.path, all->line, "permissions: write-all");
  }
  const Setting* jobs = settings->find("jobs");
  if (jobs == nullptr) {  // an action of the repository's own
    if (const Setting* runs = settings->find("runs")) check_job(workflow, *runs, reporter);
    return;
  }
  for (const auto& [name, job] : jobs->members)
    check_job(workflow, job, reporter);
}

}  // namespace ringwall::audit
