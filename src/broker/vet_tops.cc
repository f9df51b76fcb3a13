// Names that count by what stands around them or by what they say: files that git's settings mean
// in every working tree, core.worktree of a submodule, and files that ordinary work writes.
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "broker/vet.h"
#include "git/vet.h"

namespace ringwall::broker {
namespace {

using files::BelowTop;

constexpr std::string_view kGit = ".git";

bool begins_with_folder(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path[folder.size()] == '/' &&
         files::same_name(path.substr(0, folder.size()), folder);
}

// `rest` lies below the top of a working tree.
bool is_meant(std::string_view rest, const BelowTop& name, bool is_link) {
  return files::same_name(rest, name.path) ||
         (name.is_folder && begins_with_folder(rest, name.path)) ||
         (is_link && begins_with_folder(name.path, rest));
}

// Every folder that could be the top, from the highest: where its name begins in the path.
template <typename Visit>
bool any_top(std::string_view path, Visit visit) {
  for (size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    if (visit(path.substr(0, slash), path.substr(slash + 1))) return true;
  }
  return false;
}

std::string join(std::string_view folder, std::string_view name) {
  return folder.empty() ? std::string(name) : std::string(folder) + "/" + std::string(name);
}

}  // namespace

bool Vetter::may_lie_below_top(std::string_view path) const {
  const auto& names = names_.below_tops().names;
  return !names.empty() && any_top(path, [&](std::string_view, std::string_view rest) {
    return std::ranges::any_of(names,
                               [&](const BelowTop& name) { return is_meant(rest, name, false); });
  });
}

// One that has come since the start: in the others patterns of their own hold.
bool Vetter::is_new_top(size_t tree, const std::string& folder, bool of_worktrees) {
  const auto& known = names_.below_tops().known;
  std::string whole = trees_[tree].whole(folder);
  if (known.contains(whole) || known.contains(path::join(whole, kGit))) return false;
  auto opened = open_folder(tree, folder);
  struct stat facts;
  if (!opened) return false;
  if (fstatat(opened->get(), ".git", &facts, AT_SYMLINK_NOFOLLOW) == 0)
    return S_ISREG(facts.st_mode) || (S_ISDIR(facts.st_mode) && !of_worktrees);
  return !of_worktrees && is_bare_folder(tree, folder);
}

// A checkout brings what the person has at the top, where nobody inside can change it.
bool Vetter::says_the_same(const Met& met, std::string_view rest) {
  bool is_kept = names_.match(rest, false).has_value();
  for (size_t slash = rest.find('/'); slash != rest.npos && !is_kept;
       slash = rest.find('/', slash + 1))
    is_kept = names_.match(rest.substr(0, slash), true).has_value();
  if (!is_kept || met.type != S_IFREG) return false;
  auto text = read(met);
  if (!text) return false;
  passed_.emplace(met.tree, met.path);
  if (text->empty()) return true;  // not written to yet
  auto wanted = read({met.tree, std::string(rest), S_IFREG});
  return wanted && *text == *wanted;
}

std::optional<Culprit> Vetter::judge_below_top(const Met& met) {
  const auto& names = names_.below_tops().names;
  if (names.empty() || met.type == S_IFDIR || names_.is_unprotected(met.path)) return std::nullopt;
  std::optional<Culprit> culprit;
  any_top(met.path, [&](std::string_view top, std::string_view rest) {
    for (const BelowTop& name : names) {
      if (!is_meant(rest, name, met.type == S_IFLNK) ||
          !is_new_top(met.tree, std::string(top), name.of_worktrees) || says_the_same(met, rest))
        continue;
      culprit = Culprit{met.tree, met.path, name.path + (name.is_folder ? "/" : ""),
                        "git's settings name it, in every working tree: git outside runs or obeys "
                        "it there"};
      return true;
    }
    return false;
  });
  return culprit;
}

// What lies there may have come before.
void Vetter::look_below_top(const Place& git) {
  if (!files::same_name(path::basename(git.path), kGit)) return;
  std::string top = files::parent_of(git.path);
  for (const BelowTop& name : names_.below_tops().names) {
    for (size_t slash = name.path.find('/');; slash = name.path.find('/', slash + 1)) {
      waiting_.insert({git.below + 1, git.tree, join(top, name.path.substr(0, slash))});
      if (slash == std::string::npos) break;
    }
  }
}

// Git checks out there what the submodule's commits hold, so it must be the submodule's own folder:
// CVE-2018-11235 and later ones wrote hooks by it.
std::string Vetter::judge_worktree(const Met& config, const std::string& target) {
  constexpr const char* kElsewhere = "core.worktree leads to a folder that is not the submodule's";
  for (size_t i = 0; i < trees_.size(); i++) {
    if (target == trees_[i].path || !path::is_beneath(target, trees_[i].path)) continue;
    std::string folder = trees_[i].relative(target);
    for (size_t slash = folder.find('/');; slash = folder.find('/', slash + 1)) {
      if (names_.match(folder.substr(0, slash), true)) return kElsewhere;
      if (slash == std::string::npos) break;
    }
    struct stat facts;
    auto opened = file::open_beneath(trees_[i].folder.get(), folder,
                                     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    // Removed with its files, or not checked out yet.
    if (!opened && files::is_gone(opened.error())) return "";
    if (!opened) return kElsewhere;
    if (fstatat(opened->get(), ".git", &facts, AT_SYMLINK_NOFOLLOW) < 0) {
      bool is_empty = true;
      Status listed =
          reader_.read(opened->get(), [&](const FolderReader::Entry&) { is_empty = false; });
      return listed && is_empty ? "" : kElsewhere;
    }
    auto text = read({i, join(folder, kGit), S_IFREG});
    if (!text) return kElsewhere;
    auto leads = git::judge_git_file(*text, {target, tree_paths_, {}});
    return leads && *leads == path::parent(absolute(config)) ? "" : kElsewhere;
  }
  return kElsewhere;
}

std::optional<Culprit> Vetter::judge_content(const Met& met, const std::string& rule) {
  if (met.type == S_IFLNK) {
    // What lies there under the same name is judged by itself.
    std::string target = link_target(met);
    bool is_judged = files::same_name(path::basename(target), path::basename(met.path)) &&
                     !files::lies_in_packages(path::absolute(target, "/"));
    if (!is_judged) return Culprit{met.tree, met.path, rule, names_.reason_for(rule)};
  }
  if (met.type != S_IFREG) return judge_unnamed(met);
  auto text = read(met);
  std::string why = text ? names_.judge(rule, *text) : text.error().text();
  if (!why.empty()) return Culprit{met.tree, met.path, rule, why};
  passed_.emplace(met.tree, met.path);
  return std::nullopt;
}

std::string Vetter::link_target(const Met& met) {
  auto parent = files::open_parent(trees_[met.tree], met.path);
  char buffer[PATH_MAX];
  std::string name(path::basename(met.path));
  ssize_t length = parent ? readlinkat(parent->get(), name.c_str(), buffer, sizeof buffer) : -1;
  return length < 0 ? "" : std::string(buffer, static_cast<size_t>(length));
}

}  // namespace ringwall::broker
