// Protected files: what a program outside runs or obeys later, without being asked, so that whoever
// can write it can leave the sandbox. One table with a reason for each; docs/protected-files.md is
// made from it. Which names are matched is decided here; who mounts, watches and vets is elsewhere.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "files/name_pattern.h"

namespace ringwall::files {

// How a protected name is kept.
enum class Guard {
  mount,    // read-only if it is there at the start; vetted by content if it appears
  vetted,   // git inside must write it: vetted by content whenever it changes
  folders,  // each folder below is a git folder of its own, with the same entries
  content,  // ordinary work writes it: read-only at the start, and vetted whenever it changes, only
            // if something runs by what it says
};

struct ProtectedEntry {
  std::string_view patterns;  // separated by spaces; "GIT/x" is relative to any git folder
  std::string_view owner;     // "git", "Claude Code", ...: a heading in the docs
  std::string_view runs;      // who outside runs it, and when
  std::string_view attack;    // the attack or CVE behind it, in a few words
  bool in_packages = false;   // also below folders that package managers fill
  Guard guard = Guard::mount;
  // Of Guard::content: why something runs by a file that says this; empty: nothing does.
  std::string (*judge)(std::string_view text) = nullptr;
};
std::span<const ProtectedEntry> protected_entries();

// What git's settings name relative to the top of a working tree. In those of the start it is
// protected by patterns of files.protect; others may come.
struct BelowTop {
  std::string path;           // "scripts/hooks"
  bool is_folder;             // with all that lies in it
  bool of_worktrees = false;  // only where ".git" is a file: in worktrees of a known repository
};
struct BelowTops {
  std::vector<BelowTop> names;
  std::set<std::string> known;  // the ".git" of the start, absolute
};

// What might be expected in the table and is not, for the docs.
struct LeftOut {
  std::string_view what;
  std::string_view why;
};
std::span<const LeftOut> left_unprotected();

// Folders that package managers and builds fill. Nobody opens a package as a project, and packages
// bring settings of their authors in such numbers that guarding them would break installing.
struct PackageFolder {
  std::string_view name;
  bool is_from_registry;  // holds nothing of the person's own, not even copies
};
std::span<const PackageFolder> package_folders();
bool lies_in_packages(std::string_view path);
bool lies_in_registry_packages(std::string_view path);

// A part of a git folder, by its path within that: not what lies in a folder of another's there,
// such as a worktree that a tool has put into it.
bool is_gits_part(std::string_view relative);
// The same of a path that leads through folders named .git; such a folder itself counts.
bool lies_in_git_folder(std::string_view path);

// A name within a git folder.
struct GitEntry {
  std::string path;  // "hooks", "rebase-merge/git-rebase-todo"
  bool is_folder;
  Guard guard;
  std::string pattern;  // "GIT/hooks/"
};

// Any folder that git would take for a git folder, whatever its name: HEAD with objects and refs,
// or HEAD with a commondir that leads to those of another (seen with git 2.39).
inline bool is_git_layout(bool head, bool objects, bool refs, bool commondir) {
  return head && (commondir || (objects && refs));
}

class ProtectedNames {  // the table and files.protect, without files.unprotect
 public:
  static Result<ProtectedNames> compile(std::span<const std::string> protect,
                                        std::span<const std::string> unprotect,
                                        BelowTops below_tops = {});

  // Quick: could a path with this last component match at all? For every entry of a walk.
  bool may_match(std::string_view last_component) const;

  // `path` is relative to the workspace; a link is not a folder. The pattern that matches, or
  // nothing. A folder is matched itself; what lies in it is covered with it. Within a folder named
  // .git the entries of a git folder apply, those of Guard::mount only.
  std::optional<std::string_view> match(std::string_view path, bool is_folder) const;

  // For symbolic links, what match() says and more: a link called .claude puts a settings file of
  // any name in the place of .claude/settings.json, so the beginnings of longer patterns match too.
  std::optional<std::string_view> match_link(std::string_view path) const;

  // The entry of a git folder that `path` is, by the names of the folders above it alone.
  const GitEntry* git_entry(std::string_view path, bool is_folder) const {
    return git_entry_at(path, is_folder, false);
  }

  // A pattern of Guard::content: what matches it is protected only if judge() says why. A folder or
  // a link with such a name is none.
  bool is_by_content(std::string_view pattern) const { return judge_of(pattern) != nullptr; }
  std::string judge(std::string_view pattern, std::string_view text) const {
    return judge_of(pattern)(text);
  }

  const BelowTops& below_tops() const { return below_tops_; }
  void know_git_folders(const std::vector<std::string>& git_folders) {
    below_tops_.known.insert(git_folders.begin(), git_folders.end());
  }

  // Who runs what falls under this pattern, for the person.
  static std::string reason_for(std::string_view pattern);

  // Within any git folder (".git", a bare layout, modules/X, worktrees/X).
  std::span<const GitEntry> git_entries() const { return git_; }
  // `relative` to the git folder.
  const GitEntry* match_in_git(std::string_view relative, bool is_folder) const;

  // Exempted by files.unprotect, as a whole or with a folder above.
  bool is_unprotected(std::string_view path) const {
    return unprotect_.covers(path, EntryKind::folder);
  }

  std::string fingerprint() const;  // changes when the rules change

 private:
  using Judge = std::string (*)(std::string_view text);
  Status add(std::string_view pattern, const ProtectedEntry* entry);
  Judge judge_of(std::string_view pattern) const;
  bool names_below_top(std::string_view last_component) const;
  Status add_in_git(std::string_view pattern, const NamePattern& parsed,
                    const ProtectedEntry* entry);
  Status take_out(const std::string& pattern);
  Result<bool> take_out_of_git(const std::string& pattern, const std::string& name);
  std::optional<std::string_view> match_as(std::string_view path, EntryKind kind) const;
  void add_beginnings();
  const GitEntry* git_entry_at(std::string_view path, bool is_folder, bool is_link) const;
  const GitEntry* entry_of(std::string_view relative, bool is_folder, bool is_link) const;

  struct Kept {
    bool in_packages;
    bool by_person;  // files.protect applies everywhere
    Judge judge = nullptr;
  };
  static bool applies(const Kept& kept, std::string_view path);

  PatternSet names_;
  std::vector<Kept> kept_;  // beside names_
  PatternSet beginnings_;   // of names_ with several parts, for links
  std::vector<size_t> beginning_of_;
  PatternSet unprotect_;
  std::vector<GitEntry> git_;
  PatternSet git_names_;  // the last parts of git_, for may_match
  BelowTops below_tops_;
};

}  // namespace ringwall::files
