// Judges changes in git folders of any name: what git itself writes may pass, what can run or
// redirect something outside is told. A folder may be a git folder only in the result.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "broker/staged_files.h"
#include "files/protected.h"
#include "git/place.h"
#include "review/outside_view.h"

namespace ringwall::review {

struct GitVerdict {
  bool is_git_part = false;  // one of those parts of a git folder that git obeys
  std::string why;           // empty: harmless
};

class GitChanges {
 public:
  GitChanges(const ResultView& view, const files::ProtectedNames& names)
      : view_(view), names_(names) {}

  GitVerdict judge(const changes::Change& change);

 private:
  // A part of a git folder: "hooks" of ".git", with "pre-commit" below it.
  struct Part {
    const files::GitEntry* entry = nullptr;
    std::string folder;  // the git folder
    std::string below;   // within the entry, if that is a folder; empty: the entry itself
  };

  Part find_part(const changes::Change& change, bool is_folder);
  Part find_named_part(const std::string& path, bool is_folder) const;
  Part find_bare_part(const std::string& path, bool is_folder);
  bool is_git_folder(const std::string& folder);
  std::string judge_odd(const changes::Change& change);
  bool lies_in_git(const std::string& path);
  bool leads_git_away(const changes::Change& change);
  std::string judge_part(const changes::Change& change, const Part& part) const;
  std::string judge_file(const std::string& path, const files::GitEntry& entry) const;
  std::string judge_new_config(const std::string& path, const std::string& text,
                               const git::GitPlace& place) const;
  std::string judge_index(const std::string& path) const;
  void add_staged(const std::string& index, broker::KnownStaged& known) const;
  std::string judge_config(const std::string& path, const std::string& old,
                           const std::string& text) const;
  git::GitPlace place_of(const std::string& path) const;
  std::string judge_text(const std::string& path, const files::GitEntry& entry,
                         const std::string& text) const;
  std::string judge_git_link(const changes::Change& change) const;
  std::string judge_completion(const changes::Change& change);
  std::string judge_resting(const std::string& folder, const files::GitEntry& entry) const;

  const ResultView& view_;
  const files::ProtectedNames& names_;
  std::unordered_map<std::string, bool> git_folders_;
};

}  // namespace ringwall::review
