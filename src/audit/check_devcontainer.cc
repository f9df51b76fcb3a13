// Development containers: what of the host they are given, by their own settings or by the compose
// files that they name, and what runs for them.
#include "audit/checks.h"
#include "base/path.h"
#include "base/text.h"

namespace ringwall::audit {
namespace {

constexpr std::string_view kHostOptions[] = {
    "--privileged", "docker.sock",         "--pid=host", "--net=host",      "--network=host",
    "--cap-add=",   "apparmor=unconfined", "--device=",  "containerd.sock", "podman.sock",
};
// Those that reach the host, where they stand alone behind --cap-add.
constexpr std::string_view kCapabilities[] = {"ALL",       "SYS_ADMIN",       "SYS_MODULE",
                                              "SYS_RAWIO", "DAC_READ_SEARCH", "NET_ADMIN",
                                              "BPF",       "SYS_BOOT"};
// Of the host: whoever has these has it, or its keys.
constexpr std::string_view kHostPlaces[] = {"/etc",  "/home", "/root", "/run", "/var",
                                            "/proc", "/sys",  "/dev",  "/boot"};
constexpr std::string_view kHomeMounts[] = {
    "localEnv:HOME}", "localEnv:USERPROFILE}", "source=/,",   "source=/home",
    "source=/etc",    "source=/root",          "${env:HOME}", "source=~"};

std::string_view find_host_option(std::string_view text) {
  for (std::string_view option : kHostOptions) {
    if (text.contains(option)) return option;
  }
  return {};
}

// A debugger needs these, and they give nothing of the host.
bool is_debuggers(std::string_view text) {
  return text == "--cap-add=SYS_PTRACE" || text == "SYS_PTRACE";
}

// What of the host an option of docker run mounts: "-v", "/:/host" and its other spellings. Empty:
// nothing.
std::string_view mounted_by(std::string_view option) {
  for (std::string_view start : {"--volume=", "-v=", "-v"}) {
    if (!option.starts_with(start)) continue;
    option.remove_prefix(start.size());
    break;
  }
  for (std::string_view key : {"source=", "src="}) {
    size_t at = option.find(key);
    if (at == std::string_view::npos) continue;
    option.remove_prefix(at + key.size());
    return option.substr(0, option.find(','));
  }
  size_t colon = option.find(':');
  return option.starts_with('/') && colon != std::string_view::npos ? option.substr(0, colon) : "";
}

bool is_of_host(std::string_view option) {
  std::string_view source = mounted_by(option);
  if (source == "/") return true;
  for (std::string_view place : kHostPlaces) {
    if (path::is_beneath(source, place)) return true;
  }
  return false;
}

bool is_host_capability(std::string_view name) {
  if (name.starts_with("CAP_")) name.remove_prefix(4);
  for (std::string_view capability : kCapabilities) {
    if (name == capability) return true;
  }
  return false;
}

// A login of this machine, by the name of its variable.
void check_given_secret(const RepositoryFile& file, const std::string& way, const Setting& value,
                        Reporter& reporter) {
  constexpr std::string_view kLocal = "${localEnv:";
  for (size_t at = value.text.find(kLocal); at != std::string::npos;
       at = value.text.find(kLocal, at + 1)) {
    std::string_view name = std::string_view(value.text).substr(at + kLocal.size());
    name = name.substr(0, name.find_first_of(":}"));
    for (std::string_view sign : {"TOKEN", "SECRET", "PASSWORD", "PASSWD", "_KEY", "CREDENTIAL"}) {
      if (!name.contains(sign)) continue;
      reporter.add("RW238", file.path, value.line, way + ": " + value.text);
      return;
    }
  }
}

void check_host_parts(const RepositoryFile& file, const std::string& way, const Setting& value,
                      Reporter& reporter) {
  if (way == "privileged" && value.is_true())
    reporter.add("RW234", file.path, value.line, "privileged: true");
  if (way.starts_with("features.") && way.contains("docker-outside-of-docker") &&
      way.find('.', way.find("docker-outside")) == std::string::npos)
    reporter.add("RW234", file.path, value.line, way);
  if (!value.is_text()) return;
  check_given_secret(file, way, value, reporter);
  bool is_option = way == "runArgs" || way.starts_with("mounts") || way == "workspaceMount" ||
                   way.starts_with("securityOpt") || way.starts_with("capAdd");
  if (!is_option || is_debuggers(value.text)) return;
  bool is_home = false;
  for (std::string_view mount : kHomeMounts)
    is_home = is_home || (value.text.contains(mount) && way != "runArgs");
  bool is_capability = way.starts_with("capAdd");
  is_capability = is_capability || (way == "runArgs" && is_host_capability(value.text));
  if (!find_host_option(value.text).empty() || is_home || is_capability || is_of_host(value.text))
    reporter.add("RW234", file.path, value.line, way + ": " + value.text);
}

bool is_of_home(std::string_view volume) {
  return volume.starts_with('~') || volume.starts_with("$HOME") || volume.starts_with("${HOME");
}

// A service of a compose file, told at the devcontainer that names it.
struct Compose {
  const std::string& path;  // of the devcontainer
  size_t line;
  const std::string& name;
};

void check_service(const Compose& compose, const Setting& service, Reporter& reporter) {
  visit(service, [&](const std::string& way, const Setting& value) {
    if (value.is_list() || value.is_object()) return;
    std::string seen = compose.name + ": " + way + ": " + value.text;
    bool is_host =
        (way == "privileged" && value.is_true()) ||
        ((way == "pid" || way == "network_mode" || way == "ipc" || way == "userns_mode") &&
         value.text == "host");
    bool is_mount = way == "volumes" || way == "volumes.source" || way == "devices";
    bool is_given = is_mount && (is_of_host(value.text + (way == "volumes.source" ? ":" : "")) ||
                                 is_of_home(value.text) || !find_host_option(value.text).empty());
    bool is_capability = way == "cap_add" && is_host_capability(value.text);
    bool is_open = way == "security_opt" && !find_host_option(value.text).empty();
    if (is_host || is_given || is_capability || is_open)
      reporter.add("RW234", compose.path, compose.line, seen);
  });
}

void check_compose_files(const RepositoryFile& file, const Setting& settings, Reporter& reporter) {
  std::vector<std::string> names;
  size_t line = 0;
  settings.each("dockerComposeFile", [&](const Setting& value) {
    line = value.line;
    if (value.is_text()) names.push_back(value.text);
    for (const auto& [none, one] : value.members)
      names.push_back(one.text);
  });
  constexpr size_t kMostFiles = 10;
  for (size_t i = 0; file.beside && i < std::min(names.size(), kMostFiles); i++) {
    std::string content = file.beside(names[i]);
    auto read = read_yaml_settings(content);
    if (!read) {
      reporter.add("RW216", file.path, line, names[i] + ": " + read.error().what);
      continue;
    }
    read->each("services", [&](const Setting& services) {
      for (const auto& [name, service] : services.members)
        check_service({file.path, line, names[i]}, service, reporter);
    });
  }
}

// A command of a devcontainer: a text, a list, or several by name.
void check_lifecycle(const RepositoryFile& file, std::string_view name, const Setting& value,
                     Reporter& reporter) {
  std::string words = words_of(value);
  for (const auto& [part, one] : value.members) {
    if (value.is_object()) words += (words.empty() ? "" : "; ") + words_of(one);
  }
  if (words.empty()) return;
  bool is_on_host = name == "initializeCommand";
  reporter.add(is_on_host ? "RW233" : "RW235", file.path, value.line,
               std::string(name) + ": " + words);
  check_command(file.path, value.line, words, reporter);
}

}  // namespace

void check_devcontainer(const RepositoryFile& file, Reporter& reporter) {
  auto settings = read_settings(file, read_json_settings, reporter);
  if (!settings || !settings->is_object()) return;
  for (const char* name : {"initializeCommand", "onCreateCommand", "updateContentCommand",
                           "postCreateCommand", "postStartCommand", "postAttachCommand"}) {
    settings->each(name,
                   [&](const Setting& value) { check_lifecycle(file, name, value, reporter); });
  }
  visit(*settings, [&](const std::string& way, const Setting& value) {
    check_host_parts(file, way, value, reporter);
  });
  check_compose_files(file, *settings, reporter);
  if (const Setting* editor = settings->find_way("customizations.vscode.settings");
      editor != nullptr && editor->is_object())
    check_agent_settings(file.path, *editor, reporter);
}

}  // namespace ringwall::audit
