// What a project's settings name that runs as you or leads your words elsewhere, and what lets
// commands reach far beyond the project, as tables over all agents.
#include <functional>

#include "machine_audit/scene.h"

namespace ringwall::machine_audit {
namespace {

struct Place {
  std::string_view number;
  Topic topic;
  std::string_view way;  // a star stands for any name
};

// Programs that start with the agent or at its acts, and where their place is in a person's own
// settings.
constexpr Place kPrograms[] = {
    {"RW119", Topic::claude, "sandbox.ripgrep"},
    {"RW119", Topic::claude, "sandbox.bwrapPath"},
    {"RW119", Topic::claude, "sandbox.socatPath"},
    {"RW119", Topic::claude, "env.CLAUDE_CODE_SHELL_PREFIX"},
    {"RW119", Topic::claude, "env.CLAUDE_CODE_PROCESS_WRAPPER"},
    {"RW183", Topic::claude, "env.NODE_OPTIONS"},
    {"RW183", Topic::claude, "env.LD_PRELOAD"},
    {"RW183", Topic::claude, "env.BASH_ENV"},
    {"RW104", Topic::claude, "sandbox.network.httpProxyPort"},
    {"RW104", Topic::claude, "sandbox.network.socksProxyPort"},
    {"RW119", Topic::codex, "notify"},
    {"RW119", Topic::gemini, "tools.discoveryCommand"},
    {"RW119", Topic::gemini, "tools.callCommand"},
    {"RW119", Topic::gemini, "toolDiscoveryCommand"},
    {"RW119", Topic::gemini, "toolCallCommand"},
    {"RW119", Topic::gemini, "mcp.serverCommand"},
    {"RW119", Topic::opencode, "formatter.*.command"},
    {"RW119", Topic::opencode, "lsp.*.command"},
};

// Addresses that prompts and keys go to: those of a project, and any without encryption.
constexpr Place kAddresses[] = {
    {"RW116", Topic::claude, "env.OTEL_EXPORTER_OTLP_ENDPOINT"},
    {"RW116", Topic::codex, "chatgpt_base_url"},
    {"RW116", Topic::codex, "openai_base_url"},
    {"RW116", Topic::codex, "model_providers.*.base_url"},
    {"RW116", Topic::gemini, "telemetry.otlpEndpoint"},
    {"RW116", Topic::opencode, "provider.*.options.baseURL"},
};

using Use = std::function<void(const std::string& way, const Setting& value)>;

void each_at(const Setting& at, std::string_view way, const std::string& led, const Use& use) {
  if (way.empty()) return use(led, at);
  size_t dot = std::min(way.find('.'), way.size());
  std::string_view name = way.substr(0, dot);
  std::string_view rest = way.substr(std::min(dot + 1, way.size()));
  if (!at.is_object()) return;
  for (const auto& [key, member] : at.members) {
    if (name == "*" || name == key) each_at(member, rest, led.empty() ? key : led + "." + key, use);
  }
}

// Most options of Node load nothing.
bool loads_nothing(std::string_view way, std::string_view value) {
  return way.ends_with("NODE_OPTIONS") && value.find("-r") == value.npos &&
         value.find("--import") == value.npos && value.find("-loader") == value.npos;
}

void look_at_project(const MachineFile& document, MachineDesk& desk) {
  bool is_project = document.scope == FileScope::project;
  for (const Place& place : kPrograms) {
    if (place.topic != document.topic || !is_project) continue;
    each_at(document.root, place.way, "", [&](const std::string& way, const Setting& value) {
      if (loads_nothing(way, value.text)) return;
      desk.add(place.number, document, value.line, way + " = " + audit::words_of(value),
               "take " + way + " out of the project's settings");
    });
  }
  for (const Place& place : kAddresses) {
    if (place.topic != document.topic) continue;
    each_at(document.root, place.way, "", [&](const std::string& way, const Setting& value) {
      if (value.is_text() && (is_project || is_plain_address(value.text)))
        desk.add(place.number, document, value.line, way + " = " + value.text,
                 "take " + way + " out, unless that host is yours, and then by https");
    });
  }
}

void look_at_codex_permissions(const Scene& scene, const MachineFile& document, MachineDesk& desk) {
  each_at(document.root, "permissions.*.filesystem.*", "",
          [&](const std::string& way, const Setting& value) {
            std::string_view path = std::string_view(way).substr(way.find(".filesystem.") + 12);
            bool is_path = path.starts_with('/') || path.starts_with('~');
            if (value.text == "write" && is_path && scene.is_wide(path))
              desk.add("RW124", document, value.line, way + " = write", "take " + way + " out");
          });
  each_at(document.root, "permissions.*.network.domains.*", "",
          [&](const std::string& way, const Setting& value) {
            if (value.text == "allow" && way.ends_with(".domains.*"))
              desk.add("RW123", document, value.line, way + " = allow",
                       "name the hosts in place of *");
          });
  each_at(document.root, "permissions.*.network.unix_sockets.*", "",
          [&](const std::string& way, const Setting& value) {
            bool is_daemon = way.ends_with("docker.sock") || way.ends_with("podman.sock") ||
                             way.ends_with("containerd.sock");
            if (value.text == "allow" && is_daemon)
              desk.add("RW104", document, value.line, way + " = allow", "take " + way + " out");
          });
}

void look_at_cursor_paths(const Scene& scene, const MachineFile& document, MachineDesk& desk) {
  const Setting* paths = document.root.find("additionalReadwritePaths");
  if (paths == nullptr || !paths->is_list()) return;
  for (const auto& [name, path] : paths->members) {
    if (path.is_text() && scene.is_wide(path.text))
      desk.add("RW124", document, path.line, "additionalReadwritePaths: " + path.text,
               "take \"" + path.text + "\" out of additionalReadwritePaths");
  }
}

// Also where one of opencode's agents has permissions of its own.
void look_at_opencode_permissions(const Scene& scene, const MachineFile& document,
                                  MachineDesk& desk) {
  for (std::string_view way : {"agent.*.permission.bash", "agent.*.permission.bash.*"}) {
    each_at(document.root, way, "", [&](const std::string& led, const Setting& value) {
      bool is_any = way.ends_with("bash") || led.ends_with(".*");
      if (value.text == "allow" && is_any)
        desk.add("RW141", document, value.line, led + " = allow", "set " + led + " to \"ask\"");
    });
  }
  each_at(document.root, "permission.external_directory.*", "",
          [&](const std::string& way, const Setting& value) {
            std::string_view path = std::string_view(way).substr(way.find("_directory.") + 11);
            bool is_path = path.starts_with('/') || path.starts_with('~');
            bool is_any = path == "*" || path == "**" || (is_path && scene.is_wide(path));
            if (value.text == "allow" && is_any)
              desk.add("RW142", document, value.line, way + " = allow",
                       "set " + way + " to \"ask\"", set_value(document, value, path, "\"ask\""));
          });
}

}  // namespace

void look_at_reach(const Scene& scene, MachineDesk& desk) {
  for (const MachineFile& document : scene.documents) {
    look_at_project(document, desk);
    if (document.topic == Topic::codex) look_at_codex_permissions(scene, document, desk);
    if (document.topic == Topic::cursor) look_at_cursor_paths(scene, document, desk);
    if (document.topic == Topic::opencode) look_at_opencode_permissions(scene, document, desk);
  }
}

}  // namespace ringwall::machine_audit
