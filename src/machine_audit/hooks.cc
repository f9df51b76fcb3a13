// Hooks of agents, and of git: programs that run at every act.
#include "base/path.h"
#include "base/text.h"
#include "machine_audit/scene.h"

namespace ringwall::machine_audit {
namespace {

bool names_a_command(std::string_view way) {
  std::string_view key = way.substr(way.rfind('.') + 1);
  return key == "command" || key == "bash" || key == "exec" || key == "args";
}

void look_at_command(const MachineFile& document, const Setting& value, MachineDesk& desk) {
  std::string words = audit::words_of(value);
  if (words.empty()) return;
  if (runs_a_download(words)) desk.add("RW165", document, value.line, words);
  for (const std::string& word : text::split(words, ' ')) {
    if (lies_in_the_open(word)) return desk.add("RW166", document, value.line, words);
  }
}

// Of Cursor: a hook that fails says yes unless it is told otherwise.
void look_at_failure(const MachineFile& document, const Setting& hooks, MachineDesk& desk) {
  if (!document.path.ends_with("cursor/hooks.json")) return;
  for (const auto& [event, list] : hooks.members) {
    for (const auto& [name, hook] : list.members) {
      const Setting* closed = hook.find("failClosed");
      if (hook.is_object() && (closed == nullptr || !closed->is_true()))
        desk.add("RW139", document, hook.line, event);
    }
  }
}

// Of Claude Code, from 2.1.300 on: the same.
void look_at_failure_of_claude(const MachineFile& document, const Setting& hooks,
                               MachineDesk& desk) {
  const Setting* groups = hooks.find("PreToolUse");
  if (document.topic != Topic::claude || groups == nullptr || !groups->is_list()) return;
  for (const auto& [name, group] : groups->members) {
    const Setting* list = group.find("hooks");
    if (list == nullptr || !list->is_list()) continue;
    for (const auto& [place, hook] : list->members) {
      const Setting* failure = hook.find("onFailure");
      if (hook.is_object() && (failure == nullptr || failure->text != "block"))
        desk.add("RW139", document, hook.line, "PreToolUse", "set \"onFailure\": \"block\" at it");
    }
  }
}

void look_at_hooks_of(const MachineFile& document, MachineDesk& desk) {
  const Setting* hooks = document.root.find("hooks");
  if (hooks == nullptr) return;
  if (!hooks->is_object())
    return desk.add("RW140", document, hooks->line, "hooks must be an object, { … }");
  bool has_command = false;
  audit::visit(*hooks, [&](const std::string& way, const Setting& value) {
    if (!names_a_command(way) || value.is_object()) return;
    has_command = true;
    look_at_command(document, value, desk);
  });
  if (has_command && document.scope == FileScope::project)
    desk.add("RW167", document, hooks->line, "hooks that run commands");
  look_at_failure(document, *hooks, desk);
  look_at_failure_of_claude(document, *hooks, desk);
}

}  // namespace

void look_at_hooks(const Scene& scene, MachineDesk& desk) {
  for (const MachineFile& document : scene.documents) {
    switch (document.topic) {
      case Topic::claude:
      case Topic::codex:
      case Topic::gemini:
      case Topic::copilot:
      case Topic::hooks:
        look_at_hooks_of(document, desk);
        break;
      case Topic::git_hook:
        if (runs_a_download(document.text))
          desk.add("RW177", document, 0, path::basename(document.path));
        break;
      default:
        break;
    }
  }
}

}  // namespace ringwall::machine_audit
