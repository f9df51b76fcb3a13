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

// In what git itself fills, where a branch may be called like anything. A worktree that a tool put
// into .git is no such place.
bool is_gits_own(std::string_view path) {
  auto rest = within_git(path);
  return rest && is_inside_git(first_of(*rest));
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
  auto parts = pattern.parts();
  std::string path;
  for (size_t i = 0; i + 1 < parts.size(); i++) {
    path += (path.empty() ? "" : "/") + parts[i];
    auto around = names.match(path, true);
    if (around && names[*around].is_folder()) return &names[*around];
  }
  return nullptr;
}

std::string nearest_pattern(const NamePattern& pattern, const PatternSet& names) {
  std::vector<std::string> known;
  for (size_t i = 0; i < names.size(); i++)
    known.push_back(names[i].text());
  std::string nearest = text::nearest(pattern.text(), known);
  return nearest.empty() ? "docs/protected-files.md lists what is"
                         : "did you mean " + nearest + "?";
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

Status ProtectedNames::add(std::string_view pattern, const ProtectedEntry* entry) {
  bool in_git = pattern.starts_with(kGitPrefix);
  auto parsed = NamePattern::parse(in_git ? pattern.substr(kGitPrefix.size()) : pattern);
  if (!parsed) {
    parsed.error().what = "files.protect " + text::quote(pattern) + " " + parsed.error().what;
    return std::unexpected(parsed.error());
  }
  if (!in_git) {
    names_.add(*parsed);
    kept_.push_back({entry != nullptr && entry->in_packages, entry == nullptr});
    return {};
  }
  git_names_.add(*NamePattern::parse(parsed->parts().back()));
  git_.push_back({text::join(parsed->parts(), "/"), parsed->is_folder(),
                  entry == nullptr ? Guard::mount : entry->guard, std::string(pattern)});
  return {};
}

// Takes an entry of git folders out, or notes a pattern that match() asks.
Status ProtectedNames::take_out(const std::string& pattern) {
  std::string name = "files.unprotect " + text::quote(pattern);
  auto parsed = NamePattern::parse(pattern);
  if (!parsed) {
    parsed.error().what = name + " " + parsed.error().what;
    return std::unexpected(parsed.error());
  }
  bool of_git = pattern.starts_with(kGitPrefix);
  if (of_git || pattern.starts_with(".git/")) {
    std::string_view relative = std::string_view(pattern).substr(pattern.find('/') + 1);
    if (relative.ends_with('/')) relative.remove_suffix(1);
    auto fitting = [&](const GitEntry& entry) { return same_name(entry.path, relative); };
    if (std::erase_if(git_, fitting) > 0) return {};
    for (const GitEntry& entry : git_) {
      if (entry.is_folder && relative.starts_with(entry.path + "/"))
        return fail(name + " lies in " + entry.pattern + ", which is protected as a whole");
    }
    if (of_git) return fail(name + " is not protected", "of git folders are: " + list_of(git_));
  }
  if (const NamePattern* around = folder_around(*parsed, names_)) {
    return fail(name + " lies in " + around->text() + ", which is protected as a whole",
                "unprotect " + around->text());
  }
  // "fixtures/" takes out all that lies in it; a name alone must be one that is protected.
  bool known = parsed->is_folder();
  for (size_t i = 0; i < names_.size() && !known; i++)
    known = may_overlap(*parsed, names_[i]);
  if (!known) return fail(name + " is not protected", nearest_pattern(*parsed, names_));
  // It need not be remembered whether the table says file or folder.
  unprotect_.add(parsed->is_folder() ? *parsed : *NamePattern::parse(pattern + "/"));
  return {};
}

void ProtectedNames::add_beginnings() {
  for (size_t i = 0; i < names_.size(); i++) {
    std::string beginning = names_[i].is_anchored() ? "/" : "";
    auto parts = names_[i].parts();
    for (size_t part = 0; part + 1 < parts.size(); part++) {
      beginning += (part == 0 ? "" : "/") + parts[part];
      beginnings_.add(*NamePattern::parse(beginning));
      beginning_of_.push_back(i);
    }
  }
  for (size_t i = 0; i < git_.size(); i++) {
    // rebase-merge, of rebase-merge/git-rebase-todo
    if (git_[i].path.find('/') != std::string::npos)
      git_names_.add(*NamePattern::parse(first_of(git_[i].path)));
  }
}

Result<ProtectedNames> ProtectedNames::compile(std::span<const std::string> protect,
                                               std::span<const std::string> unprotect) {
  ProtectedNames names;
  for (const ProtectedEntry& entry : protected_entries()) {
    for (const std::string& pattern : text::split(entry.patterns, ' '))
      TRY(names.add(pattern, &entry));
  }
  for (const std::string& pattern : protect)
    TRY(names.add(pattern, nullptr));
  for (const std::string& pattern : unprotect)
    TRY(names.take_out(pattern));
  names.add_beginnings();
  return names;
}

bool ProtectedNames::may_match(std::string_view last_component) const {
  return names_.may_match(last_component) || git_names_.may_match(last_component) ||
         beginnings_.may_match(last_component);
}

bool ProtectedNames::applies(const Kept& kept, std::string_view path) {
  if (kept.by_person) return true;
  return !is_gits_own(path) && (kept.in_packages || !lies_in_packages(path));
}

const std::string* ProtectedNames::match(std::string_view path, bool is_folder) const {
  auto found =
      names_.match(path, is_folder, [&](size_t number) { return applies(kept_[number], path); });
  if (found) return is_unprotected(path) ? nullptr : &names_[*found].text();
  if (!git_names_.may_match(last_name(path))) return nullptr;
  const GitEntry* entry = git_entry_at(path, is_folder, false);
  if (entry == nullptr || entry->guard != Guard::mount || is_unprotected(path)) return nullptr;
  return &entry->pattern;
}

const std::string* ProtectedNames::match_link(std::string_view path) const {
  if (const std::string* pattern = match(path, false)) return pattern;
  auto found = beginnings_.match(
      path, false, [&](size_t number) { return applies(kept_[beginning_of_[number]], path); });
  if (found) return is_unprotected(path) ? nullptr : &names_[beginning_of_[*found]].text();
  const GitEntry* entry = git_entry_at(path, false, true);
  return entry == nullptr || is_unprotected(path) ? nullptr : &entry->pattern;
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
  for (size_t i = 0; i < names_.size(); i++) {
    print.add(names_[i].text());
    print.add(kept_[i].in_packages ? "in packages" : kept_[i].by_person ? "by person" : "");
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
