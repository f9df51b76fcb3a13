#include "git/named_files.h"

#include <pwd.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "base/file.h"
#include "base/git_keys.h"
#include "base/path.h"
#include "base/text.h"
#include "git/command_words.h"
#include "git/config.h"
#include "git/config_rules.h"
#include "git/folder_names.h"

namespace ringwall::git {
namespace {

constexpr size_t kMostSettingsFiles = 16384;  // as many as can be guarded
constexpr size_t kLongestPointer = 1 << 20;   // of a .git file, as git has it
// Which one a git obeys was said when it was built.
constexpr const char* kHostSettings[] = {"/etc/gitconfig", "/usr/local/etc/gitconfig"};

constexpr size_t kMostFolders = 16;  // that one command may enter

// Nobody opens by its path what has a longer one than the kernel takes.
bool is_absent(const Error& error) {
  return error.err == ENOENT || error.err == ENOTDIR || error.err == ENAMETOOLONG;
}

// Settings files, each read once: those of the person count for every repository.
class SettingsFiles {
 public:
  // None: there is no such file, or nobody but another user's git obeys it.
  // By the folders in which the repositories lie.
  std::unexpected<Error> too_many() const {
    std::map<std::string, size_t> counts;
    for (const auto& [path, config] : read_)
      counts[path::parent(path::parent(path::parent(path)))]++;
    auto fullest = std::ranges::max_element(
        counts, [](const auto& a, const auto& b) { return a.second < b.second; });
    std::string folder = text::quote(fullest->first);
    return fail("git's settings are in more than " + std::to_string(kMostSettingsFiles) +
                    " files; " + std::to_string(fullest->second) + " of them lie in " + folder,
                "remove repositories that nobody needs, or grant less; see: ls -la " + folder);
  }

  Result<const GitConfig*> read(const std::string& path) {
    auto known = read_.find(path);
    if (known != read_.end()) return known->second ? &*known->second : nullptr;
    if (read_.size() >= kMostSettingsFiles) return too_many();
    std::optional<GitConfig>& place = read_[path];
    auto text = file::read(path, kMostGitConfigBytes);
    // What is closed to the person is so to their git, which obeys nothing of it; inside nobody can
    // open it up, since the mount over it is read-only.
    if (!text && (is_absent(text.error()) || text.error().err == EACCES)) return nullptr;
    auto config = text ? parse_git_config(*text) : std::unexpected(text.error());
    if (!config) return not_understood(path, config.error());
    place = std::move(*config);
    return &*place;
  }

 private:
  static std::unexpected<Error> not_understood(const std::string& path, const Error& error) {
    return fail(
        "the git settings " + text::quote(path) + " cannot be understood (" + error.what +
            "), so what they name cannot be kept from changes",
        "mend them; git shows the place: git config --file " + text::quote(path) + " --list");
  }

  std::map<std::string, std::optional<GitConfig>> read_;
};

// What git takes for the repository whose ".git" this is.
struct Repository {
  std::string top;     // where its commands run
  std::string own;     // its git folder
  std::string common;  // the one that it shares with its other worktrees
};

// The path in a file such as ".git" or "commondir"; none: it is no such file, or git cannot read
// it either.
Result<std::optional<std::string>> read_pointer(const std::string& path, std::string_view before,
                                                const std::string& base) {
  auto text = file::read(path, kLongestPointer);
  if (!text) {
    int err = text.error().err;
    if (is_absent(text.error()) || err == EISDIR || err == EACCES || err == ELOOP) return {};
    return fail(
        "cannot see which git folder " + text::quote(path) + " leads to: " + text.error().text(),
        "mend or remove it, or work in another folder");
  }
  if (!text->starts_with(before)) return {};
  std::string named = text->substr(before.size());
  while (named.ends_with('\n') || named.ends_with('\r'))
    named.pop_back();
  return path::absolute(named, base);
}

Result<Repository> find_repository(const std::string& git_folder) {
  bool is_bare = path::basename(git_folder) != ".git";
  Repository found{is_bare ? git_folder : path::parent(git_folder), git_folder, ""};
  TRY_ASSIGN(auto own, read_pointer(git_folder, "gitdir: ", found.top));
  found.own = own.value_or(git_folder);
  TRY_ASSIGN(auto common, read_pointer(path::join(found.own, "commondir"), "", found.own));
  found.common = common.value_or(found.own);
  return found;
}

// Without links on the way, as far as it is there.
std::string real_path(const std::string& named) {
  std::error_code trouble;
  std::string real = std::filesystem::weakly_canonical(named, trouble);
  if (real.ends_with('/') && real.size() > 1) real.pop_back();
  return trouble ? path::absolute(named, "/") : real;
}

// As git and shells write it: "", the person's own, or somebody's; none: there is nobody of that
// name, and git gives up.
std::optional<std::string> home_of(const std::string& name, const std::string& own) {
  if (name.empty()) return own;
  const passwd* account = getpwnam(name.c_str());
  if (account == nullptr) return std::nullopt;
  return account->pw_dir;
}

struct FoundNames {
  std::set<std::string> patterns, below_tops, below_worktrees;
};

// Of one repository.
class Reader {
 public:
  Reader(const std::vector<std::string>& trees, const std::string& home,
         const std::vector<std::string>& others, SettingsFiles& files, FoundNames& found)
      : trees_(trees), home_(home), others_(others), files_(files), found_(found) {}

