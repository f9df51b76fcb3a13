// .gitlab-ci.yml: agents that read what strangers write, and text of strangers that a shell runs.
// Variables are handed over by the environment there: only what a shell reads a second time is run.
#include <span>

#include "audit/checks.h"
#include "audit/ci_agents.h"
#include "base/text.h"

namespace ringwall::audit {
namespace {

// Texts of whoever opens a merge request, writes a commit or a comment.
constexpr std::string_view kTheirTexts[] = {
    "CI_MERGE_REQUEST_TITLE", "CI_MERGE_REQUEST_DESCRIPTION",
    "CI_COMMIT_MESSAGE",      "CI_COMMIT_TITLE",
    "CI_COMMIT_DESCRIPTION",  "CI_COMMIT_TAG_MESSAGE",
    "AI_FLOW_INPUT",          "AI_FLOW_CONTEXT",
    "TRIGGER_PAYLOAD"};
// Too short for an order to an agent, long enough for one to a shell.
constexpr std::string_view kTheirNames[] = {
    "CI_COMMIT_REF_NAME", "CI_COMMIT_BRANCH", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME",
    "CI_COMMIT_AUTHOR",   "CI_COMMIT_TAG",    "CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_NAME"};

std::string_view find_variable(std::string_view commands, std::span<const std::string_view> names) {
  for (std::string_view name : names) {
    for (size_t at = commands.find(name); at != std::string_view::npos;
         at = commands.find(name, at + 1)) {
      bool is_variable = at > 0 && (commands[at - 1] == '$' || commands[at - 1] == '{');
      if (is_variable) return name;
    }
  }
  return {};
}

// Lists in lists: anchors make them.
void add_lines(const Setting& part, std::string& commands) {
  if (part.is_text()) commands += part.text + "\n";
  for (const auto& [none, line] : part.members)
    add_lines(line, commands);
}

// A shell within the shell reads its text anew.
void check_second_shell(const RepositoryFile& file, size_t line, std::string_view commands,
                        Reporter& reporter) {
  for (std::string_view one : text::split_in_place(commands, '\n')) {
    bool is_read_again = one.contains("eval ") || one.contains("sh -c \"") ||
                         one.contains("python -c \"") || one.contains("python3 -c \"") ||
                         one.contains("node -e \"");
    bool holds_theirs =
        !find_variable(one, kTheirTexts).empty() || !find_variable(one, kTheirNames).empty();
    if (is_read_again && holds_theirs) reporter.add("RW273", file.path, line, text::trim(one));
  }
}

void check_gitlab_job(const RepositoryFile& file, const std::string& name, const Setting& job,
                      Reporter& reporter) {
  std::string commands;
  for (const char* key : {"before_script", "script", "after_script"})
    job.each(key, [&](const Setting& part) { add_lines(part, commands); });
  if (commands.empty()) return;
  check_second_shell(file, job.line, commands, reporter);
  std::string_view agent = find_agent_command(commands);
  if (agent.empty()) return;
  std::string seen = name + ": " + std::string(agent);
  std::string values = commands;
  if (const Setting* variables = job.find("variables")) {
    for (const auto& [variable, value] : variables->members)
      values += value.text + "\n";
  }
  if (std::string_view text = find_variable(values, kTheirTexts); !text.empty())
    reporter.add("RW271", file.path, job.line, seen + " with $" + std::string(text));
  if (std::string_view unasked = find_unasked(commands); !unasked.empty())
    reporter.add("RW275", file.path, job.line, seen + " " + std::string(unasked));
}

}  // namespace

void check_gitlab(const RepositoryFile& file, Reporter& reporter) {
  // GitLab's own tag for parts of other jobs.
  std::string plain(file.content);
  for (size_t at = plain.find("!reference"); at != std::string::npos; at = plain.find("!reference"))
    plain.erase(at, std::string_view("!reference").size());
  RepositoryFile read{file.path, plain};
  auto settings = read_settings(read, read_yaml_settings, reporter);
  if (!settings || !settings->is_object()) return;
  for (const auto& [name, job] : settings->members) {
    if (job.is_object()) check_gitlab_job(file, name, job, reporter);
  }
}

}  // namespace ringwall::audit
