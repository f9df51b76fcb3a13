#include "git/vet.h"

#include <algorithm>

#include "base/git_keys.h"
#include "base/path.h"
#include "git/config.h"
#include "git/config_rules.h"
#include "git/worktree_settings.h"

namespace ringwall::git {
namespace {

using Where = GitConfigRule::Where;
constexpr size_t kLongestPath = 4096;

std::unexpected<GitRefusal> refuse(std::string_view what, std::string_view reason,
                                   std::string_view attack) {
  return std::unexpected(GitRefusal{std::string(what), std::string(reason), attack});
}

bool is_path(std::string_view text) {
  return !text.empty() && text.size() < kLongestPath &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return c >= 0x20 && c != 0x7f; });
}

bool is_within(std::string_view path, const GitPlace& place) {
  return std::ranges::any_of(place.trees, [&](const std::string& tree) {
    return path != tree && path::is_beneath(path, tree);
  });
}

// Git takes the line breaks away from the end of such a file, and nothing else.
std::string_view without_line_end(std::string_view text) {
  while (text.ends_with('\n') || text.ends_with('\r'))
    text.remove_suffix(1);
  return text;
}

std::string lower(std::string text) {
  for (char& c : text)
    c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

// ".git", or the "NAME.git" of a repository without a working tree.
bool is_git_name(const std::string& component) { return lower(component).ends_with(".git"); }

// Below a git folder, in modules/ or worktrees/: the name after it may hold slashes.
bool lies_in(std::string_view folder, std::initializer_list<std::string_view> kinds) {
  std::vector<std::string> parts = path::components(folder);
  for (size_t i = 1; i + 1 < parts.size(); i++) {
    bool kind = std::find(kinds.begin(), kinds.end(), parts[i]) != kinds.end();
    if (kind && std::any_of(parts.begin(), parts.begin() + static_cast<ptrdiff_t>(i), is_git_name))
      return true;
  }
  return false;
}

std::expected<std::string, GitRefusal> judge_worktree(std::string_view value,
                                                      const GitPlace& place) {
  std::string target = path::absolute(value, place.folder);
  std::vector<std::string> parts = path::components(target);
  bool in_git_folder = std::ranges::any_of(parts, [](auto& part) { return lower(part) == ".git"; });
  if (!lies_in(place.folder, {"modules"}) || in_git_folder || !is_within(target, place))
    return std::unexpected(refuse_unlisted("core.worktree"));
  return target;
}

// What can only be seen over several keys.
std::optional<GitRefusal> judge_relations(const GitConfig& config) {
  GitKeys keys = keys_of(config);
  for (const GitConfig::Entry& entry : config.entries) {
    git::Key parts = git::split_key(entry.key);
    std::string url = std::string(stem_of(entry.key)) + ".url";
    if (parts.section == "branch" && parts.variable == "remote" && entry.value != "." &&
        !keys.contains("remote." + *entry.value + ".url"))
      return refuse_key(entry.key, "it names no remote that has an address");
    if (parts.section != "remote" || parts.variable != "promisor") continue;
    bool local = !keys.contains(url) || std::ranges::any_of(keys[url], [](const GitValue& value) {
      return is_local_url(*value);
    });
    if (local) return refuse_unlisted(entry.key);
  }
  return std::nullopt;
}

constexpr std::string_view kInertNames[] = {"README", "README.md", "README.txt", ".gitignore",
                                            ".gitkeep"};

}  // namespace

