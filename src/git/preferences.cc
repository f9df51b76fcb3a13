#include "git/preferences.h"

#include <algorithm>

#include "base/git_keys.h"
#include "git/config.h"

namespace ringwall::git {
namespace {

constexpr std::string_view kPreferences[] = {
    "user.name",
    "user.email",
    "init.defaultbranch",
    "branch.sort",
    "color.ui",
    "column.ui",
    "commit.cleanup",
    "commit.verbose",
    "core.abbrev",
    "core.autocrlf",
    "core.eol",
    "core.quotepath",
    "diff.algorithm",
    "diff.colormoved",
    "diff.mnemonicprefix",
    "diff.renames",
    "fetch.prune",
    "log.abbrevcommit",
    "log.date",
    "merge.conflictstyle",
    "merge.ff",
    "pull.ff",
    "pull.rebase",
    "push.autosetupremote",
    "push.default",
    "rebase.autosquash",
    "rebase.autostash",
    "rebase.updaterefs",
    "rerere.enabled",
    "status.showuntrackedfiles",
    "tag.sort",
};

constexpr size_t kLongest = 200;

bool is_harmless(std::string_view value) {
  return value.size() <= kLongest && std::none_of(value.begin(), value.end(), [](char c) {
           return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
         });
}

}  // namespace

std::span<const std::string_view> git_preferences() { return kPreferences; }

std::vector<std::pair<std::string, std::string>> take_git_preferences(std::string_view config) {
  std::vector<std::pair<std::string, std::string>> taken;
  auto parsed = parse_git_config(config);
  if (!parsed) return taken;
  GitKeys keys = keys_of(*parsed);
  for (std::string_view name : kPreferences) {
    auto key = keys.find(name);
    if (key == keys.end()) continue;
    std::string value = key->second.back().value_or("true");  // the last one counts
    if (is_harmless(value)) taken.emplace_back(name, value);
  }
  return taken;
}

// None of the keys has a part in the middle, and no value a control character.
std::string render_git_settings(
    const std::vector<std::pair<std::string, std::string>>& preferences) {
  std::string text;
  for (const auto& [key, value] : preferences) {
    git::Key parts = git::split_key(key);
    text += "[" + std::string(parts.section) + "]\n\t" + std::string(parts.variable) + " = \"";
    for (char c : value) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += "\"\n";
  }
  return text;
}

std::string ignore_line(std::string_view path) {
  if (path.find('\n') != path.npos) return "";  // no line can mean it
  std::string line = "/";
  for (char c : path) {
    if (std::string_view("*?[]\\ ").find(c) != std::string_view::npos) line += '\\';
    line += c;
  }
  return line + "\n";
}

}  // namespace ringwall::git