  Status read(const Repository& repository) {
    top_ = repository.top;
    below_ = &found_.below_worktrees;
    TRY(read(path::join(repository.common, "config")));
    TRY(read(path::join(repository.own, "config.worktree")));
    // A relative folder of hooks lies in every repository.
    below_ = &found_.below_tops;
    TRY(read(path::join(home_, ".gitconfig")));
    TRY(read(path::join(home_, ".config/git/config")));
    for (const std::string& other : others_)
      TRY(read(other));
    for (const char* host : kHostSettings)
      TRY(read(host));
    return {};
  }

 private:
  Status read(const std::string& settings) {
    if (!seen_.insert(real_path(settings)).second) return {};  // includes may go in circles
    TRY_ASSIGN(const GitConfig* config, files_.read(settings));
    if (config == nullptr) return {};
    for (const GitConfig::Entry& entry : config->entries) {
      if (entry.value) TRY(take(git::split_key(entry.key), *entry.value, path::parent(settings)));
    }
    return {};
  }

  Status take(const git::Key& key, const std::string& value, const std::string& folder) {
    const git::KnownKey* known = git::find_known(key);
    if (known == nullptr) return {};
    switch (known->effect) {
      case git::Effect::includes: {
        std::string named = absolute(value, folder);
        add(named, "");
        return read(named);
      }
      case git::Effect::hooks:
        add(absolute(value, top_), "/");
        if (!is_rooted(value)) add_below(absolute(value, top_), "/");
        return {};
      case git::Effect::runs:
      case git::Effect::may_run:
        take_command(key, value);
        return {};
      case git::Effect::redirects:
      case git::Effect::changes:
        return {};
    }
    return {};
  }

  // Git runs it from the top of the tree, and it may go on from a folder in it.
  void take_command(const git::Key& key, const std::string& value) {
    if (git::matches_key("alias.*", key) && !value.starts_with('!')) return;
    std::vector<std::string> folders{top_};
    bool enters = false;
    for (const CommandWord& word : words_of(value)) {
      if (is_rooted(word.text)) take_path(absolute(word.text, top_), word.text.contains('/'));
      for (const std::string& meaning : relative_meanings(word)) {
        take_relative(meaning, enters, folders);
        // "$GIT_DIR/../x"
        if (word.follows_value && meaning.starts_with("../"))
          take_path(path::join(path::join(top_, ".git"), meaning), true);
      }
      enters = word.text == "cd" || (enters && word.text.starts_with('-'));
    }
  }

  void take_relative(const std::string& meaning, bool enters, std::vector<std::string>& folders) {
    std::vector<std::string> before = folders;  // it grows
    for (const std::string& folder : before) {
      std::string named = path::absolute(meaning, folder);
      struct stat facts;
      bool is_folder = stat(named.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode);
      bool is_new = std::ranges::find(folders, named) == folders.end();
      if ((is_folder || enters) && is_new && folders.size() < kMostFolders)
        folders.push_back(named);
      bool has_slash = meaning.contains('/') || folder != top_;
      if (!is_folder && !enters && take_path(path::join(folder, meaning), has_slash))
        add_below(named, "");
    }
  }

  static bool is_rooted(std::string_view value) {
    constexpr std::string_view kOptional = ":(optional)";
    if (value.starts_with(kOptional)) value.remove_prefix(kOptional.size());
    return value.starts_with('/') || value.starts_with('~');
  }

  // As git gives it to the kernel: a ".." behind a link is not the folder above the link.
  std::string absolute(std::string_view value, const std::string& base) const {
    constexpr std::string_view kOptional = ":(optional)";
    if (value.starts_with(kOptional)) value.remove_prefix(kOptional.size());
    if (value.starts_with('/')) return std::string(value);
    if (!value.starts_with('~')) return path::join(base, std::string(value));
    size_t slash = std::min(value.find('/'), value.size());
    auto home = home_of(std::string(value.substr(1, slash - 1)), home_);
    if (!home) return path::join(base, std::string(value));
    return *home + std::string(value.substr(slash));
  }

