// The trees that a sandbox will see, and what each program in them holds: names and contents are
// looked up here, whatever the question.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "identity/hash_cache.h"
#include "identity/tree_scan.h"

namespace ringwall::identity {

struct SearchedTree {
  std::string path;  // on the host; no component is a link
  bool writable = false;
  bool of_system = false;  // only root can change it
  bool is_file = false;    // one file, granted by its name
  Fd fd;
  TreeIndex index;
  std::string index_file;  // empty: it is not worth keeping
};

// One file or link in a tree.
struct Program {
  size_t tree = 0;
  std::string path;  // on the host
  ProgramKind kind = ProgramKind::none;
  FileKey key;
  bool may_execute = false;
  std::string wraps;  // what a wrapper script starts, as written there
};

// What is known of a file's content.
struct Content {
  std::optional<Digest> digest;
  std::string why_not;  // where there is none
};

class ProgramSearch {
 public:
  // `state` is Ringwall's folder of caches. `search_path` may name a program; the folders of PATH.
  ProgramSearch(std::string state, std::vector<std::string> search_path, Progress progress);

  Status add_tree(const std::string& path, bool writable, bool of_system);

  // Looks into what has one of these sizes, or into everything: it stands in for_each() then.
  Status examine(const SizeFilter& filter);

  // Every program, script, library and link, in the order of the trees.
  template <class Use>
  void for_each(Use&& use) const {
    for (size_t i = 0; i < trees_.size(); i++) {
      const SearchedTree& tree = trees_[i];
      tree.index.visit_folders([&](const std::string& path, const ListedFolder& folder) {
        for (uint32_t k = 0; k < folder.entries; k++)
          use(i, path, tree.index.files[folder.first_entry + k]);
        return true;
      });
    }
  }
  std::string_view name_of(size_t tree, const ListedFile& file) const {
    return trees_[tree].index.name_of(file);
  }
  Program program(size_t tree, const std::string& folder, const ListedFile& file) const;

  // Refreshes the key of what may have been changed in place.
  void look_again(Program& program) const;

  // By what was hashed before, or by reading it. Beyond `most` bytes nothing is read.
  Content content_of(const Program& program, uint64_t most);
  Content content_of_path(const std::string& path, FileKey* key = nullptr);

  // Where a name leads by PATH: real paths of files, each once.
  std::vector<std::string> found_by_path(std::string_view name) const;

  // The real path of `path`; empty if it leads nowhere.
  static std::string real_path(const std::string& path);

  const std::deque<SearchedTree>& trees() const { return trees_; }
  HashCache& hashes() { return hashes_; }
  const std::vector<std::string>& complaints() const { return complaints_; }

  // Looks at the folders that a start passes over, unless that was done a moment ago. True if
  // something in them has changed.
  Result<bool> look_at_the_rest();

  // Keeps what was learned for the next run. Not on the way of the start.
  void keep();

 private:
  Content read_content(int fd);

  std::string state_;
  std::vector<std::string> search_path_;
  Progress progress_;
  std::deque<SearchedTree> trees_;
  HashCache hashes_;
  std::vector<std::string> complaints_;  // caches that were thrown away
};

}  // namespace ringwall::identity
