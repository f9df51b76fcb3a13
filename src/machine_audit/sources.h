// What an audit of this machine reads: which files, whose they are, and how they are written. One
// table, so that a further agent is a further line.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ringwall::machine_audit {

enum class FileScope : uint8_t {
  person,   // below the home folder
  project,  // below the folder that the audit is started in
  managed,  // root's, for everybody
};

enum class FileFormat : uint8_t {
  json,  // with comments, trailing commas and a mark
  toml,
  lines,  // KEY = VALUE, KEY: VALUE or KEY "VALUE", with [SECTION] lines
  git_config,
  text,  // looked at line by line
};

// Which checks look at a file.
enum class Topic : uint8_t {
  claude,
  claude_state,
  codex,
  codex_rules,
  gemini,
  gemini_trust,
  gemini_policy,
  cursor,
  copilot,
  opencode,
  editor,
  tasks,
  servers,
  hooks,
  devcontainer,
  packages,
  variables,
  direnv,
  shell,
  git,
  git_hook,
};
std::string_view name_of(Topic topic);

struct MachineSource {
  Topic topic;
  FileScope scope;
  // From the scope's folder; a star stands for any part of a name.
  std::string_view path;
  FileFormat format;
};
std::span<const MachineSource> machine_sources();

// A folder that tells that an agent is in use here, though it may have no settings.
struct AgentFolder {
  Topic topic;
  std::string_view path;  // in the home folder
};
std::span<const AgentFolder> agent_folders();

}  // namespace ringwall::machine_audit