  // A word with a slash may name what is made later; one without a dot may be anything.
  bool take_path(const std::string& named, bool has_slash) {
    if (!may_name(named)) return false;
    struct stat facts;
    bool is_there = stat(named.c_str(), &facts) == 0;
    bool has_dot = path::basename(named).find('.') != std::string_view::npos;
    bool is_file = is_there && S_ISREG(facts.st_mode) && (has_slash || has_dot);
    if (!is_file && (is_there || !has_slash)) return false;
    add(named, "");
    return true;
  }

  bool may_name(const std::string& named) const {
    std::string whole = path::absolute(named, "/");
    std::string git = path::join(top_, ".git") + "/";
    return !whole.starts_with(git) ||
           !is_written_by_git(std::string_view(whole).substr(git.size()));
  }

  // In each working tree that is made later it is meant as well.
  void add_below(const std::string& named, std::string_view ending) {
    if (named == top_ && ending == "/") below_->insert(hook_names().begin(), hook_names().end());
    if (named == top_ || !path::is_beneath(named, top_)) return;
    std::string relative = named.substr(top_.size() + (top_.ends_with('/') ? 0 : 1));
    if (relative != ".git" && !relative.starts_with(".git/"))
      below_->insert(relative + std::string(ending));
  }

  // By a link on the way it may be named from outside of the tree that it lies in.
  void add(const std::string& named, std::string_view ending) {
    add_one(path::absolute(named, "/"), ending);
    add_one(real_path(named), ending);
  }

  // What the table has of a git folder is guarded by its own names.
  void add_one(const std::string& named, std::string_view ending) {
    std::string git = path::join(top_, ".git");
    bool is_in_git = path::is_beneath(named, git);
    if (is_in_git && named != git &&
        is_guarded_in_git(std::string_view(named).substr(git.size() + 1)))
      return;
    for (const std::string& tree : trees_) {
      if (!path::is_beneath(named, tree)) continue;
      // As a whole neither could be written any more.
      bool is_whole = named == tree || named == git;
      std::string relative = named == tree ? "" : named.substr(tree.size() + 1);
      if (is_whole && ending == "/") {
        for (std::string_view hook : hook_names())
          found_.patterns.insert(pattern_for(
              relative.empty() ? std::string(hook) : path::join(relative, std::string(hook))));
      }
      if (!is_whole) found_.patterns.insert(pattern_for(relative) + std::string(ending));
    }
  }

  const std::vector<std::string>& trees_;
  const std::string& home_;
  const std::vector<std::string>& others_;
  SettingsFiles& files_;
  FoundNames& found_;
  std::set<std::string>* below_ = nullptr;  // where relative names of these settings go
  std::string top_;
  std::set<std::string> seen_;
};

}  // namespace

std::string pattern_for(std::string_view relative) {
  std::string pattern = "/";
  for (char c : relative) {
    if (std::string_view("\\*?[]{}#! ").contains(c)) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

std::set<std::string, std::less<>> remotes_named_for_all(const std::string& home,
                                                         const std::vector<std::string>& others) {
  std::vector<std::string> files = {path::join(home, ".gitconfig"),
                                    path::join(home, ".config/git/config")};
  files.insert(files.end(), others.begin(), others.end());
  files.insert(files.end(), std::begin(kHostSettings), std::end(kHostSettings));
  std::set<std::string, std::less<>> all;
  for (const std::string& file : files) {
    auto text = file::read(file, kMostGitConfigBytes);
    auto config = text ? parse_git_config(*text) : std::unexpected(text.error());
    if (!config) continue;  // what is there and cannot be understood has stopped the run before
    for (const GitConfig::Entry& entry : config->entries) {
      if (entry.value && names_remote(git::split_key(entry.key))) all.insert(*entry.value);
    }
  }
  return all;
}

std::vector<std::string> git_settings_elsewhere(const char* config_home, const char* global,
                                                const char* system) {
  std::vector<std::string> settings;
  auto add = [&](const char* variable, const char* below) {
    std::string named = variable == nullptr ? "" : variable + std::string(below);
    if (named.starts_with('/')) settings.push_back(path::absolute(named, "/"));
  };
  add(config_home, "/git/config");
  add(global, "");
  add(system, "");
  return settings;
}

Result<NamedFiles> files_named_by_git(const std::vector<std::string>& trees,
                                      const std::vector<std::string>& git_folders,
                                      const std::string& home,
                                      const std::vector<std::string>& others) {
  SettingsFiles files;
  FoundNames found;
  for (const std::string& git_folder : git_folders) {
    TRY_ASSIGN(Repository repository, find_repository(git_folder));
    TRY(Reader(trees, home, others, files, found).read(repository));
  }
  auto listed = [](const std::set<std::string>& names) {
    return std::vector<std::string>(names.begin(), names.end());
  };
  return NamedFiles{listed(found.patterns), listed(found.below_tops),
                    listed(found.below_worktrees)};
}

}  // namespace ringwall::git
