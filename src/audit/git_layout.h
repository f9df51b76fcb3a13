// Folders of git within a repository: which folder is one, and which of its files matter.
#pragma once

#include <string>
#include <string_view>

#include "audit/checks.h"
#include "files/protected.h"

namespace ringwall::audit {

// What a folder holds, of what makes git take it for a repository.
class GitLayout {
 public:
  void note(std::string_view name) {
    head_ = head_ || name == "HEAD";
    objects_ = objects_ || name == "objects";
    refs_ = refs_ || name == "refs";
    commondir_ = commondir_ || name == "commondir";
  }
  bool is_git() const { return files::is_git_layout(head_, objects_, refs_, commondir_); }

 private:
  bool head_ = false, objects_ = false, refs_ = false, commondir_ = false;
};

// A folder named .git, or what lies in one.
bool is_in_git_folder(std::string_view path);

// Below a git folder: objects, refs and logs, which git alone reads.
bool is_bulk_of_git(std::string_view path);

using FileCheck = void (*)(const RepositoryFile& file, Reporter& reporter);
// The check of a file that git obeys; null if it is none. `in_layout`: its folder is a git folder
// by what it holds.
FileCheck git_check_of(std::string_view path, bool in_layout);

}  // namespace ringwall::audit
