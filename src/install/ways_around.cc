#include "install/ways_around.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/file.h"
#include "base/path.h"
#include "base/strict_json.h"
#include "base/text.h"
#include "install/look.h"
#include "sandbox/toolchain.h"

namespace ringwall::install {
namespace {

using Kind = WayAround::Kind;

constexpr size_t kMostBytes = 1u << 20;
constexpr size_t kMostFiles = 500;  // before those that others read are not followed any more

// Below the home; `*` stands for one component.
constexpr std::string_view kShellFiles[] = {
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".aliases",
    ".config/fish/config.fish",
    ".kshrc",
};
constexpr std::string_view kShellFolders[] = {".config/fish/functions", ".config/fish/conf.d"};
constexpr std::string_view kSettingsFiles[] = {
    ".config/Code/User/settings.json",
    ".config/Code - Insiders/User/settings.json",
    ".config/VSCodium/User/settings.json",
    ".config/Cursor/User/settings.json",
    ".config/Windsurf/User/settings.json",
    ".vscode-server/data/Machine/settings.json",
    ".config/zed/settings.json",
    ".tmux.conf",
    ".config/tmux/tmux.conf",
    ".config/nvim/init.lua",
    ".config/nvim/init.vim",
    ".vimrc",
    ".emacs",
    ".emacs.d/init.el",
};
// Every file of these folders.
constexpr std::string_view kSettingsFolders[] = {
    ".config/JetBrains/*/options",
    ".config/systemd/user",
    ".local/share/applications",
    ".config/autostart",
};
constexpr std::string_view kWorkspaceFiles[] = {
    ".vscode/settings.json",
    ".vscode/tasks.json",
    ".gitlab-ci.yml",
    "package.json",
    "Makefile",
    ".devcontainer.json",
    ".envrc",
    ".devcontainer/devcontainer.json",
    "Jenkinsfile",
    ".circleci/config.yml",
};
constexpr std::string_view kWorkspaceFolders[] = {".github/workflows", ".idea"};

class Look {
 public:
  Look(const Scope& scope, const Agent& agent, const Manifest& manifest)
      : scope_(scope), agent_(agent), manifest_(manifest) {}

  std::vector<WayAround> run(const std::string& working_folder) {
    copies_ = find_copies(search_for(scope_, agent_.name));
    note_programs();
    look_at_copies();
    look_at_settings();
    if (!scope_.home.empty()) {
      for (std::string_view name : kShellFiles)
        look_in(path::join(scope_.home, name), true);
      for (std::string_view name : kSettingsFiles)
        look_in(path::join(scope_.home, name), false);
      for (std::string_view name : kSettingsFolders)
        look_in_folder(path::join(scope_.home, name), false);
      for (std::string_view name : kShellFolders)
        look_in_folder(path::join(scope_.home, name), true);
      look_at_bundled();
    }
    if (!working_folder.empty() && working_folder != scope_.home) {
      for (std::string_view name : kWorkspaceFiles)
        look_in(path::join(working_folder, name), false);
      for (std::string_view name : kWorkspaceFolders)
        look_in_folder(path::join(working_folder, name), false);
      look_at_project(working_folder);
    }
    return std::move(found_);
  }

 private:
  std::string name() const { return std::string(agent_.name); }
  std::string again() const {
    return std::string("ringwall install ") + (scope_.system ? "--system " : "") + name();
  }

  void look_at_copies() {
    for (const Copy& copy : copies_) {
      if (copy.shim && !copy.first) continue;
      // The plain name starts a shim: what comes behind it on PATH is reached by its path alone.
      if (copy.shim) continue;
      judge_copy(copy);
    }
    // A shim that is gone without another program in its place is no way around.
    auto first = std::ranges::find_if(copies_, &Copy::first);
    bool is_walled = first != copies_.end() && first->shim;
    if (is_walled || first == copies_.end()) return;
    found_.push_back({Kind::shadowed, first->path,
                      "plain " + name() + " starts this one, here and now",
                      scope_.shims.empty()
                          ? again()
                          : "open a new terminal, or: export PATH=" + scope_.shims + ":\"$PATH\""});
  }

  void judge_copy(const Copy& copy) {
    if (scope_.system && copy.persons_own) {
      found_.push_back({Kind::copy, copy.path,
                        "a person's own copy: managed settings refuse it unwalled",
                        "ringwall install " + name()});
      return;
    }
    if (copy.of_a_project || copy.goes_by_name) {
      std::string whose = copy.of_a_project ? "a project's own copy" : "a version manager's switch";
      found_.push_back({Kind::copy, copy.path,
                        whose + ": walled by its plain name in your shells, and not by this path",
                        "start plain " + name()});
      return;
    }
    bool ours_to_wall = scope_.system ? !path::is_beneath(copy.path, "/home") : copy.persons_own;
    if (manifest_.find(copy.path) != nullptr) {
      found_.push_back(
          {Kind::unwalled, copy.path, "it was walled, and an update has replaced it", again()});
    } else if (ours_to_wall) {
      found_.push_back(
          {Kind::unwalled, copy.path, "a copy that came after the installation", again()});
    } else if (!scope_.system && path::is_beneath(copy.path, scope_.home)) {
      found_.push_back({Kind::copy, copy.path,
                        "a copy in a folder that you may not change: not walled by this path",
                        "chmod u+w " + text::quote(path::parent(copy.path)) + " && " + again()});
    } else if (!scope_.system) {
      found_.push_back(
          {Kind::copy, copy.path,
           "the system's copy: walled by its plain name in your shells, and not by this "
           "path, nor for cron",
           "sudo ringwall install --system " + name()});
    }
  }

