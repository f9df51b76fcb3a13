// Single settings that are weak by their value alone, as a table: what they are, and what --fix
// writes in their place.
#include <string>

#include "machine_audit/scene.h"

namespace ringwall::machine_audit {
namespace {

enum class When : uint8_t { is_true, is_false, is_text };

struct Rule {
  std::string_view number;
  Topic topic;
  std::string_view way;
  When when;
  std::string_view value;  // of is_text
  std::string_view safe;   // as it is written in JSON and TOML
};

using enum When;

constexpr Rule kRules[] = {
    {"RW104", Topic::claude, "sandbox.enableWeakerNestedSandbox", is_true, "", "false"},
    {"RW104", Topic::claude, "sandbox.allowNestedUserNamespaces", is_true, "", "false"},
    {"RW104", Topic::claude, "sandbox.network.allowAllUnixSockets", is_true, "", "false"},
    {"RW104", Topic::claude, "sandbox.filesystem.disabled", is_true, "", "false"},
    {"RW104", Topic::claude, "sandbox.enableWeakerNetworkIsolation", is_true, "", "false"},
    {"RW104", Topic::claude, "sandbox.allowAppleEvents", is_true, "", "false"},
    {"RW104", Topic::claude, "sandbox.credentials.allowPlaintextInject", is_true, "", "false"},
    {"RW110", Topic::claude, "permissions.defaultMode", is_text, "bypassPermissions",
     "\"default\""},
    {"RW111", Topic::claude, "skipDangerousModePermissionPrompt", is_true, "", "false"},
    {"RW111", Topic::claude_state, "bypassPermissionsModeAccepted", is_true, "", "false"},
    {"RW115", Topic::claude, "enableAllProjectMcpServers", is_true, "", "false"},
    {"RW117", Topic::claude, "disableAllHooks", is_true, "", "false"},

    {"RW135", Topic::claude, "permissions.defaultMode", is_text, "acceptEdits", "\"default\""},
    {"RW117", Topic::codex, "features.hooks", is_false, "", "true"},

    {"RW121", Topic::codex, "sandbox_mode", is_text, "danger-full-access", "\"workspace-write\""},
    {"RW122", Topic::codex, "approval_policy", is_text, "never", "\"on-request\""},
    {"RW123", Topic::codex, "sandbox_workspace_write.network_access", is_true, "", "false"},
    {"RW126", Topic::codex, "shell_environment_policy.ignore_default_excludes", is_true, "",
     "false"},

    {"RW133", Topic::gemini, "security.folderTrust.enabled", is_false, "", "true"},
    {"RW135", Topic::gemini, "tools.autoAccept", is_true, "", "false"},
    {"RW135", Topic::gemini, "autoAccept", is_true, "", "false"},
    {"RW135", Topic::gemini, "general.defaultApprovalMode", is_text, "auto_edit", "\"default\""},

    {"RW136", Topic::cursor, "approvalMode", is_text, "unrestricted", "\"allowlist\""},
    {"RW138", Topic::cursor, "sandbox.mode", is_text, "disabled", "\"enabled\""},

    {"RW138", Topic::cursor, "type", is_text, "insecure_none", "\"workspace_readwrite\""},
    {"RW123", Topic::cursor, "networkPolicy.default", is_text, "allow", "\"deny\""},

    {"RW142", Topic::opencode, "permission.external_directory", is_text, "allow", "\"ask\""},
    {"RW143", Topic::opencode, "server.hostname", is_text, "0.0.0.0", "\"127.0.0.1\""},
    {"RW143", Topic::opencode, "server.hostname", is_text, "::", "\"127.0.0.1\""},
    {"RW143", Topic::opencode, "server.mdns", is_true, "", "false"},
    {"RW144", Topic::opencode, "share", is_text, "auto", "\"manual\""},

    {"RW147", Topic::editor, "chat.tools.autoApprove", is_true, "", "false"},
    {"RW147", Topic::editor, "chat.tools.global.autoApprove", is_true, "", "false"},
    {"RW147", Topic::editor, "chat.permissions.default", is_text, "autoApprove", "\"default\""},
    {"RW147", Topic::editor, "chat.permissions.default", is_text, "autopilot", "\"default\""},
    {"RW147", Topic::editor, "agent.always_allow_tool_actions", is_true, "", "false"},
    {"RW150", Topic::editor, "security.workspace.trust.enabled", is_false, "", "true"},
    {"RW151", Topic::editor, "task.allowAutomaticTasks", is_text, "on", "\"off\""},
    {"RW152", Topic::editor, "claudeCode.allowDangerouslySkipPermissions", is_true, "", "false"},
    {"RW152", Topic::editor, "claudeCode.initialPermissionMode", is_text, "bypassPermissions",
     "\"default\""},
    {"RW152", Topic::editor, "amp.dangerouslyAllowAll", is_true, "", "false"},
    {"RW153", Topic::editor, "http.proxyStrictSSL", is_false, "", "true"},
};

bool is_weak(const Rule& rule, const Setting& value) {
  switch (rule.when) {
    case is_true:
      return value.is_true();
    case is_false:
      return value.is_false();
    case is_text:
      return value.is_text() && value.text == rule.value;
  }
  return false;
}

void look(const Rule& rule, const MachineFile& document, MachineDesk& desk) {
  // Editors have names with dots in them.
  const Setting* value = document.root.find(rule.way);
  if (value == nullptr) value = document.root.find_way(rule.way);
  if (value == nullptr || value->kind == Setting::Kind::null) return;
  std::string way(rule.way);
  if (is_weak(rule, *value)) {
    std::string fix = "set " + way + " to " + std::string(rule.safe);
    desk.add(rule.number, document, value->line, way + " = " + value->text, fix,
             set_value(document, *value, way.substr(way.rfind('.') + 1), rule.safe));
    return;
  }
  bool should_be_flag = rule.when != is_text && value->kind != Setting::Kind::boolean;
  if (should_be_flag)
    desk.add("RW140", document, value->line, way + " must be true or false, without quotes");
}

}  // namespace

void look_at_rules(const Scene& scene, MachineDesk& desk) {
  for (const MachineFile& document : scene.documents) {
    for (const Rule& rule : kRules) {
      if (rule.topic == document.topic) look(rule, document, desk);
    }
  }
}

}  // namespace ringwall::machine_audit
