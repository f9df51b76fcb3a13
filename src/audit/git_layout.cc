#include "audit/git_layout.h"

#include "files/name_pattern.h"

namespace ringwall::audit {

bool is_in_git_folder(std::string_view path) {
  return path == ".git" || path.starts_with(".git/") || path.ends_with("/.git") ||
         path.contains("/.git/");
}

bool is_bulk_of_git(std::string_view path) {
  std::string_view name = files::last_name(path);
  for (std::string_view bulk : {"objects", "refs", "logs", "lfs"}) {
    if (name == bulk) return true;
  }
  return false;
}

FileCheck git_check_of(std::string_view path, bool in_layout) {
  std::string_view name = files::last_name(path);
  bool may_be = in_layout || name == ".git" || path.contains(".git/");
  if (!may_be) return nullptr;
  std::string_view folder =
      path.size() > name.size() ? path.substr(0, path.size() - name.size() - 1) : "";
  if (name == ".git") return check_git_file;
  std::string_view around = files::last_name(folder);
  bool is_git = in_layout || around == ".git";
  if (is_git && (name == "config" || name == "config.worktree")) return check_git_config;
  if (is_git && name == "commondir") return check_git_redirect;
  bool is_hook = around == "hooks" && is_in_git_folder(folder) && !name.ends_with(".sample");
  return is_hook ? check_git_hook : nullptr;
}

}  // namespace ringwall::audit
