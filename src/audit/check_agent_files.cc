// Settings of agents that have a form of their own: rules of Codex, hooks of Cline, what Cursor
// runs for its working copies, aider, Continue, language servers.
#include "audit/checks.h"
#include "base/text.h"
#include "files/name_pattern.h"

namespace ringwall::audit {
namespace {

constexpr size_t kLongestRule = 4096;

// A shell or an interpreter is every command.
constexpr std::string_view kInterpreters[] = {
    "\"sh\"",     "\"bash\"", "\"zsh\"", "\"python\"", "\"python3\"", "\"node\"",
    "\"perl\"",   "\"ruby\"", "\"env\"", "\"sudo\"",   "\"curl\"",    "\"wget\"",
    "\"docker\"", "\"ssh\"",  "\"npx\"", "\"eval\"",   "\"xargs\""};

bool allows_interpreter(std::string_view rule) {
  std::string tight(rule);
  std::erase_if(tight, [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; });
  if (!tight.contains("decision=\"allow\"")) return false;
  size_t list = tight.find('[');
  if (list == std::string::npos) return false;
  // The first place, which may be a choice of words; one word alone is all of that program.
  std::string_view first = std::string_view(tight).substr(list + 1);
  bool is_choice = first.starts_with('[');
  std::string_view words = first.substr(0, first.find_first_of(is_choice ? "]" : ",]"));
  first.remove_prefix(std::min(words.size() + (is_choice ? 1 : 0), first.size()));
  bool is_whole = first.starts_with(']') || first.starts_with(",]");
  for (std::string_view interpreter : kInterpreters) {
    if (is_whole && words.contains(interpreter)) return true;
  }
  return false;
}

void add_setup(const RepositoryFile& file, const std::string& way, const Setting& value,
               Reporter& reporter) {
  std::string words = words_of(value);
  if (words.empty()) return;
  reporter.add("RW218", file.path, value.line, way + ": " + words);
  check_command(file.path, value.line, words, reporter);
}

}  // namespace

void check_codex_rules(const RepositoryFile& file, Reporter& reporter) {
  constexpr std::string_view kRule = "prefix_rule(";
  std::string_view text = file.content;
  for (size_t at = text.find(kRule); at != std::string_view::npos;) {
    size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    bool is_comment = text.substr(begin, at - begin).contains('#');
    size_t next = text.find(kRule, at + 1);
    std::string_view rule = text.substr(at, std::min(next - at, kLongestRule));
    if (!is_comment && allows_interpreter(rule))
      reporter.add("RW210", file.path, line_at(text, at), rule.substr(0, rule.find(')') + 1));
    at = next;
  }
}

// .clinerules/hooks/PreToolUse: a program by the name of what it is called for.
void check_hook_program(const RepositoryFile& file, Reporter& reporter) {
  std::string_view name = files::last_name(file.path);
  if (name.ends_with(".md") || name.ends_with(".txt")) return;
  reporter.add("RW201", file.path, 1, file.content.substr(0, 200));
  check_command(file.path, 1, file.content, reporter);
}

// .cursor/environment.json and worktrees.json.
void check_agent_setup(const RepositoryFile& file, Reporter& reporter) {
  auto settings = read_settings(file, read_json_settings, reporter);
  if (!settings || !settings->is_object()) return;
  for (const auto& [name, value] : settings->members) {
    bool runs = name == "install" || name == "start" || name == "update" ||
                name.starts_with("setup-worktree");
    if (runs) add_setup(file, name, value, reporter);
    if (name != "terminals" || !value.is_list()) continue;
    for (const auto& [none, terminal] : value.members) {
      if (const Setting* command = terminal.find("command"))
        add_setup(file, "terminals.command", *command, reporter);
    }
  }
}

void check_aider(const RepositoryFile& file, Reporter& reporter) {
  auto settings = read_settings(file, read_yaml_settings, reporter);
  if (!settings) return;
  for (const auto& [name, value] : settings->members) {
    std::string words = words_of(value);
    std::string seen = name + ": " + words;
    for (std::string_view key :
         {"lint-cmd", "test-cmd", "notifications-command", "load", "editor"}) {
      if (name != key || words.empty()) continue;
      reporter.add("RW205", file.path, value.line, seen);
      check_command(file.path, value.line, words, reporter);
    }
    if (name == "yes-always" && words == "true") reporter.add("RW202", file.path, value.line, seen);
    if (name == "verify-ssl" && words == "false")
      reporter.add("RW204", file.path, value.line, seen);
    if (name.ends_with("-api-base") && !is_makers_endpoint(words))
      reporter.add("RW204", file.path, value.line, seen);
  }
  check_instructions(file, reporter);
}

void check_agent_yaml(const RepositoryFile& file, Reporter& reporter) {
  if (auto settings = read_settings(file, read_yaml_settings, reporter))
    check_agent_settings(file.path, *settings, reporter);
}

// .lsp.json of a plugin: by the name of a language, the program that serves it.
void check_language_servers(const RepositoryFile& file, Reporter& reporter) {
  auto settings = read_settings(file, read_json_settings, reporter);
  if (!settings || !settings->is_object()) return;
  for (const auto& [name, server] : settings->members) {
    const Setting* command = server.find("command");
    if (command == nullptr) continue;
    std::string words = words_of(*command);
    if (const Setting* arguments = server.find("args")) words += " " + words_of(*arguments);
    reporter.add("RW205", file.path, command->line, name + ": " + words);
    check_command(file.path, command->line, words, reporter);
  }
}

}  // namespace ringwall::audit
