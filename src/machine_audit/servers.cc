// Lists of MCP servers, of every agent that has one.
#include <algorithm>
#include <array>
#include <charconv>

#include "base/path.h"
#include "base/secret_shape.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "machine_audit/scene.h"

namespace ringwall::machine_audit {
namespace {

struct Server {
  const MachineFile& document;
  const std::string& name;
  const Setting& entry;
  std::vector<std::string> words;  // of its command line
};

std::vector<std::string> words_in(const Setting& entry) {
  std::vector<std::string> words;
  for (std::string_view key : {"command", "args"}) {
    const Setting* value = entry.find(key);
    if (value == nullptr) continue;
    if (value->is_text()) words.push_back(value->text);
    for (const auto& [name, word] : value->members)
      words.push_back(word.text);
  }
  return words;
}

// The package that a launcher fetches; empty if it is none.
struct Package {
  std::string name;
  std::string version;  // empty: whatever is newest
};

Package split_package(std::string_view text, bool is_python) {
  if (is_python) {
    size_t at = std::min(text.find("=="), text.find('@'));
    if (at == text.npos) return {std::string(text), ""};
    size_t behind = at + (text[at] == '=' ? 2 : 1);
    return {std::string(text.substr(0, at)), std::string(text.substr(behind))};
  }
  size_t at = text.find('@', 1);
  if (at == text.npos) return {std::string(text), ""};
  return {std::string(text.substr(0, at)), std::string(text.substr(at + 1))};
}

Package package_of(const std::vector<std::string>& words) {
  if (words.empty()) return {};
  std::string_view launcher = path::basename(words[0]);
  bool is_python = launcher == "uvx" || launcher == "pipx" || launcher == "uv";
  bool is_node = launcher == "npx" || launcher == "bunx" || launcher == "pnpm" ||
                 launcher == "yarn" || launcher == "bun" || launcher == "npm";
  if (!is_python && !is_node) return {};
  bool needs_verb = launcher != "npx" && launcher != "bunx" && launcher != "uvx";
  bool has_verb = !needs_verb;
  for (size_t i = 1; i < words.size(); i++) {
    const std::string& word = words[i];
    bool names = word == "-p" || word == "--package" || word == "--from";
    if (names && i + 1 < words.size()) return split_package(words[i + 1], is_python);
    if (word.starts_with('-')) continue;
    if (!has_verb) {
      bool is_verb =
          word == "dlx" || word == "x" || word == "exec" || word == "run" || word == "tool";
      if (!is_verb) return {};
      has_verb = word != "tool";
      if (launcher == "uv" && word == "run") return {};  // of a project's own
      continue;
    }
    bool is_path = word[0] == '.' || word[0] == '/' || word[0] == '~';
    return word.empty() || is_path ? Package{} : split_package(word, is_python);
  }
  return {};
}

using Version = std::array<uint32_t, 3>;

std::optional<Version> parse_version(std::string_view text) {
  Version version{};
  for (size_t i = 0; i < version.size(); i++) {
    auto read = std::from_chars(text.data(), text.data() + text.size(), version[i]);
    if (read.ec != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<size_t>(read.ptr - text.data()));
    if (!text.starts_with('.')) return i == 0 ? std::optional<Version>() : version;
    text.remove_prefix(1);
  }
  return version;
}

struct KnownHole {
  std::string_view package;
  Version from, below;  // the versions that have it
  std::string_view what;
  std::string_view change;
};
constexpr KnownHole kHoles[] = {
    {"mcp-remote",
     {0, 0, 0},
     {0, 1, 16},
     "CVE-2025-6514: commands by a server's login address",
     "take mcp-remote@0.1.16 or later"},
    {"@modelcontextprotocol/inspector",
     {0, 0, 0},
     {0, 14, 1},
     "CVE-2025-49596: commands by any web page",
     "take 0.14.1 or later"},
    {"@modelcontextprotocol/server-filesystem",
     {0, 0, 0},
     {0, 6, 3},
     "CVE-2025-53109, CVE-2025-53110: files beyond the named folders",
     "take 2.3.0 or later, and no version that is a date"},
    {"@modelcontextprotocol/server-filesystem",
     {2025, 0, 0},
     {2025, 7, 1},
     "CVE-2025-53109, CVE-2025-53110: files beyond the named folders",
     "take 2.3.0 or later, and no version that is a date"},
    {"mcp-server-git",
     {0, 0, 0},
     {2025, 12, 18},
     "CVE-2025-68143, CVE-2025-68144, CVE-2025-68145: files beyond the repository",
     "take 2026.11.11 or later"},
    {"mcp-server-git",
     {2025, 12, 18},
     {2026, 1, 14},
     "CVE-2026-27735: files beyond the repository",
     "take 2026.11.11 or later"},
    {"mcp-server-git",
     {2026, 1, 14},
     {2026, 11, 11},
     "a repository's own git settings run a program (release 2.4.0 of the servers)",
     "take 2026.11.11 or later"},
    {"figma-developer-mcp",
     {0, 0, 0},
     {0, 6, 3},
     "CVE-2025-53967: commands by what a tool is asked for",
     "take 0.6.3 or later"},
    {"postmark-mcp",
     {1, 0, 16},
     {9999, 0, 0},
     "a back door: every mail went to its author",
     "remove the server, and change what it could read"},
};

std::string whole(const Server& server) { return text::join(server.words, " "); }

void look_at_package(const Server& server, MachineDesk& desk) {
  Package package = package_of(server.words);
  if (package.name.empty() || package.name.find("://") != std::string::npos) return;
  auto version = parse_version(package.version);
  for (const KnownHole& hole : kHoles) {
    if (version && package.name == hole.package && *version >= hole.from && *version < hole.below)
      return desk.add(
          "RW156", server.document, server.entry.line,
          server.name + ": " + package.name + " " + package.version + ", " + std::string(hole.what),
          hole.change);
  }
  if (!version)
    desk.add("RW155", server.document, server.entry.line,
             server.name + ": " + package.name +
                 (package.version.empty() ? " without a version" : " " + package.version));
}

bool is_given_elsewhere(std::string_view value) {
  return value.find("${") != value.npos || value.starts_with('$') ||
         value.find(" $") != value.npos || value.find("{env:") != value.npos ||
         value.find("{file:") != value.npos;
}

void look_at_secrets(const Server& server, MachineDesk& desk) {
  for (std::string_view key : {"env", "environment", "headers", "http_headers", "requestInit"}) {
    const Setting* values = server.entry.find(key);
    if (values == nullptr) continue;
    for (const auto& [name, value] : values->members) {
      if (!value.is_text() || is_given_elsewhere(value.text)) continue;
      bool is_login = text::in_small_letters(name) == "authorization";
      bool is_secret = (secret::is_named(name) || is_login) && secret::is_real(value.text);
      if (is_secret || secret::find_token(value.text))
        desk.add("RW157", server.document, value.line,
                 server.name + "." + std::string(key) + "." + name);
    }
  }
  for (const std::string& word : server.words) {
    if (!is_given_elsewhere(word) && (secret::find_token(word) || secret::find_url_password(word)))
      return desk.add("RW157", server.document, server.entry.line, server.name + ": in its args");
  }
}

bool has_word(const Server& server, std::string_view sign) {
  return std::any_of(server.words.begin(), server.words.end(),
                     [&](const std::string& word) { return word.find(sign) != std::string::npos; });
}

void look_at_reach(const Scene& scene, const Server& server, MachineDesk& desk) {
  if (has_word(server, "filesystem")) {
    for (size_t i = 1; i < server.words.size(); i++) {
      const std::string& word = server.words[i];
      bool is_path = word.starts_with('/') || word.starts_with('~') || word.starts_with("$HOME") ||
                     word.starts_with("${HOME}");
      if (is_path && scene.is_wide(word))
        desk.add("RW160", server.document, server.entry.line, server.name + ": " + word);
    }
  }
  std::string_view program = server.words.empty() ? "" : path::basename(server.words[0]);
  if (program != "docker" && program != "podman") return;
  for (const std::string& word : server.words) {
    bool is_host = word == "--privileged" || word.find("docker.sock") != word.npos ||
                   word.starts_with("/:/") || word == "--pid=host" ||
                   word.find("source=/,") != word.npos || word.find("src=/,") != word.npos;
    if (is_host) desk.add("RW161", server.document, server.entry.line, server.name + ": " + word);
  }
}

void look_at_approval(const Server& server, MachineDesk& desk) {
  const Setting* trust = server.entry.find("trust");
  if (trust != nullptr && trust->is_true())
    desk.add("RW162", server.document, trust->line, server.name + ".trust = true", {},
             set_value(server.document, *trust, "trust", "false"));
  const Setting* mode = server.entry.find("default_tools_approval_mode");
  if (mode != nullptr && mode->text == "approve")
    desk.add("RW162", server.document, mode->line,
             server.name + ".default_tools_approval_mode = approve", {},
             set_value(server.document, *mode, "default_tools_approval_mode", "\"prompt\""));
  for (std::string_view key : {"alwaysAllow", "autoApprove"}) {
    const Setting* tools = server.entry.find(key);
    if (tools == nullptr) continue;
    if (tools->is_true())
      desk.add("RW162", server.document, tools->line, server.name + "." + std::string(key));
    for (size_t i = 0; i < tools->members.size(); i++) {
      if (tools->is_list() && tools->members[i].second.text == "*")
        desk.add("RW162", server.document, tools->members[i].second.line,
                 server.name + "." + std::string(key) + ": *", {},
                 remove_entry(server.document, *tools, i));
    }
  }
}

void look_at_start(const Server& server, MachineDesk& desk) {
  if (server.words.empty()) return;
  if (runs_a_download(whole(server)))
    desk.add("RW159", server.document, server.entry.line, server.name + ": " + whole(server));
  std::string_view program = path::basename(server.words[0]);
  bool runs_a_file = program == "node" || program.starts_with("python") || program == "bash" ||
                     program == "sh" || program == "deno" || program == "bun";
  bool is_open = lies_in_the_open(server.words[0]) ||
                 (runs_a_file && server.words.size() > 1 && lies_in_the_open(server.words[1]));
  if (is_open)
    desk.add("RW164", server.document, server.entry.line, server.name + ": " + whole(server));
}

void look_at_server(const Scene& scene, const Server& server, MachineDesk& desk) {
  for (std::string_view key : {"url", "httpUrl", "serverUrl"}) {
    const Setting* url = server.entry.find(key);
    if (url != nullptr && is_plain_address(url->text))
      desk.add("RW158", server.document, url->line, server.name + ": " + url->text);
  }
  look_at_package(server, desk);
  look_at_secrets(server, desk);
  look_at_reach(scene, server, desk);
  look_at_approval(server, desk);
  look_at_start(server, desk);
}

void look_at_list(const Scene& scene, const MachineFile& document, const Setting* list,
                  MachineDesk& desk) {
  if (list == nullptr) return;
  if (!list->is_object())
    return desk.add("RW140", document, list->line, "a list of servers must be an object, { … }");
  std::vector<std::string> bare;
  for (const auto& [name, entry] : list->members) {
    if (!entry.is_object()) {
      desk.add("RW140", document, entry.line, name + " must be an object, { … }");
      continue;
    }
    Server server{document, name, entry, words_in(entry)};
    look_at_server(scene, server, desk);
    bool is_wrapped = !server.words.empty() && path::basename(server.words[0]) == "ringwall";
    if (!server.words.empty() && !is_wrapped) bare.push_back(name);
  }
  if (!bare.empty())
    desk.add("RW163", document, list->line, text::join(bare, ", "),
             "ringwall mcp wrap " + text::shell_word(document.path) + " --in-place");
}

}  // namespace

void look_at_servers(const Scene& scene, MachineDesk& desk) {
  for (const MachineFile& document : scene.documents) {
    const Setting& top = document.root;
    switch (document.topic) {
      case Topic::servers:
        look_at_list(scene, document, top.find("mcpServers"), desk);
        look_at_list(scene, document, top.find("servers"), desk);
        break;
      case Topic::claude_state:
        look_at_list(scene, document, top.find("mcpServers"), desk);
        if (const Setting* projects = top.find("projects")) {
          for (const auto& [folder, project] : projects->members)
            look_at_list(scene, document, project.find("mcpServers"), desk);
        }
        break;
      case Topic::gemini:
        look_at_list(scene, document, top.find("mcpServers"), desk);
        break;
      case Topic::codex:
        look_at_list(scene, document, top.find("mcp_servers"), desk);
        break;
      case Topic::opencode:
        look_at_list(scene, document, top.find("mcp"), desk);
        break;
      case Topic::editor:
        if (const Setting* mcp = top.find("mcp"))
          look_at_list(scene, document, mcp->find("servers"), desk);
        break;
      default:
        break;
    }
  }
}

}  // namespace ringwall::machine_audit
