// Claude Code: entries of lists, each by itself, in every file that has them.
#include <algorithm>

#include "base/path.h"
#include "base/secret_shape.h"
#include "base/text.h"
#include "machine_audit/scene.h"

namespace ringwall::machine_audit {
namespace {

// Programs that run what they are told: to allow one is to allow everything.
constexpr std::string_view kAnything[] = {
    "*",    "sh",        "bash", "zsh",  "fish",   "dash",    "python", "python3", "node",
    "deno", "bun",       "perl", "ruby", "php",    "env",     "sudo",   "su",      "eval",
    "exec", "xargs",     "ssh",  "nc",   "docker", "podman",  "npx",    "uvx",     "curl",
    "wget", "osascript", "bunx", "pipx", "doas",   "kubectl", "source", "nohup",
};
// Where everybody can put something, or fetch what was sent.
constexpr std::string_view kOpenHosts[] = {
    "*",
    "*.amazonaws.com",
    "*.s3.amazonaws.com",
    "*.blob.core.windows.net",
    "*.ngrok.io",
    "*.ngrok.app",
    "*.vercel.app",
    "*.herokuapp.com",
    "*.github.io",
    "*.workers.dev",
    "*.pages.dev",
    "*.trycloudflare.com",
    "pastebin.com",
    "webhook.site",
    "transfer.sh",
    "*.cloudfront.net",
};
// Where what is written runs later, besides what is_wide() knows.
constexpr std::string_view kRunsLater[] = {
    "~/.ssh",   "~/.bashrc", "~/.bash_profile", "~/.profile", "~/.zshrc", "~/.zshenv", "~/.config",
    "~/.local", "~/.claude", "~/.gitconfig",    "/etc",       "/usr",     "/var",      "/opt",
};
constexpr std::string_view kHelpers[] = {
    "apiKeyHelper",      "awsAuthRefresh", "awsCredentialExport", "gcpAuthRefresh",
    "otelHeadersHelper", "statusLine",     "fileSuggestion",      "processWrapper",
};

template <class List>
bool is_among(std::string_view word, const List& list) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

// "Bash(python3 *)" → "python3"; "Bash" and "Bash(*)" → "*".
std::string_view program_of(std::string_view rule) {
  if (rule == "Bash" || rule == "PowerShell") return "*";
  size_t open = rule.find('(');
  if (!rule.starts_with("Bash(") || !rule.ends_with(')')) return {};
  std::string_view inside = rule.substr(open + 1, rule.size() - open - 2);
  bool is_open_ended = inside.ends_with('*');
  std::string_view word = inside.substr(0, inside.find_first_of(" :"));
  if (inside.ends_with(":*") && inside.find(' ') == inside.npos)
    word = inside.substr(0, inside.size() - 2);
  if (!is_open_ended) return {};
  // "python3 -m pytest *" is one program; "python3 *" is all of them.
  std::string_view rest = text::trim(inside.substr(word.size()));
  return rest == "*" || rest == ":*" || rest.empty() ? word : std::string_view();
}

bool allows_anything(const Scene& scene, std::string_view rule) {
  std::string_view program = program_of(rule);
  if (!program.empty()) {
    std::string_view name = program.substr(program.rfind('/') + 1);
    return is_among(name.empty() ? program : name, kAnything);
  }
  if (rule == "*" || rule == "mcp__*" || rule == "Edit" || rule == "Write" || rule == "WebFetch" ||
      rule == "WebFetch(domain:*)" || rule == "WebFetch(*)")
    return true;
  for (std::string_view tool : {"Read(", "Edit(", "Write("}) {
    if (!rule.starts_with(tool) || !rule.ends_with(')')) continue;
    std::string_view path = rule.substr(tool.size(), rule.size() - tool.size() - 1);
    bool is_from_root = path.starts_with("//") || path.starts_with('~');
    return is_from_root && scene.is_wide(path);
  }
  return false;
}

using Judge = bool (*)(const Scene& scene, const std::string& entry);
struct ListCheck {
  std::string_view number;
  std::string_view way;
  bool is_fixed;  // by taking the entry out
  Judge is_weak;
};

bool is_anything(const Scene& scene, const std::string& entry) {
  return allows_anything(scene, entry);
}
bool is_wide_folder(const Scene& scene, const std::string& entry) {
  return scene.is_wide(entry) || is_among(entry, kRunsLater);
}
bool is_written_later(const Scene& scene, const std::string& entry) {
  if (scene.is_wide(entry)) return true;
  std::string path = scene.resolve(entry);
  return std::any_of(std::begin(kRunsLater), std::end(kRunsLater),
                     [&](std::string_view place) { return path == scene.resolve(place); });
}
bool is_excluded(const Scene& /*scene*/, const std::string& /*entry*/) { return true; }
bool is_open_host(const Scene& /*scene*/, const std::string& entry) {
  bool is_top = entry.starts_with("*.") && entry.find('.', 2) == std::string::npos;
  return is_top || is_among(entry, kOpenHosts);
}
bool is_daemon_socket(const Scene& /*scene*/, const std::string& entry) {
  return entry.ends_with("docker.sock") || entry.ends_with("containerd.sock") ||
         entry.ends_with("podman.sock") || entry == "/" || entry == "*";
}

constexpr std::string_view kHostsNumber = "RW106";
constexpr std::string_view kHostsWay = "sandbox.network.allowedDomains";

constexpr ListCheck kLists[] = {
    {"RW113", "permissions.allow", true, is_anything},
    {"RW114", "permissions.additionalDirectories", false, is_wide_folder},
    {"RW105", "sandbox.excludedCommands", false, is_excluded},
    {kHostsNumber, kHostsWay, true, is_open_host},
    {"RW104", "sandbox.network.allowUnixSockets", true, is_daemon_socket},
    {"RW107", "sandbox.filesystem.allowWrite", true, is_written_later},
};

constexpr std::string_view kNameHosts =
    "write the hosts that are needed: \"allowedDomains\": [\"registry.npmjs.org\", "
    "\"github.com\"]; for none at all [\"none.invalid\"], never []";

// An empty list of hosts let everything through, so that the last one is not taken out.
Edit take_out(const ListCheck& check, const Scene& scene, const MachineFile& document,
              const Setting& list, size_t entry) {
  if (!check.is_fixed) return no_edit();
  bool is_last = std::all_of(list.members.begin(), list.members.end(), [&](const auto& member) {
    return !member.second.is_text() || check.is_weak(scene, member.second.text);
  });
  if (check.number == kHostsNumber && is_last)
    return no_edit("the list would be empty, which some versions take for every host");
  return remove_entry(document, list, entry);
}

void look(const ListCheck& check, const Scene& scene, const MachineFile& document,
          MachineDesk& desk) {
  const Setting* list = document.root.find_way(check.way);
  if (list == nullptr) return;
  if (!list->is_list()) {
    return desk.add("RW140", document, list->line,
                    std::string(check.way) + " must be a list, [ … ]");
  }
  for (size_t i = 0; i < list->members.size(); i++) {
    const Setting& entry = list->members[i].second;
    if (!entry.is_text() || !check.is_weak(scene, entry.text)) continue;
    std::string fix = "take \"" + entry.text + "\" out of " + std::string(check.way);
    if (check.number == kHostsNumber)
      fix = "in place of \"" + entry.text + "\" " + std::string(kNameHosts);
    desk.add(check.number, document, entry.line, std::string(check.way) + ": " + entry.text, fix,
             take_out(check, scene, document, *list, i));
  }
}

// The lists of all files count together.
void look_at_no_hosts(const Scene& scene, MachineDesk& desk) {
  const MachineFile* empty = nullptr;
  size_t line = 0, hosts = 0;
  for (const MachineFile& document : scene.documents) {
    if (document.topic != Topic::claude) continue;
    const Setting* list = document.root.find_way(kHostsWay);
    if (list == nullptr || !list->is_list()) continue;
    hosts += list->members.size();
    if (!list->members.empty()) continue;
    empty = &document;
    line = list->line;
  }
  if (empty != nullptr && hosts == 0)
    desk.add(kHostsNumber, *empty, line, std::string(kHostsWay) + ": []", kNameHosts);
}

void look_at_variables(const MachineFile& document, MachineDesk& desk) {
  const Setting* variables = document.root.find("env");
  if (variables == nullptr || !variables->is_object()) return;
  for (const auto& [name, value] : variables->members) {
    if (!value.is_text()) continue;
    bool leads_away = name.ends_with("_BASE_URL") || name == "HTTPS_PROXY" || name == "https_proxy";
    bool is_foreign = document.scope == FileScope::project || is_plain_address(value.text);
    if (leads_away && is_foreign) {
      desk.add("RW116", document, value.line, "env." + name + " = " + value.text);
    } else if ((secret::is_named(name) || secret::find_token(value.text)) &&
               secret::is_real(value.text)) {
      desk.add("RW179", document, value.line, "env." + name + " holds a secret");
    }
  }
}

void look_at_project(const MachineFile& document, MachineDesk& desk) {
  if (document.scope != FileScope::project) return;
  for (std::string_view helper : kHelpers) {
    if (const Setting* value = document.root.find(helper))
      desk.add("RW119", document, value->line, helper);
  }
  if (const Setting* sources = document.root.find("extraKnownMarketplaces")) {
    for (const auto& [name, source] : sources->members)
      desk.add("RW120", document, source.line, "extraKnownMarketplaces." + name);
  }
}

}  // namespace

void look_at_claude_lists(const Scene& scene, MachineDesk& desk) {
  look_at_no_hosts(scene, desk);
  for (const MachineFile& document : scene.documents) {
    if (document.topic != Topic::claude) continue;
    for (const ListCheck& check : kLists)
      look(check, scene, document, desk);
    look_at_variables(document, desk);
    look_at_project(document, desk);
  }
}

}  // namespace ringwall::machine_audit
