// Which files of a repository are read, and by which check.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "audit/checks.h"
#include "files/name_pattern.h"

namespace ringwall::audit {

struct Subject {
  std::string_view patterns;  // as in the tables of files/, separated by spaces
  void (*check)(const RepositoryFile& file, Reporter& reporter);
  size_t most_bytes = 4u << 20;
  // What to say of one that is bigger; empty: that not all was looked at.
  std::string_view too_big = "RW216";
  // Read last, from the top down, as far as the time for it goes: words are slow to look through.
  bool is_prose = false;
  // Read in what a package manager has filled as well: agents obey it wherever they work.
  bool in_packages = false;
};
std::span<const Subject> repository_subjects();
// For a file whose name has no ending; null: it has one.
const Subject* subject_without_ending(std::string_view path);

class SubjectNames {
 public:
  SubjectNames();
  // Several checks may look at a file; calls `use` for each.
  template <class Use>
  void each(std::string_view path, Use use) const {
    if (!names_.may_match(files::last_name(path))) return;
    const Subject* seen = nullptr;
    (void)names_.match(path, files::EntryKind::file, [&](size_t number) {
      const Subject* subject = subject_of_[number];
      if (subject != seen) use(*subject);
      seen = subject;
      return false;  // the others too
    });
  }
  bool may_match(std::string_view name) const { return names_.may_match(name); }

 private:
  files::PatternSet names_;
  std::vector<const Subject*> subject_of_;
};

}  // namespace ringwall::audit
