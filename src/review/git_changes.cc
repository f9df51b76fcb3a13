#include "review/git_changes.h"

#include <fcntl.h>

#include <algorithm>
#include <array>

#include "base/file.h"
#include "base/git_keys.h"
#include "base/path.h"
#include "base/text.h"
#include "files/link_judge.h"
#include "git/config_judge.h"
#include "git/interrupted.h"
#include "git/vet.h"
#include "git/worktree_settings.h"

namespace ringwall::review {
namespace {

using changes::Change;
using changes::EntryType;
using files::GitEntry;
using files::Guard;

constexpr size_t kMostText = 1 << 20;
// What git obeys lies at most two deep, what hooks call a little deeper; modules and worktrees hold
// git folders of their own.
constexpr int kDeepestPart = 8;
constexpr std::array<std::string_view, 4> kLayout = {"HEAD", "objects", "refs", "commondir"};

std::string join(const std::string& folder, std::string_view name) {
  return folder.empty() ? std::string(name) : folder + "/" + std::string(name);
}

std::string parent_of(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

bool has_git_name(const std::string& path) {
  for (std::string_view rest = path; !rest.empty();) {
    size_t slash = rest.find('/');
    if (files::same_name(rest.substr(0, slash), ".git")) return true;
    rest = slash == rest.npos ? std::string_view() : rest.substr(slash + 1);
  }
  return false;
}

template <typename Judged>
std::string refusal_of(const Judged& judged) {
  return judged ? std::string() : judged.error().text();
}
std::string refusal_of(const std::optional<git::GitRefusal>& refusal) {
  return refusal ? refusal->text() : std::string();
}

}  // namespace

bool GitChanges::is_git_folder(const std::string& folder) {
  auto [known, is_new] = git_folders_.try_emplace(folder, false);
  if (!is_new) return known->second;
  auto has = [&](const char* name) { return view_.after(join(folder, name)).exists(); };
  bool is_one =
      has("HEAD") && files::is_git_layout(true, has("objects"), has("refs"), has("commondir"));
  git_folders_[folder] = is_one;
  return is_one;
}

GitChanges::Part GitChanges::find_named_part(const std::string& path, bool is_folder) const {
  if (!has_git_name(path)) return {};
  for (size_t end = path.find('/');; end = path.find('/', end + 1)) {
    bool is_whole = end == std::string::npos;
    std::string prefix = path.substr(0, end);
    const GitEntry* entry = names_.git_entry(prefix, is_whole ? is_folder : true);
    // In these lie git folders, whose parts come further down.
    if (entry != nullptr && entry->guard != Guard::folders) {
      size_t length = prefix.size() - entry->path.size();
      return {entry, prefix.substr(0, length == 0 ? 0 : length - 1),
              is_whole ? "" : path.substr(end + 1)};
    }
    if (is_whole) return {};
  }
}

GitChanges::Part GitChanges::find_bare_part(const std::string& path, bool is_folder) {
  std::string folder = path;
  for (int up = 0; up < kDeepestPart && !folder.empty(); up++) {
    folder = parent_of(folder);
    std::string relative = path.substr(folder.empty() ? 0 : folder.size() + 1);
    for (size_t end = relative.find('/');; end = relative.find('/', end + 1)) {
      bool is_whole = end == std::string::npos;
      const GitEntry* entry =
          names_.match_in_git(relative.substr(0, end), is_whole ? is_folder : true);
      if (entry != nullptr && entry->guard != Guard::folders && is_git_folder(folder))
        return {entry, folder, is_whole ? "" : relative.substr(end + 1)};
      if (is_whole) break;
    }
  }
  return {};
}

GitChanges::Part GitChanges::find_part(const Change& change, bool is_folder) {
  Part part = find_named_part(change.path, is_folder);
  return part.entry != nullptr ? part : find_bare_part(change.path, is_folder);
}

GitVerdict GitChanges::judge(const Change& change) {
  if (names_.is_unprotected(change.path)) return {};
  std::string_view name = files::last_name(change.path);
  if (files::same_name(name, ".git") && change.after.type != EntryType::folder &&
      change.after.exists())
    return {true, judge_git_link(change)};
  bool is_folder = (change.after.exists() ? change.after : change.before).type == EntryType::folder;
  Part part = find_part(change, is_folder);
  std::string why = part.entry != nullptr ? judge_part(change, part) : "";
  bool may_complete = std::ranges::find(kLayout, name) != kLayout.end() && change.after.exists();
  if (why.empty() && may_complete) why = judge_completion(change);
  if (why.empty() && part.entry == nullptr && change.after.type == EntryType::link &&
      leads_git_away(change))
    why = "it is no ordinary file";
  if (why.empty()) why = judge_odd(change);
  return {part.entry != nullptr || !why.empty(), why};
}

// git writes and reads through links, and waits for what is no file.
std::string GitChanges::judge_odd(const Change& change) {
  EntryType type = change.after.type;
  if (!change.after.exists() || type == EntryType::file || type == EntryType::folder ||
      !lies_in_git(change.path))
    return "";
  if (type != EntryType::link) return "it is neither a file nor a folder: git waits for it";
  return files::judge_link_in_git(change.path,
                                  read_link_in(view_.layer().upper, change.path).value_or(""));
}

bool GitChanges::lies_in_git(const std::string& path) {
  if (files::lies_in_git_folder(path)) return true;
  std::string folder = path;
  for (int up = 0; up < kDeepestPart && !folder.empty(); up++) {
    folder = parent_of(folder);
    std::string relative = path.substr(folder.empty() ? 0 : folder.size() + 1);
    if (files::is_gits_part(relative) && is_git_folder(folder)) return true;
  }
  return false;
}

// In a git folder, in the place of a folder on the way to what git obeys.
bool GitChanges::leads_git_away(const Change& change) {
  std::string_view name = files::last_name(change.path);
  bool is_on_the_way = std::ranges::any_of(names_.git_entries(), [&](const GitEntry& entry) {
    return files::same_name(name, std::string_view(entry.path).substr(0, entry.path.find('/')));
  });
  return is_on_the_way && is_git_folder(parent_of(change.path));
}

std::string GitChanges::judge_part(const Change& change, const Part& part) const {
  if (!change.after.exists()) {
    // Who removes the whole repository, or ends a rebase, leads nobody elsewhere.
    bool ends = part.entry->guard == Guard::vetted || change.before.type == EntryType::folder ||
                !view_.after(join(part.folder, "HEAD")).exists();
    return ends ? "" : "it is gone in the result";
  }
  if (change.after.type == EntryType::folder) return "";  // what lies in it is judged by itself
  if (change.after.type != EntryType::file) return "it is no ordinary file";
  if (!part.below.empty()) {
    bool is_hook = part.entry->path == "hooks" && part.below.find('/') == std::string::npos;
    if (is_hook) return refusal_of(git::judge_hook(part.below));
    return files::ProtectedNames::reason_for(part.entry->pattern);
  }
  if (part.entry->is_folder) return "";  // git wants a folder there, and ignores a file
  return judge_file(change.path, *part.entry);
}

std::string GitChanges::judge_file(const std::string& path, const GitEntry& entry) const {
  if (entry.path == "index" || entry.path == "sharedindex.*") return judge_index(path);
  const LayerView& layer = view_.layer();
  auto text = read_text_in(layer.upper, path, kMostText);
  if (!text) return text.error().text();
  bool is_config = entry.path == "config" || entry.path == "config.worktree";
  if (!is_config || view_.before(path).type != EntryType::file)
    return judge_text(path, entry, *text);
  // What the person has there may stay as it is.
  auto old = read_text_in(layer.real, path, kMostText);
  if (!old) return old.error().text();
  if (*old == *text) return "";
  return judge_config(path, *old, *text);
}

// What the person has staged, and a new worktree takes over, is no news.
std::string GitChanges::judge_index(const std::string& path) const {
  auto now = read_text_in(view_.layer().upper, path, broker::kMostIndex);
  if (!now) return now.error().text();
  auto look = broker::look_into_index(*now, names_, broker::folder_of_files(path));
  if (!look.why.empty()) return look.why;
  if (!look.below.empty()) {
    auto below =
        read_text_in(view_.layer().upper, join(parent_of(path), look.below), broker::kMostIndex);
    if (!below)
      below =
          read_text_in(view_.layer().real, join(parent_of(path), look.below), broker::kMostIndex);
    if (below)
      look.staged.merge(
          broker::look_into_index(*below, names_, broker::folder_of_files(path), look.replacing)
              .staged);
  }
  if (look.staged.empty()) return "";
  broker::KnownStaged known;
  for (const std::string& index : {path, join(parent_of(path), "index"), std::string(".git/index")})
    add_staged(index, known);
  std::string names = broker::name_staged(look, known);
  return names.empty() ? "" : "git checkout outside would write what the run has staged: " + names;
}

// Of the index that lies there now, with what lies below it.
void GitChanges::add_staged(const std::string& index, broker::KnownStaged& known) const {
  auto bytes = read_text_in(view_.layer().real, index, broker::kMostIndex);
  if (!bytes) return;
  auto look = broker::look_into_index(*bytes, names_, broker::folder_of_files(index));
  for (auto& [path, file] : look.staged)
    known.emplace(path, std::move(file.what));
  if (!look.below.empty() && files::last_name(index) == "index")
    add_staged(join(parent_of(index), look.below), known);
}

// Where the file will lie, once all is applied; a link on the way counts as it will be then.
git::GitPlace GitChanges::place_of(const std::string& path) const {
  const LayerView& layer = view_.layer();
  auto leads_away = [this](const std::string& whole) {
    const std::string& top = view_.layer().path;
    bool is_here = whole != top && path::is_beneath(whole, top);
    return is_here ? view_.after(whole.substr(top.size() + 1)).type == EntryType::link
                   : git::is_link(whole);
  };
  return {path::parent(path::join(layer.path, path)), layer.trees, {}, leads_away};
}

// What git writes every day may pass; where pushes go is for the person to see first.
std::string GitChanges::judge_config(const std::string& path, const std::string& old,
                                     const std::string& text) const {
  auto was = git::parse_git_config(old), wanted = git::parse_git_config(text);
  if (!was || !wanted) return "it cannot be read as git reads it";
  std::string folder = parent_of(path);
  auto real = file::open_beneath(view_.layer().real, folder.empty() ? "." : folder,
                                 O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  git::GitScene scene{place_of(path), {}, real ? git::read_branches(real->get()) : std::nullopt};
  scene.is_of_worktree = files::last_name(path) == git::kWorktreeConfig;
  auto judged = git::judge_git_config(*was, *was, *wanted, scene);
  if (!judged) return judged.error().text();
  if (!judged->added.empty())
    return std::string(judged->added[0].is_submodule ? "it has git fetch the submodule "
                                                     : "it adds the git remote ") +
           text::quote(judged->added[0].name) + ": " + text::quote(judged->added[0].address);
  for (const std::string& key : judged->changed) {
    if (key == git::kReadsWorktreeConfig) return "it makes git read config.worktree";
    git::Key parts = git::split_key(key);
    bool leads = parts.section == "branch" && parts.variable == "remote" && parts.subsection;
    bool is_new = leads && scene.branches && !scene.branches->contains(*parts.subsection);
    if (leads && !is_new)
      return "it changes the remote of the branch " + text::quote(*parts.subsection);
  }
  return "";
}

// Of a file that is new as a part of a git folder.
std::string GitChanges::judge_text(const std::string& path, const GitEntry& entry,
                                   const std::string& text) const {
  git::GitPlace place = place_of(path);
  if (text.empty()) return "";
  if (entry.path == "config") return judge_new_config(path, text, place);
  if (entry.path == "config.worktree") return refusal_of(git::judge_worktree_config(text, place));
  if (entry.path == "commondir") return refusal_of(git::judge_commondir(text, place));
  if (entry.path == "gitdir") return refusal_of(git::judge_worktree_gitdir(text, place));
  if (auto judge = git::judge_of_interrupted(entry.path)) return refusal_of(judge(text));
  return files::ProtectedNames::reason_for(entry.pattern);
}

std::string GitChanges::judge_new_config(const std::string& path, const std::string& text,
                                         const git::GitPlace& place) const {
  auto judged = git::judge_new_config(text, place);
  if (!judged) return judged.error().text();
  std::string folder = parent_of(path);
  bool may_wake =
      judged->reads_worktree_config && (view_.before(join(folder, git::kWorktreeConfig)).exists() ||
                                        view_.before(join(folder, "worktrees")).exists());
  return may_wake ? "it makes git read config.worktree, which was there before" : "";
}

// A ".git" that is no folder leads git to one.
std::string GitChanges::judge_git_link(const Change& change) const {
  if (change.after.type != EntryType::file) return "it is no ordinary file";
  auto text = read_text_in(view_.layer().upper, change.path, kMostText);
  if (!text) return text.error().text();
  git::GitPlace place = place_of(change.path);
  return text->empty() ? "" : refusal_of(git::judge_git_file(*text, place));
}

// HEAD and its like can make a git folder of one that already holds a config and hooks.
std::string GitChanges::judge_completion(const Change& change) {
  std::string folder = parent_of(change.path);
  if (files::same_name(files::last_name(folder), ".git") || !is_git_folder(folder)) return "";
  for (const GitEntry& entry : names_.git_entries()) {
    std::string why = judge_resting(folder, entry);
    if (!why.empty())
      return "it makes a git folder of this one, whose " + entry.path + " git then obeys: " + why;
  }
  return "";
}

// What lies there and is no change itself: that would be judged by its own name.
std::string GitChanges::judge_resting(const std::string& folder, const GitEntry& entry) const {
  std::string path = join(folder, entry.path);
  changes::EntryFacts facts = view_.after(path);
  if (entry.guard == Guard::folders || !facts.exists()) return "";
  if (facts.type == EntryType::folder) {
    for (const std::string& name : view_.list(path)) {
      if (!entry.is_folder || view_.change_at(join(path, name)) != nullptr) continue;
      auto refused = git::judge_hook(name);
      if (entry.path != "hooks" || refused)
        return refused ? refused->text() : files::ProtectedNames::reason_for(entry.pattern);
    }
    return "";
  }
  if (view_.change_at(path) != nullptr) return "";
  if (facts.type != EntryType::file) return "it is no ordinary file";
  if (entry.is_folder) return "";
  auto text = read_text_in(view_.layer().real, path, kMostText);
  return text ? judge_text(path, entry, *text) : text.error().text();
}

}  // namespace ringwall::review
