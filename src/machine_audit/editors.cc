// Editors of the VS Code family, their tasks, and development containers.
#include <algorithm>

#include "base/text.h"
#include "machine_audit/scene.h"

namespace ringwall::machine_audit {
namespace {

constexpr std::string_view kAnyCommand[] = {
    "*",       "/.*/", "/^.*$/", "/.+/", "/^.+$/", "/./",  "/^/",  "bash", "sh",   "zsh", "python",
    "python3", "node", "npx",    "env",  "sudo",   "perl", "ruby", "curl", "wget", "ssh",
};
constexpr std::string_view kAnyLists[] = {
    "roo-cline.allowedCommands", "kilo-code.allowedCommands", "windsurf.cascadeCommandsAllowList",
    "amp.commands.allowlist",    "cline.allowedCommands",
};
constexpr std::string_view kLogins[] = {
    ".ssh",    ".aws",   ".kube",  ".gnupg", ".config/gcloud", ".claude",          ".codex",
    ".docker", ".netrc", ".npmrc", ".azure", ".gemini",        ".git-credentials", ".config/gh"};

template <class List>
bool is_among(std::string_view word, const List& list) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

bool is_approved(const Setting& value) {
  const Setting* approve = value.find("approve");
  return value.is_true() || (approve != nullptr && approve->is_true());
}

void look_at_commands(const MachineFile& document, MachineDesk& desk) {
  if (const Setting* rules = document.root.find("chat.tools.terminal.autoApprove")) {
    for (const auto& [command, value] : rules->members) {
      if (is_approved(value) && is_among(command, kAnyCommand))
        desk.add("RW148", document, value.line, "chat.tools.terminal.autoApprove: " + command, {},
                 value.is_true() ? set_value(document, value, command, "false") : no_edit());
    }
  }
  for (std::string_view key : kAnyLists) {
    const Setting* list = document.root.find(key);
    if (list == nullptr || !list->is_list()) continue;
    for (size_t i = 0; i < list->members.size(); i++) {
      const Setting& entry = list->members[i].second;
      if (entry.text == "*")
        desk.add("RW152", document, entry.line, std::string(key) + ": *", {},
                 remove_entry(document, *list, i));
    }
  }
}

void look_at_edits(const MachineFile& document, MachineDesk& desk) {
  const Setting* rules = document.root.find("chat.tools.edits.autoApprove");
  if (rules == nullptr) return;
  bool has_exception = std::any_of(rules->members.begin(), rules->members.end(),
                                   [](const auto& member) { return member.second.is_false(); });
  for (const auto& [pattern, value] : rules->members) {
    if (value.is_true() && (pattern == "**/*" || pattern == "**") && !has_exception)
      desk.add("RW149", document, value.line, "chat.tools.edits.autoApprove: " + pattern, {},
               set_value(document, value, pattern, "false"));
  }
}

void look_at_tasks(const MachineFile& document, MachineDesk& desk) {
  const Setting* tasks = document.root.find("tasks");
  if (tasks == nullptr) return;
  for (const auto& [name, task] : tasks->members) {
    const Setting* when = task.find_way("runOptions.runOn");
    if (when == nullptr || when->text != "folderOpen") continue;
    const Setting* command = task.find("command");
    desk.add("RW154", document, when->line,
             "runOn folderOpen: " + (command != nullptr ? audit::words_of(*command) : ""));
  }
}

// One mount or argument, in either of its forms: "source=…,target=…" or an object.
std::string words_of_mount(const Setting& value) {
  if (!value.is_object()) return value.text;
  std::string words;
  for (const auto& [name, part] : value.members)
    words += name + "=" + part.text + ",";
  return words;
}

bool holds_host(std::string_view text) {
  for (std::string_view sign :
       {"docker.sock", "podman.sock", "containerd.sock", "--privileged", "source=/,",
        "type=bind,source=/,", "--pid=host", "-v=/:", "--device=/dev/mem"}) {
    if (text.find(sign) != text.npos) return true;
  }
  std::string small = text::in_small_letters(text);
  return small == "/:/host" || small.starts_with("/:/") || small == "--cap-add=all" ||
         small == "--cap-add=sys_admin" || small == "all" || small == "sys_admin";
}

bool holds_login(std::string_view text) {
  bool is_of_home = text.find("localEnv:HOME") != text.npos || text.find("/home/") != text.npos ||
                    text.find("~/") != text.npos || text.find("/root/") != text.npos;
  if (!is_of_home) return false;
  std::string_view source = text.substr(0, text.find(",target"));
  if (source.ends_with("localEnv:HOME}")) return true;
  return std::any_of(std::begin(kLogins), std::end(kLogins), [&](std::string_view login) {
    size_t at = source.find("/" + std::string(login));
    if (at == source.npos) return false;
    size_t end = at + 1 + login.size();
    return end == source.size() || std::string_view("/,:").find(source[end]) != source.npos;
  });
}

void look_at_container(const MachineFile& document, MachineDesk& desk) {
  for (std::string_view key : {"mounts", "runArgs", "capAdd", "workspaceMount"}) {
    const Setting* list = document.root.find(key);
    if (list == nullptr) continue;
    auto look = [&](const Setting& value) {
      std::string words = words_of_mount(value);
      if (holds_host(words)) {
        desk.add("RW191", document, value.line, std::string(key) + ": " + words);
      } else if (holds_login(words)) {
        desk.add("RW192", document, value.line, std::string(key) + ": " + words);
      }
    };
    if (!list->is_list()) look(*list);
    for (const auto& [name, value] : list->members) {
      if (list->is_list()) look(value);
    }
  }
  const Setting* privileged = document.root.find("privileged");
  if (privileged != nullptr && privileged->is_true())
    desk.add("RW191", document, privileged->line, "privileged = true");
  if (const Setting* features = document.root.find("features")) {
    for (const auto& [name, value] : features->members) {
      if (name.find("docker-outside-of-docker") != name.npos ||
          name.find("docker-from-docker") != name.npos)
        desk.add("RW191", document, value.line, "features: " + name);
    }
  }
  if (const Setting* command = document.root.find("initializeCommand"))
    desk.add("RW193", document, command->line, "initializeCommand: " + audit::words_of(*command));
}

}  // namespace

void look_at_editors(const Scene& scene, MachineDesk& desk) {
  for (const MachineFile& document : scene.documents) {
    if (document.topic == Topic::tasks) look_at_tasks(document, desk);
    if (document.topic != Topic::editor) continue;
    look_at_commands(document, desk);
    look_at_edits(document, desk);
  }
}

void look_at_devcontainers(const Scene& scene, MachineDesk& desk) {
  for (const MachineFile& document : scene.documents) {
    if (document.topic == Topic::devcontainer) look_at_container(document, desk);
  }
}

}  // namespace ringwall::machine_audit
