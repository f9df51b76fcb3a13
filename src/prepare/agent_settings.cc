#include "prepare/agent_settings.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "audit/settings.h"
#include "base/file.h"
#include "base/path.h"
#include "files/protected.h"
#include "git/command_words.h"
#include "git/named_files.h"

namespace ringwall::prepare {
namespace {

constexpr size_t kMostBytes = 1 << 20;
constexpr audit::SettingsLimits kLimits{kMostBytes, 20'000};
constexpr size_t kMostFolders = 16;  // that one command may enter

// "" is a file at the top. Each folder is looked for before the files in it are.
struct Place {
  std::string_view folder;
  std::initializer_list<std::string_view> files;
};
const Place kPlaces[] = {
    {"", {".mcp.json", "opencode.json", "opencode.jsonc", "crush.json", ".crush.json"}},
    {".claude", {"settings.json", "settings.local.json"}},
    {".gemini", {"settings.json"}},
    {".qwen", {"settings.json"}},
    {".cursor", {"mcp.json", "hooks.json"}},
    {".vscode", {"tasks.json", "mcp.json"}},
    {".github", {"mcp.json", "lsp.json"}},
    {".copilot", {"mcp-config.json"}},
    {".amazonq", {"mcp.json"}},
    {".kiro", {"settings/mcp.json"}},
    {".roo", {"mcp.json"}},
    {".kilocode", {"mcp.json"}},
    {".zed", {"settings.json"}},
    {".factory", {"mcp.json", "settings.json"}},
};

// Keys whose value is a command, wherever they stand; "args" belongs to the command beside it.
constexpr std::string_view kCommands[] = {"command",
                                          "args",
                                          "bash",
                                          "apiKeyHelper",
                                          "awsAuthRefresh",
                                          "awsCredentialExport",
                                          "gcpAuthRefresh",
                                          "otelHeadersHelper",
                                          "discoveryCommand",
                                          "callCommand",
                                          "toolDiscoveryCommand",
                                          "toolCallCommand"};

// A command also names what it works on. A program is what may be executed, or what is called like
// a script or like nothing else.
constexpr std::string_view kScripts[] = {".py",  ".sh", ".bash", ".zsh", ".fish", ".js",  ".mjs",
                                         ".cjs", ".ts", ".mts",  ".cts", ".rb",   ".pl",  ".php",
                                         ".lua", ".R",  ".jl",   ".ps1", ".exs",  ".awk", ".tcl"};

bool is_called_like_program(std::string_view name) {
  return name.find('.', 1) == name.npos ||
         std::ranges::any_of(kScripts, [&](std::string_view end) { return name.ends_with(end); });
}

// The settings lie at PROJECT/NAME or PROJECT/FOLDER/NAME: the project, or empty.
std::string project_of(std::string_view path) {
  for (const Place& place : kPlaces) {
    for (std::string_view file : place.files) {
      std::string end = place.folder.empty() ? "/" : "/" + std::string(place.folder) + "/";
      end += file;
      if (path.ends_with(end)) return std::string(path.substr(0, path.size() - end.size()));
    }
  }
  return "";
}

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& trees) : trees_(trees) {}

  void read(const std::string& settings) {
    std::string project = project_of(settings);
    auto text = file::read(settings, kMostBytes);
    auto top = text ? audit::read_json_settings(*text, kLimits) : std::unexpected(text.error());
    if (project.empty() || !top) return;
    folders_ = {project};
    for (const std::string& tree : trees_) {
      if (tree != project && path::is_beneath(project, tree)) folders_.push_back(tree);
    }
    if (settings.ends_with("/tasks.json"))
      take_tasks(*top);
    else
      take_commands(*top);
  }

  std::vector<std::string> patterns() const { return {patterns_.begin(), patterns_.end()}; }

 private:
  // Of the others the person starts each by hand; they name what is worked on.
  void take_tasks(const audit::Setting& top) {
    top.each("tasks", [&](const audit::Setting& tasks) {
      for (const audit::SettingMember& task : tasks.members) {
        const audit::Setting* when = task.second.find_way("runOptions.runOn");
        if (when != nullptr && when->text == "folderOpen") take_commands(task.second);
      }
    });
  }

