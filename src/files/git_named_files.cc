#include "files/git_named_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "base/file.h"
#include "base/path.h"
#include "files/git_config.h"
#include "files/git_config_rules.h"

namespace ringwall::files {
namespace {

// Includes may go in circles.
constexpr size_t kMostSettingsFiles = 64;

// Settings whose words are a command, which git runs from the top of the tree.
constexpr std::string_view kCommands[] = {
    "core.fsmonitor",
    "core.sshCommand",
    "core.gitProxy",
    "core.editor",
    "core.pager",
    "core.askPass",
    "core.alternateRefsCommand",
    "sequence.editor",
    "interactive.diffFilter",
    "gc.recentObjectsHook",
    "pager.*",
    "alias.*",
    "hook.*",
    "filter.*",
    "diff.*",
    "difftool.*",
    "merge.*",
    "mergetool.*",
    "trailer.*",
    "gpg.*",
    "credential.*",
    "sendemail.*",
    "uploadpack.*",
    "remote.*.uploadpack",
    "remote.*.receivepack",
    "remote.*.vcs",
    "submodule.*.update",
};
constexpr std::string_view kFolders[] = {"core.hooksPath", "init.templateDir"};
constexpr std::string_view kSettings[] = {"include.path", "includeIf.*.path"};

bool is_one_of(auto& patterns, const GitKey& key) {
  return std::any_of(std::begin(patterns), std::end(patterns),
                     [&](std::string_view pattern) { return matches_git_key(pattern, key); });
}

// What a shell would take apart; where it would not, a word that names no file does no harm.
std::vector<std::string> words_of(std::string_view command) {
  constexpr std::string_view kBetween = " \t\n'\"`;|&()<>$=!,\\";
  std::vector<std::string> words;
  while (!command.empty()) {
    size_t end = std::min(command.find_first_of(kBetween), command.size());
    if (end > 0) words.emplace_back(command.substr(0, end));
    command.remove_prefix(std::min(end + 1, command.size()));
  }
  return words;
}

std::string escaped(std::string_view relative) {
  std::string pattern;
  for (char c : relative) {
    if (std::string_view("\\*?[]{}#! ").contains(c)) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

class Reader {
 public:
  Reader(const std::string& top, const std::string& home) : top_(top), home_(home) {}

  void read(const std::string& settings) {
    if (seen_.size() >= kMostSettingsFiles || !seen_.insert(settings).second) return;
    auto text = file::read(settings, kMostGitConfigBytes);
    auto config = text ? parse_git_config(*text) : std::unexpected(text.error());
    if (!config) return;
    for (const GitConfig::Entry& entry : config->entries) {
      if (entry.value) take(split_git_key(entry.key), *entry.value, path::parent(settings));
    }
  }

  std::vector<std::string> patterns() const { return {patterns_.begin(), patterns_.end()}; }

 private:
  void take(const GitKey& key, const std::string& value, const std::string& folder) {
    if (is_one_of(kSettings, key)) {
      std::string named = absolute(value, folder);
      add(named, "");
      return read(named);
    }
    if (is_one_of(kFolders, key)) return add(absolute(value, top_), "/");
    bool is_command = is_one_of(kCommands, key);
    if (matches_git_key("alias.*", key)) is_command = value.starts_with('!');
    if (!is_command) return;
    for (const std::string& word : words_of(value))
      take_word(word);
  }

  std::string absolute(const std::string& value, const std::string& base) const {
    bool in_home = value.starts_with("~/");
    return path::absolute(in_home ? value.substr(2) : value, in_home ? home_ : base);
  }

  // A word with a slash may name what is made later; one without a dot may be anything.
  void take_word(const std::string& word) {
    std::string named = absolute(word, top_);
    struct stat facts;
    bool is_there = stat(named.c_str(), &facts) == 0;
    bool has_slash = word.contains('/');
    bool is_file = is_there && S_ISREG(facts.st_mode) && (has_slash || word.contains('.'));
    if (is_file || (!is_there && has_slash)) add(named, "");
  }

  // What lies in the git folder is guarded by its own names.
  void add(const std::string& named, std::string_view ending) {
    if (named == top_ || !path::is_beneath(named, top_)) return;
    if (path::is_beneath(named, path::join(top_, ".git"))) return;
    patterns_.insert("/" + escaped(named.substr(top_.size() + 1)) + std::string(ending));
  }

  const std::string &top_, &home_;
  std::set<std::string> seen_, patterns_;
};

}  // namespace

std::vector<std::string> patterns_named_by_git(const std::string& top, const std::string& home) {
  Reader reader(top, home);
  for (const char* name : {".git/config", ".git/config.worktree"})
    reader.read(path::join(top, name));
  // Their relative folder of hooks lies in every repository.
  for (const char* name : {".gitconfig", ".config/git/config"})
    reader.read(path::join(home, name));
  return reader.patterns();
}

}  // namespace ringwall::files
