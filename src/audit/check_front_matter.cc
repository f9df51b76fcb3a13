// Files of agents that are text with settings in front of it, or commands in it: skills, agents,
// commands of several makers, and what instructions pull in.
#include "audit/checks.h"
#include "base/text.h"

namespace ringwall::audit {
namespace {

// Between two lines of dashes at the top. Empty: there is none.
std::string_view front_matter_of(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  size_t first = text.find('\n');
  if (first == std::string_view::npos || text::trim(text.substr(0, first)) != "---") return {};
  for (size_t at = first + 1; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    if (text::trim(text.substr(at, end - at)) == "---")
      return text.substr(first + 1, at - first - 1);
    at = end + 1;
  }
  return {};
}

// Settings there that run or allow something. Descriptions are often no YAML; then only words that
// such a setting begins with are a finding.
void check_front_matter(const RepositoryFile& file, Reporter& reporter) {
  std::string_view head = front_matter_of(file.content);
  if (head.empty()) return;
  if (auto settings = read_yaml_settings(head)) {
    check_agent_settings(file.path, *settings, reporter);
    return;
  }
  for (std::string_view key : {"hooks:", "mcpServers:", "mcp-servers:", "permissionMode:"}) {
    if (head.starts_with(key) || head.contains("\n" + std::string(key)))
      reporter.add("RW216", file.path, 1, key);
  }
}

void add_command(const RepositoryFile& file, size_t at, std::string_view command,
                 Reporter& reporter) {
  if (text::trim(command).empty()) return;
  reporter.add("RW213", file.path, line_at(file.content, at), command);
  check_command(file.path, line_at(file.content, at), command, reporter);
}

// Keys and logins, of any home or of the system.
bool is_secret_place(std::string_view path) {
  for (std::string_view sign :
       {"/.ssh", "/.aws", "/.gnupg", "/.kube", "/.netrc", "/.npmrc", "/.pypirc", "/.docker/config",
        "/.config/gh", "/.config/gcloud", "/.git-credentials", "/.claude/.credentials",
        "/.claude.json", "/.codex/auth", "/.gemini/oauth", "id_rsa", "id_ed25519"}) {
    if (path.contains(sign)) return true;
  }
  for (std::string_view place : {"/etc/", "/proc/", "/root/", "/run/", "/dev/", "/sys/"}) {
    if (path.starts_with(place)) return true;
  }
  return false;
}

}  // namespace

// "@~/.ssh/id_rsa" puts that file before the model, with the instructions.
void check_imports(const RepositoryFile& file, Reporter& reporter) {
  std::string_view text = file.content;
  for (size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1)) {
    bool is_start = at == 0 || std::string_view(" \t\n\r(-*").contains(text[at - 1]);
    std::string_view path = text.substr(at + 1, text.find_first_of(" \t\r\n)}`", at) - at - 1);
    if (path.starts_with('{')) path.remove_prefix(1);  // of Gemini
    bool leads_out = path.starts_with('/') || path.starts_with('~') || path.starts_with("../");
    if (is_start && leads_out && is_secret_place(path))
      reporter.add("RW217", file.path, line_at(text, at), "@" + std::string(path));
  }
}

// A text with a head of settings, for the model to use: commands in it run when it is used.
void check_agent_command(const RepositoryFile& file, Reporter& reporter) {
  std::string_view text = file.content;
  for (size_t at = text.find("!`"); at != std::string_view::npos; at = text.find("!`", at + 2)) {
    size_t end = text.find_first_of("`\n", at + 2);
    if (end == std::string_view::npos || text[end] != '`') continue;
    add_command(file, at, text.substr(at + 2, end - at - 2), reporter);
  }
  // A block of commands.
  for (size_t at = text.find("```!"); at != std::string_view::npos;
       at = text.find("```!", at + 4)) {
    size_t start = std::min(text.find('\n', at), text.size());
    add_command(file, at, text.substr(start, text.find("```", start) - start), reporter);
  }
  check_front_matter(file, reporter);
  check_instructions(file, reporter);
}

// .gemini/commands/*.toml: a prompt in which !{…} is run.
void check_gemini_command(const RepositoryFile& file, Reporter& reporter) {
  auto settings = read_settings(file, read_toml_settings, reporter);
  if (!settings) return;
  visit(*settings, [&](const std::string&, const Setting& value) {
    for (size_t at = value.text.find("!{"); at != std::string::npos;
         at = value.text.find("!{", at + 2)) {
      std::string command = value.text.substr(at + 2, value.text.find('}', at) - at - 2);
      if (text::trim(command).empty()) continue;
      reporter.add("RW213", file.path, value.line, command);
      check_command(file.path, value.line, command, reporter);
    }
  });
  check_instructions(file, reporter);
}

}  // namespace ringwall::audit