std::expected<NewGitConfig, GitRefusal> judge_new_config(std::string_view text,
                                                         const GitPlace& place) {
  auto config = parse_git_config(text);
  if (!config) return refuse("config", "it cannot be read: " + config.error().what, "");
  NewGitConfig judged;
  for (const GitConfig::Entry& entry : config->entries) {
    git::Key parts = git::split_key(entry.key);
    const GitConfigRule* rule = rule_for(parts, Where::fresh);
    if (rule == nullptr) return std::unexpected(refuse_unlisted(entry.key));
    if (!rule->fits(parts, entry.value)) return std::unexpected(refuse_value(entry.key, *rule));
    bool is_local = is_address(parts) && is_local_url(*entry.value);
    if (is_address(parts) && !is_local && parts.section == "remote")
      judged.remotes.push_back({std::string(*parts.subsection), *entry.value});
    if (is_local) {
      auto ways = ways_of_address(*entry.value, place);
      if (!ways) return std::unexpected(refuse_key(entry.key, kNoLocalPlace));
      judged.ways.insert(judged.ways.end(), ways->begin(), ways->end());
    }
    if (entry.key == kReadsWorktreeConfig) judged.reads_worktree_config = true;
    if (entry.key != "core.worktree") continue;
    TRY_ASSIGN(judged.worktree, judge_worktree(*entry.value, place));
  }
  if (auto refused = judge_relations(*config)) return std::unexpected(std::move(*refused));
  return judged;
}

std::expected<NewGitConfig, GitRefusal> judge_worktree_config(std::string_view text,
                                                              const GitPlace& place) {
  TRY_ASSIGN(NewGitConfig judged, judge_new_config(text, place));
  auto config = parse_git_config(text);
  for (size_t i = 0; config && i < config->entries.size(); i++) {
    if (auto refused = judge_worktree_key(config->entries[i].key))
      return std::unexpected(std::move(*refused));
  }
  return judged;
}

std::optional<GitRefusal> judge_hook(std::string_view name) {
  bool inert =
      name.ends_with(".sample") ||
      std::find(std::begin(kInertNames), std::end(kInertNames), name) != std::end(kInertNames);
  if (inert && name.find('/') == std::string_view::npos) return std::nullopt;
  return GitRefusal{std::string(name), "git on the host would run it as a hook",
                    "planted hooks, CVE-2026-26268"};
}

std::expected<std::string, GitRefusal> judge_git_file(std::string_view text,
                                                      const GitPlace& place) {
  constexpr std::string_view kBegin = "gitdir: ";
  constexpr std::string_view kAttack = "a .git file that leads git to planted settings";
  std::string_view to = without_line_end(text);
  if (!to.starts_with(kBegin)) return refuse(".git", "it is not a file that git writes", kAttack);
  to.remove_prefix(kBegin.size());
  if (!is_path(to)) return refuse(".git", "it leads to no path", kAttack);
  std::string target = path::absolute(to, place.folder);
  if (!is_within(target, place))
    return refuse(to, "a .git file may not lead out of the workspace", kAttack);
  if (!lies_in(target, {"modules", "worktrees"}))
    return refuse(to, "a .git file may only lead to a submodule or a worktree of a repository",
                  kAttack);
  if (holds_only_data(target + "/"))
    return refuse(to, "git keeps data there and no repository", kAttack);
  return target;
}

std::optional<GitRefusal> judge_commondir(std::string_view text, const GitPlace& place) {
  std::vector<std::string> parts = path::components(place.folder);
  std::string common = path::absolute("../..", place.folder);
  bool worktree = parts.size() > 2 && parts[parts.size() - 2] == "worktrees" &&
                  std::ranges::any_of(place.trees, [&](const std::string& tree) {
                    return path::is_beneath(common, tree);
                  });
  if (worktree && without_line_end(text) == "../..") return std::nullopt;
  return GitRefusal{"commondir", "it would lead git to the settings and hooks of another folder",
                    "CVE-2026-40068 and commondir pointing to planted settings"};
}

std::expected<std::string, GitRefusal> judge_worktree_gitdir(std::string_view text,
                                                             const GitPlace& place) {
  std::string_view to = without_line_end(text);
  std::string target = is_path(to) ? path::absolute(to, place.folder) : "";
  if (!is_within(target, place) || path::basename(target) != ".git" ||
      lies_in(target, {"modules", "worktrees"}))
    return refuse("gitdir", "a worktree may not lie outside the workspace",
                  "git worktree remove then empties another folder");
  return target;
}

}  // namespace ringwall::git
