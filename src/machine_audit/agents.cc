// Gemini CLI, Cursor and opencode, and what every agent trusts.
#include <algorithm>

#include "base/path.h"
#include "base/text.h"
#include "machine_audit/scene.h"

namespace ringwall::machine_audit {
namespace {

constexpr std::string_view kShells[] = {
    "sh",   "bash", "zsh", "python", "python3", "node", "*",   "**",     "env", "sudo",
    "perl", "ruby", "npx", "xargs",  "curl",    "wget", "ssh", "docker", "uvx"};

bool is_shell(std::string_view word) {
  return std::find(std::begin(kShells), std::end(kShells), word) != std::end(kShells);
}

// "Shell(bash)" → "bash", if it is that tool.
std::optional<std::string_view> inside_of(std::string_view rule, std::string_view tool) {
  bool fits = rule.starts_with(tool) && rule.size() > tool.size() + 1 && rule[tool.size()] == '(' &&
              rule.ends_with(')');
  if (!fits) return std::nullopt;
  return rule.substr(tool.size() + 1, rule.size() - tool.size() - 2);
}

// The first word, without what follows a colon or a blank.
std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find_first_of(" :"));
}

template <class Weak>
void look_at_list(const MachineFile& document, std::string_view way, std::string_view number,
                  MachineDesk& desk, const Weak& is_weak) {
  const Setting* list = document.root.find_way(way);
  if (list == nullptr) return;
  if (!list->is_list())
    return desk.add("RW140", document, list->line, std::string(way) + " must be a list, [ … ]");
  for (size_t i = 0; i < list->members.size(); i++) {
    const Setting& entry = list->members[i].second;
    if (entry.is_text() && is_weak(entry.text))
      desk.add(number, document, entry.line, std::string(way) + ": " + entry.text,
               "take \"" + entry.text + "\" out of " + std::string(way),
               remove_entry(document, *list, i));
  }
}

bool is_any_shell_tool(std::string_view rule) {
  if (rule == "run_shell_command" || rule == "ShellTool" || rule == "*") return true;
  for (std::string_view tool : {"run_shell_command", "ShellTool"}) {
    if (auto inside = inside_of(rule, tool))
      return inside->empty() || (is_shell(*inside) && *inside != "docker");
  }
  return false;
}

void look_at_policy(const MachineFile& document, MachineDesk& desk) {
  const Setting* rules = document.root.find("rule");
  if (rules == nullptr) return;
  for (const auto& [name, rule] : rules->members) {
    const Setting* decision = rule.find("decision");
    const Setting* tool = rule.find("toolName");
    bool is_narrow = false;
    for (std::string_view key : {"commandPrefix", "commandRegex", "argsPattern", "mcpName"})
      is_narrow = is_narrow || rule.find(key) != nullptr;
    bool is_any = tool == nullptr || tool->text == "*" || tool->text == "run_shell_command";
    if (decision != nullptr && decision->text == "allow" && is_any && !is_narrow)
      desk.add("RW134", document, rule.line,
               "decision = allow for " + (tool == nullptr ? "every tool" : tool->text));
  }
}

void look_at_gemini_sandbox(const Scene& scene, MachineDesk& desk) {
  for (std::string_view way : {"tools.sandbox", "sandbox"}) {
    auto said = scene.first(Topic::gemini, way);
    if (said.value == nullptr) continue;
    if (said.value->is_false() || said.value->text == "false")
      desk.add("RW131", *said.document, said.value->line, std::string(way) + " = false");
    return;
  }
  const Setting* variable = scene.first(Topic::variables, "GEMINI_SANDBOX").value;
  if (variable != nullptr && variable->text != "false" && variable->text != "0") return;
  const MachineFile* own = scene.own(Topic::gemini);
  desk.add_at("RW131", own != nullptr ? own->path : path::join(scene.home, ".gemini/settings.json"),
              "tools.sandbox is not set");
}

// What Copilot was told not to ask about again, folder by folder.
void look_at_approvals(const MachineFile& document, MachineDesk& desk) {
  const Setting* locations = document.root.find("locations");
  if (locations == nullptr || !locations->is_object()) return;
  for (const auto& [folder, location] : locations->members) {
    const Setting* approvals = location.find("tool_approvals");
    if (approvals == nullptr || !approvals->is_list()) continue;
    for (const auto& [name, approval] : approvals->members) {
      const Setting* commands = approval.find("command_identifiers");
      if (commands == nullptr || !commands->is_list()) continue;
      for (size_t i = 0; i < commands->members.size(); i++) {
        const Setting& command = commands->members[i].second;
        if (command.is_text() && is_shell(first_word(command.text)) &&
            first_word(command.text) == command.text)
          desk.add("RW137", document, command.line, folder + ": " + command.text,
                   "take \"" + command.text + "\" out of command_identifiers",
                   remove_entry(document, *commands, i));
      }
    }
  }
}

// What decides over bash: said for it, or for everything.
const Setting* bash_permission(const Setting& permission) {
  if (permission.is_text()) return &permission;
  const Setting* bash = permission.find("bash");
  if (bash == nullptr) bash = permission.find("*");
  if (bash != nullptr && bash->is_object()) return bash->find("*");
  return bash;
}