  void take_commands(const audit::Setting& top) {
    audit::visit(top, [&](const std::string& way, const audit::Setting& value) {
      std::string_view key = std::string_view(way).substr(way.rfind('.') + 1);
      bool is_command =
          std::find(std::begin(kCommands), std::end(kCommands), key) != std::end(kCommands);
      if (is_command) take_command(audit::words_of(value));
    });
  }

  void take_command(const std::string& command) {
    std::vector<std::string> folders = folders_;
    for (const git::CommandWord& word : git::words_of(command)) {
      if (word.text.contains("://") || word.text.starts_with('@')) continue;
      if (word.text.starts_with('/')) take(path::absolute(word.text, "/"), true);
      for (const std::string& meaning : git::relative_meanings(word))
        take_relative(meaning, folders);
    }
  }

  void take_relative(const std::string& meaning, std::vector<std::string>& folders) {
    std::vector<std::string> before = folders;  // it grows
    for (const std::string& folder : before) {
      std::string named = path::absolute(meaning, folder);
      bool is_known = std::ranges::find(folders, named) != folders.end();
      struct stat facts;
      if (stat(named.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode)) {
        if (!is_known && folders.size() < kMostFolders) folders.push_back(named);
      } else {
        take(named, meaning.contains('/'));
      }
    }
  }

  void take(const std::string& named, bool has_slash) {
    struct stat facts;
    bool is_there = stat(named.c_str(), &facts) == 0;
    if (is_there ? !S_ISREG(facts.st_mode) : !has_slash) return;
    std::string_view name = path::basename(named);
    if (!has_slash && name.find('.', 1) == name.npos) return;
    bool may_be_started = is_there && (facts.st_mode & 0111) != 0;
    if (!may_be_started && !is_called_like_program(name)) return;
    for (const std::string& tree : trees_) {
      if (named == tree || !path::is_beneath(named, tree)) continue;
      std::string relative = named.substr(tree.size() + (tree.ends_with('/') ? 0 : 1));
      // Installing writes all of it, as with the names of the table.
      if (!files::lies_in_packages(relative)) patterns_.insert(git::pattern_for(relative));
    }
  }

  const std::vector<std::string>& trees_;
  std::vector<std::string> folders_;  // from which the settings' commands are started
  std::set<std::string> patterns_;
};

}  // namespace

std::vector<std::string> agent_settings_of(const std::string& path) {
  std::vector<std::string> found;
  for (const Place& place : kPlaces) {
    for (std::string_view file : place.files) {
      std::string whole = "/" + (place.folder.empty() ? "" : std::string(place.folder) + "/");
      whole += file;
      for (size_t end = whole.find('/', 1);; end = whole.find('/', end + 1)) {
        std::string settings = path + (end == whole.npos ? "" : whole.substr(end));
        if (path.ends_with(whole.substr(0, end)) && access(settings.c_str(), F_OK) == 0)
          found.push_back(std::move(settings));
        if (end == whole.npos) break;
      }
    }
  }
  return found;
}

std::vector<std::string> agent_settings_at_top(const std::vector<std::string>& trees) {
  std::vector<std::string> found;
  for (const std::string& tree : trees) {
    for (const Place& place : kPlaces) {
      std::string folder = place.folder.empty() ? tree : path::join(tree, place.folder);
      if (!place.folder.empty() && access(folder.c_str(), F_OK) < 0) continue;
      for (std::string_view file : place.files) {
        std::string path = path::join(folder, file);
        if (access(path.c_str(), F_OK) == 0) found.push_back(std::move(path));
      }
    }
  }
  return found;
}

std::vector<std::string> patterns_named_by_agents(const std::vector<std::string>& trees,
                                                  const std::vector<std::string>& settings) {
  Reader reader(trees);
  for (const std::string& path : settings)
    reader.read(path);
  return reader.patterns();
}

}  // namespace ringwall::prepare