  // The hooks and keys that were put there.
  void look_at_settings() {
    for (const Change& change : manifest_.changes) {
      if (change.agent != agent_.name || change.kind != Change::Kind::settings) continue;
      auto text = file::read(change.path, kMostBytes);
      auto now = text ? strict_json::parse_object(text::trim(*text))
                      : Result<boost::json::object>(std::unexpected(text.error()));
      if (now && holds_all(*now, change.edits)) continue;
      found_.push_back(
          {Kind::settings, change.path, "what Ringwall has set there was changed since", again()});
    }
  }

  void look_at_bundled() {
    for (const Copy& copy : find_bundled_copies(search_for(scope_, agent_.name))) {
      bool is_npx = copy.path.find("/_npx/") != std::string::npos;
      found_.push_back(
          {is_npx ? Kind::npx : Kind::bundled, copy.path,
           is_npx ? "npx has fetched it, and starts it past the plain name"
                  : "an editor's extension brings it along; its settings refuse to work unwalled",
           is_npx ? "start it by its plain name; rm -r " +
                        text::quote(path::parent(path::parent(path::parent(copy.path))))
                  : "set the extension's process wrapper: see docs/install.md"});
    }
  }

  // What npx and scripts of package.json start.
  void look_at_project(const std::string& folder) {
    std::string path = path::join(path::join(folder, "node_modules/.bin"), agent_.name);
    bool is_known = std::ranges::find(copies_, path, &Copy::path) != copies_.end();
    if (is_known || !file::exists(path) || shim_at(path)) return;
    found_.push_back({Kind::copy, path,
                      "a project's own copy: npx and scripts of package.json start it unwalled",
                      "start plain " + name()});
  }

  // With the home as people write it.
  void note_programs() {
    for (const Copy& copy : copies_) {
      if (!copy.shim || copy.shim->real.empty()) continue;
      for (const std::string& path :
           {copy.shim->real, sandbox::follow_links(copy.shim->real).end}) {
        programs_.push_back(path);
        if (scope_.home.empty() || !path::is_beneath(path, scope_.home)) continue;
        for (const char* start : {"~", "$HOME", "${HOME}"})
          programs_.push_back(start + path.substr(scope_.home.size()));
      }
    }
  }

  void look_in_folder(const std::string& pattern, bool is_shell_file) {
    for (const std::string& folder : expand_folders(pattern)) {
      auto opened = file::open(folder, O_RDONLY | O_DIRECTORY);
      if (!opened) continue;
      auto entries = file::list(opened->get());
      if (!entries) continue;
      std::ranges::sort(*entries, {}, &file::Entry::name);
      for (const file::Entry& entry : *entries)
        look_in(path::join(folder, entry.name), is_shell_file);
    }
  }

  void look_in(const std::string& path, bool is_shell_file) {
    struct stat facts;
    if (std::ranges::find(looked_in_, path) != looked_in_.end()) return;
    looked_in_.push_back(path);
    if (stat(path.c_str(), &facts) < 0 || !S_ISREG(facts.st_mode)) return;
    auto text = file::read(path, kMostBytes);
    if (!text) return;
    for (const FoundLine& line : find_in_text(*text, agent_, is_shell_file, programs_)) {
      if (line.kind == Kind::path && is_walled(line.text)) continue;
      found_.push_back(
          {line.kind, path + ":" + std::to_string(line.line), words_for(line), mend_for(line)});
    }
    if (!is_shell_file || looked_in_.size() > kMostFiles) return;
    for (const std::string& file : sourced_files(*text, scope_.home))
      look_in(file, true);
  }

  // A path that leads to a shim is as good as the plain name.
  bool is_walled(const std::string& written) const {
    std::string path = written;
    for (std::string_view start : {"~", "${HOME}", "$HOME"}) {
      if (path.starts_with(start)) path = scope_.home + path.substr(start.size());
    }
    return !file::exists(path) || shim_at(path).has_value();
  }

  std::string words_for(const FoundLine& line) const {
    if (line.kind == Kind::npx) return "fetches and starts " + std::string(agent_.package);
    if (line.kind == Kind::path) return "starts " + text::quote(line.text);
    return "an alias or a function takes the plain name: " + text::quote(line.text);
  }

  std::string mend_for(const FoundLine& line) const {
    return line.kind == Kind::alias ? "remove it, or let it start `ringwall run " + name() + "`"
                                    : "let it start plain " + name() + ", or `ringwall run -- …`";
  }

  const Scope& scope_;
  const Agent& agent_;
  const Manifest& manifest_;
  std::vector<Copy> copies_;
  std::vector<std::string> programs_;   // what shims stand for
  std::vector<std::string> looked_in_;  // files
  std::vector<WayAround> found_;
};

}  // namespace

std::vector<WayAround> find_ways_around(const Scope& scope, const Agent& agent,
                                        const Manifest& manifest,
                                        const std::string& working_folder) {
  return Look(scope, agent, manifest).run(working_folder);
}

}  // namespace ringwall::install