void look_at_plugins(const MachineFile& document, MachineDesk& desk) {
  const Setting* plugins = document.root.find("plugin");
  if (plugins == nullptr || !plugins->is_list()) return;
  for (const auto& [name, plugin] : plugins->members) {
    if (!plugin.is_text() || plugin.text.empty()) continue;
    std::string_view text = plugin.text;
    bool is_local = text[0] == '/' || text[0] == '.' || text[0] == '~' || text.starts_with("file:");
    size_t at = text.find('@', 1);
    bool is_fixed = at != text.npos && at + 1 < text.size() && isdigit(text[at + 1]) != 0;
    if (document.scope == FileScope::project || (!is_local && !is_fixed))
      desk.add("RW145", document, plugin.line, "plugin: " + plugin.text);
  }
}

// A folder as a key, and what says that it is trusted.
void look_at_folders(const Scene& scene, const MachineFile& document, const Setting* folders,
                     std::string_view key, std::string_view trusted, std::string_view safe,
                     MachineDesk& desk) {
  if (folders == nullptr || !folders->is_object()) return;
  for (const auto& [folder, says] : folders->members) {
    const Setting* value = key.empty() ? &says : says.find(key);
    if (value == nullptr) continue;
    bool is_parent = value->text == "TRUST_PARENT";
    if (value->text != trusted && !is_parent) continue;
    if (!folder.starts_with('/')) continue;
    if (scene.is_wide(is_parent ? path::parent(path::normalize(folder)) : folder))
      desk.add("RW146", document, value->line,
               std::string(name_of(document.topic)) + " trusts " + folder, {},
               set_value(document, *value, key, safe));
  }
}

}  // namespace

void look_at_gemini(const Scene& scene, MachineDesk& desk) {
  if (scene.uses(Topic::gemini)) {
    look_at_gemini_sandbox(scene, desk);
    auto locked = scene.first(Topic::gemini, "security.disableYoloMode");
    const MachineFile* own = scene.own(Topic::gemini);
    if (own != nullptr && (locked.value == nullptr || !locked.value->is_true()))
      desk.add("RW112", *own, 0, "security.disableYoloMode is not set",
               "set security.disableYoloMode to true");
  }
  for (const MachineFile& document : scene.documents) {
    if (document.topic == Topic::gemini_policy) look_at_policy(document, desk);
    if (document.topic != Topic::gemini) continue;
    look_at_list(document, "tools.allowed", "RW132", desk, is_any_shell_tool);
    look_at_list(document, "allowedTools", "RW132", desk, is_any_shell_tool);
  }
}

void look_at_cursor(const Scene& scene, MachineDesk& desk) {
  auto is_any = [&](std::string_view rule) {
    if (auto command = inside_of(rule, "Shell")) return is_shell(first_word(*command));
    for (std::string_view tool : {"Write", "Read"}) {
      auto path = inside_of(rule, tool);
      if (!path) continue;
      bool is_all = *path == "**" || *path == "**/*" || *path == "*";
      return (is_all && tool == "Write") || ((*path)[0] == '/' && scene.is_wide(*path));
    }
    auto tools = inside_of(rule, "Mcp");
    return tools && (*tools == "*:*" || *tools == "*" || *tools == "*, *");
  };
  for (const MachineFile& document : scene.documents) {
    if (document.topic == Topic::copilot) {
      look_at_approvals(document, desk);
      for (std::string_view way : {"allowedUrls", "allowed_urls"})
        look_at_list(document, way, "RW137", desk, [](std::string_view url) {
          return url == "*" || url == "https://*" || url == "http://*";
        });
    }
    if (document.topic != Topic::cursor) continue;
    look_at_list(document, "permissions.allow", "RW137", desk, is_any);
    look_at_list(document, "terminalAllowlist", "RW137", desk,
                 [](std::string_view rule) { return is_shell(rule); });
    look_at_list(document, "mcpAllowlist", "RW137", desk,
                 [](std::string_view rule) { return rule == "*:*" || rule == "*"; });
  }
}

void look_at_opencode(const Scene& scene, MachineDesk& desk) {
  for (const MachineFile& document : scene.documents) {
    if (document.topic == Topic::opencode) look_at_plugins(document, desk);
  }
  if (!scene.uses(Topic::opencode)) return;
  auto said = scene.first(Topic::opencode, "permission");
  const Setting* bash = said.value != nullptr ? bash_permission(*said.value) : nullptr;
  if (bash != nullptr && bash->text != "allow") return;
  if (bash != nullptr)
    return desk.add("RW141", *said.document, bash->line, "permission for bash = allow", {},
                    set_value(*said.document, *bash, "bash", "\"ask\""));
  const MachineFile* own = scene.own(Topic::opencode);
  desk.add_at("RW141",
              own != nullptr ? own->path : path::join(scene.home, ".config/opencode/opencode.json"),
              "no permission for bash is set: everything is allowed");
}

void look_at_trust(const Scene& scene, MachineDesk& desk) {
  for (const MachineFile& document : scene.documents) {
    if (document.topic == Topic::claude_state)
      look_at_folders(scene, document, document.root.find("projects"), "hasTrustDialogAccepted",
                      "true", "false", desk);
    if (document.topic == Topic::codex)
      look_at_folders(scene, document, document.root.find("projects"), "trust_level", "trusted",
                      "\"untrusted\"", desk);
    if (document.topic == Topic::gemini_trust)
      look_at_folders(scene, document, &document.root, "", "TRUST_FOLDER", "\"DO_NOT_TRUST\"",
                      desk);
    if (document.topic != Topic::copilot) continue;
    for (std::string_view way : {"trusted_folders", "trustedFolders"})
      look_at_list(document, way, "RW146", desk, [&](std::string_view folder) {
        return folder.starts_with('/') && scene.is_wide(folder);
      });
  }
}

}  // namespace ringwall::machine_audit
