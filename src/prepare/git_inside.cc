#include "prepare/git_inside.h"

#include "base/file.h"
#include "base/path.h"
#include "git/preferences.h"

namespace ringwall::prepare {

std::string ignored_by_git(const GuardedFiles& guarded, const std::string& workspace) {
  std::string lines;
  for (const auto* paths : {&guarded.hidden, &guarded.denied}) {
    for (const std::string& path : *paths) {
      if (path::is_beneath(path, workspace))
        lines += git::ignore_line(path.substr(workspace.size() + 1));
    }
  }
  return lines;
}

// Later files win, as git has it.
std::vector<std::pair<std::string, std::string>> git_preferences(const std::string& home) {
  std::vector<std::pair<std::string, std::string>> preferences;
  for (const char* name : {".config/git/config", ".gitconfig"}) {
    auto config = file::read(path::join(home, name));
    if (!config) continue;
    for (auto& preference : git::take_git_preferences(*config))
      preferences.push_back(std::move(preference));
  }
  return preferences;
}

}  // namespace ringwall::prepare
