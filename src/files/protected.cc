#include "files/protected.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"

namespace ringwall::files {
namespace {

constexpr std::string_view kGitPrefix = "GIT/";
constexpr std::string_view kGitFolder = ".git";

constexpr PackageFolder kPackageFolders[] = {
    {"node_modules", true},   {"bower_components", true},
    {"site-packages", true},  {"dist-packages", true},
    {"__pypackages__", true}, {".venv", true},
    {"venv", true},           {".tox", true},
    {".nox", true},           {".yarn/cache", true},
    {".pnpm-store", true},    {".bundle/ruby", true},
    {"go/pkg/mod", true},     {".cargo/registry", true},
    {".m2/repository", true}, {".gradle/caches", true},
    {"Pods", true},           {"vendor", false},
    {"target", false},
};

// Folders of git's own within a git folder: below them no submodule begins.
constexpr std::string_view kInsideGit[] = {"objects",      "refs",      "logs",    "info",
                                           "branches",     "hooks",     "lfs",     "rebase-merge",
                                           "rebase-apply", "sequencer", "modules", "worktrees"};

constexpr size_t kAboutAsMany = 256;  // patterns in the table: memory is asked for once

bool has_folder(std::string_view path, std::string_view folder) {
  for (size_t at = 0; (at = path.find(folder, at)) != std::string_view::npos; at++) {
    bool begins = at == 0 || path[at - 1] == '/';
    if (begins && at + folder.size() < path.size() && path[at + folder.size()] == '/') return true;
  }
  return false;
}

std::string_view first_of(std::string_view path) { return path.substr(0, path.find('/')); }

std::string_view after_first(std::string_view path) {
  size_t slash = path.find('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
}

// What follows the last folder called .git in `path`; nothing if there is none.
std::optional<std::string_view> within_git(std::string_view path) {
  std::optional<std::string_view> found;
  while (!path.empty()) {
    std::string_view rest = after_first(path);
    if (!rest.empty() && same_name(first_of(path), kGitFolder)) found = rest;
    path = rest;
  }
  return found;
}

bool is_inside_git(std::string_view name) {
  return std::any_of(std::begin(kInsideGit), std::end(kInsideGit),
                     [&](std::string_view folder) { return same_name(name, folder); });
}

// Of those, the ones in which a person opens a file: the list of a rebase, what is excluded.
constexpr std::string_view kOpened[] = {"info", "rebase-merge", "rebase-apply", "sequencer"};

// In what git itself fills, where a branch may be called like anything. A worktree that a tool put
// into .git is no such place.
bool is_gits_own(std::string_view path) {
  auto rest = within_git(path);
  if (!rest || !is_inside_git(first_of(*rest))) return false;
  return std::none_of(std::begin(kOpened), std::end(kOpened),
                      [&](std::string_view folder) { return same_name(first_of(*rest), folder); });
}

std::string list_of(std::span<const GitEntry> entries) {
  std::vector<std::string> names;
  for (const GitEntry& entry : entries)
    names.push_back(entry.pattern);
  return text::join(names, ", ");
}

// A folder is mounted as a whole, so nothing in it can be left out: the folder that `pattern` names
// a part of, or nullptr.
const NamePattern* folder_around(const NamePattern& pattern, const PatternSet& names) {
  std::string_view parts = pattern.parts();
  for (size_t slash = parts.find('/'); slash != parts.npos; slash = parts.find('/', slash + 1)) {
    if (auto around = names.match(parts.substr(0, slash), EntryKind::folder))
      return &names[*around];
  }
  return nullptr;
}

// How a person names what stands in a table: there "A/B" fits at any depth.
std::string as_person_writes(std::string_view text) {
  size_t slash = text.find('/');
  bool has_folder = slash != 0 && slash + 1 < text.size() && slash != std::string_view::npos;
  return (has_folder ? "**/" : "") + std::string(text);
}

std::string nearest_pattern(const NamePattern& pattern, const PatternSet& names) {
  std::vector<std::string> known;
  for (size_t i = 0; i < names.size(); i++)
    known.emplace_back(names[i].text());
  std::string nearest = text::nearest(pattern.text(), known);
  return nearest.empty() ? "docs/protected-files.md lists what is"
                         : "did you mean " + as_person_writes(nearest) + "?";
}

}  // namespace

std::span<const PackageFolder> package_folders() { return kPackageFolders; }

bool lies_in_packages(std::string_view path) {
  return std::any_of(std::begin(kPackageFolders), std::end(kPackageFolders),
                     [&](const PackageFolder& folder) { return has_folder(path, folder.name); });
}

bool lies_in_registry_packages(std::string_view path) {
  return std::any_of(std::begin(kPackageFolders), std::end(kPackageFolders),
                     [&](const PackageFolder& folder) {
                       return folder.is_from_registry && has_folder(path, folder.name);
                     });
}

bool is_gits_part(std::string_view relative) {
  return relative.find('/') == std::string_view::npos || is_inside_git(first_of(relative));
}

bool lies_in_git_folder(std::string_view path) {
  auto rest = within_git(path);
  return rest ? is_gits_part(*rest) : same_name(last_name(path), kGitFolder);
}

Status ProtectedNames::add(std::string_view pattern, const ProtectedEntry* entry) {
  bool in_git = pattern.starts_with(kGitPrefix);
  std::string_view text = in_git ? pattern.substr(kGitPrefix.size()) : pattern;
  auto parsed = entry == nullptr ? NamePattern::parse(text) : NamePattern::parse_table(text);
  Status added = parsed ? Status() : std::unexpected(parsed.error());
  if (parsed && in_git) added = add_in_git(pattern, *parsed, entry);
  if (!added) {
    added.error().what = "files.protect " + text::quote(pattern) + " " + added.error().what;
    return added;
  }
  if (in_git) return {};
  names_.add(std::move(*parsed));
  kept_.push_back({entry != nullptr && entry->in_packages, entry == nullptr,
                   entry == nullptr ? nullptr : entry->judge});
  return {};
}

Status ProtectedNames::add_in_git(std::string_view pattern, const NamePattern& parsed,
                                  const ProtectedEntry* entry) {
  if (pattern.find("**") != std::string_view::npos)
    return fail("has '**'", "GIT/ is followed by the name within the git folder");
  git_names_.add(parsed.last_alone());
  // rebase-merge, of rebase-merge/git-rebase-todo
  std::vector<NamePattern> on_the_way = parsed.beginnings();
  if (!on_the_way.empty()) git_names_.add(std::move(on_the_way.front()));
  GitEntry one{std::string(parsed.parts()), parsed.is_folder(),
               entry == nullptr ? Guard::mount : entry->guard, std::string(pattern)};
  git_.push_back(one);
  // A person's name without a slash at the end may be a folder's as well.
  one.is_folder = true;
  if (entry == nullptr && !parsed.is_folder()) git_.push_back(one);
  return {};
}

// True if nothing is left to do: "GIT/hooks/" goes out for every git folder. ".git/hooks/" is that
// of the workspace's top and must be among them.
Result<bool> ProtectedNames::take_out_of_git(const std::string& pattern, const std::string& name) {
  bool of_all = pattern.starts_with(kGitPrefix);
  if (!of_all && !pattern.starts_with(".git/")) return false;
  std::string_view relative = std::string_view(pattern).substr(pattern.find('/') + 1);
  if (relative.ends_with('/')) relative.remove_suffix(1);
  auto fitting = [&](const GitEntry& entry) { return same_name(entry.path, relative); };
  if (of_all && std::erase_if(git_, fitting) > 0) return true;
  if (std::any_of(git_.begin(), git_.end(), fitting)) {
    TRY_ASSIGN(NamePattern parsed, NamePattern::parse(pattern));
    unprotect_.add(parsed);
    return true;
  }
  for (const GitEntry& entry : git_) {
    if (entry.is_folder && relative.starts_with(entry.path + "/"))
      return fail(name + " lies in " + entry.pattern + ", which is protected as a whole");
  }
  if (of_all) return fail(name + " is not protected", "of git folders are: " + list_of(git_));
  return false;
}

// Takes an entry of git folders out, or notes a pattern that match() asks.
Status ProtectedNames::take_out(const std::string& pattern) {
  std::string name = "files.unprotect " + text::quote(pattern);
  auto parsed = NamePattern::parse(pattern);
  if (!parsed) {
    parsed.error().what = name + " " + parsed.error().what;
    return std::unexpected(parsed.error());
  }
  TRY_ASSIGN(bool is_done, take_out_of_git(pattern, name));
  if (is_done) return {};
  if (const NamePattern* around = folder_around(*parsed, names_)) {
    return fail(
        name + " lies in " + std::string(around->text()) + ", which is protected as a whole",
        "unprotect " + as_person_writes(around->text()));
  }
  // "fixtures/" takes out all that lies in it; a name alone must be one that is protected.
  bool known = parsed->is_folder();
  for (size_t i = 0; i < names_.size() && !known; i++)
    known = may_overlap(*parsed, names_[i]);
  if (!known) return fail(name + " is not protected", nearest_pattern(*parsed, names_));
  unprotect_.add(*parsed);
  return {};
}

void ProtectedNames::add_beginnings() {
  for (size_t i = 0; i < names_.size(); i++) {
    for (NamePattern& first : names_[i].beginnings()) {
      beginnings_.add(std::move(first));
      beginning_of_.push_back(i);
    }
  }
}

Result<ProtectedNames> ProtectedNames::compile(std::span<const std::string> protect,
                                               std::span<const std::string> unprotect,
                                               BelowTops below_tops) {
  ProtectedNames names;
  names.names_.reserve(kAboutAsMany);
  for (const ProtectedEntry& entry : protected_entries()) {
    if (entry.guard == Guard::content) continue;
    for (std::string_view pattern : text::split_in_place(entry.patterns, ' '))
      TRY(names.add(pattern, &entry));
  }
  for (const std::string& pattern : protect)
    TRY(names.add(pattern, nullptr));
  // Last: what the person protects is so whatever it says.
  for (const ProtectedEntry& entry : protected_entries()) {
    if (entry.guard != Guard::content) continue;
    for (std::string_view pattern : text::split_in_place(entry.patterns, ' ')) {
      if (std::ranges::find(protect, pattern) == protect.end()) TRY(names.add(pattern, &entry));
    }
  }
  names.below_tops_ = std::move(below_tops);
  for (const std::string& pattern : unprotect)
    TRY(names.take_out(pattern));
  names.add_beginnings();
  return names;
}

bool ProtectedNames::may_match(std::string_view last_component) const {
  return names_.may_match(last_component) || git_names_.may_match(last_component) ||
         beginnings_.may_match(last_component) || names_below_top(last_component);
}

bool ProtectedNames::names_below_top(std::string_view last_component) const {
  return std::ranges::any_of(below_tops_.names, [&](const BelowTop& one) {
    return same_name(last_name(one.path), last_component);
  });
}

ProtectedNames::Judge ProtectedNames::judge_of(std::string_view pattern) const {
  for (size_t i = 0; i < names_.size(); i++) {
    if (kept_[i].judge != nullptr && names_[i].text() == pattern) return kept_[i].judge;
  }
  return nullptr;
}

bool ProtectedNames::applies(const Kept& kept, std::string_view path) {
  if (kept.by_person) return true;
  return !is_gits_own(path) && (kept.in_packages || !lies_in_packages(path));
}

std::optional<std::string_view> ProtectedNames::match(std::string_view path, bool is_folder) const {
  return match_as(path, is_folder ? EntryKind::folder : EntryKind::file);
}

std::optional<std::string_view> ProtectedNames::match_as(std::string_view path,
                                                         EntryKind kind) const {
  auto found =
      names_.match(path, kind, [&](size_t number) { return applies(kept_[number], path); });
  if (found) return is_unprotected(path) ? std::nullopt : std::optional(names_[*found].text());
  if (!git_names_.may_match(last_name(path))) return std::nullopt;
  const GitEntry* entry = git_entry_at(path, kind == EntryKind::folder, false);
  if (entry == nullptr || entry->guard != Guard::mount || is_unprotected(path)) return std::nullopt;
  return entry->pattern;
}

std::optional<std::string_view> ProtectedNames::match_link(std::string_view path) const {
  if (auto pattern = match_as(path, EntryKind::link)) return pattern;
  auto found = beginnings_.match(path, EntryKind::link, [&](size_t number) {
    return applies(kept_[beginning_of_[number]], path);
  });
  const GitEntry* entry = found ? nullptr : git_entry_at(path, false, true);
  if ((!found && entry == nullptr) || is_unprotected(path)) return std::nullopt;
  return found ? names_[beginning_of_[*found]].text() : entry->pattern;
}

const GitEntry* ProtectedNames::entry_of(std::string_view relative, bool is_folder,
                                         bool is_link) const {
  for (const GitEntry& entry : git_) {
    if (fits(relative, entry.path) && (entry.is_folder || !is_folder)) return &entry;
    bool begins = relative.size() < entry.path.size() && entry.path[relative.size()] == '/' &&
                  same_name(relative, std::string_view(entry.path).substr(0, relative.size()));
    if (is_link && begins) return &entry;
  }
  return nullptr;
}

const GitEntry* ProtectedNames::match_in_git(std::string_view relative, bool is_folder) const {
  return entry_of(relative, is_folder, false);
}

// By the text of the path alone: .git/modules/NAME and .git/worktrees/NAME are git folders too, and
// the name of a submodule may have several parts.
const GitEntry* ProtectedNames::git_entry_at(std::string_view path, bool is_folder,
                                             bool is_link) const {
  std::string_view rest = within_git(path).value_or("");
  bool of_submodule = false;
  while (!rest.empty()) {
    if (const GitEntry* entry = entry_of(rest, is_folder, is_link)) return entry;
    std::string_view first = first_of(rest);
    if (same_name(first, "modules") || same_name(first, "worktrees")) {
      of_submodule = same_name(first, "modules");
      rest = after_first(after_first(rest));
    } else if (of_submodule && !is_inside_git(first)) {
      rest = after_first(rest);
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

std::string ProtectedNames::reason_for(std::string_view pattern) {
  for (const ProtectedEntry& entry : protected_entries()) {
    std::vector<std::string> patterns = text::split(entry.patterns, ' ');
    if (std::find(patterns.begin(), patterns.end(), pattern) != patterns.end())
      return "run or obeyed outside by: " + std::string(entry.runs);
  }
  return "protected by the policy";
}

std::string ProtectedNames::fingerprint() const {
  Fingerprint print;
  print.add(kPatternRules);
  for (size_t i = 0; i < names_.size(); i++) {
    print.add(names_[i].text());
    print.add(kept_[i].in_packages ? "in packages" : kept_[i].by_person ? "by person" : "");
    print.add(kept_[i].judge != nullptr ? "by content" : "");
  }
  for (const GitEntry& entry : git_)
    print.add(entry.pattern + std::to_string(static_cast<int>(entry.guard)));
  print.add("without");
  for (size_t i = 0; i < unprotect_.size(); i++)
    print.add(unprotect_[i].text());
  for (const PackageFolder& folder : kPackageFolders)
    print.add(folder.name);
  return print.hex();
}

}  // namespace ringwall::files
