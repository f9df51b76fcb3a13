// Where a transaction works: the tree, the journal, and the folder in which new inodes wait for
// their places and old ones are kept.
#pragma once

#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "changes/entry.h"
#include "changes/transaction.h"
#include "changes/tree_folders.h"

namespace ringwall::changes {

// New inodes can wait in the journal, where nobody reaches them; else they wait in the tree itself.
bool is_near(int journal, int tree);

class Workplace {
 public:
  // `name` is that of a staging folder at the tree's top; empty: it is in the journal.
  static Result<Workplace> make(int tree, int journal, const TransactionOptions& options);
  static Result<Workplace> open(int tree, int journal, const std::string& name,
                                const TransactionOptions& options);

  int tree() const { return tree_; }
  int journal() const { return journal_; }
  int staging() const { return staging_.get(); }
  const std::string& staging_name() const { return name_; }
  const EntryFacts& top() const { return top_; }
  TreeFolders& folders() { return folders_; }

  // Before each act that changes something.
  Status reach(std::string_view act) const;
  // All of the tree's filesystem is on the disk.
  Status sync() const;

 private:
  Workplace(int tree, int journal, const TransactionOptions& options)
      : tree_(tree), journal_(journal), options_(&options), folders_(tree) {}
  Status look_at_top();

  int tree_, journal_;
  const TransactionOptions* options_;
  Fd staging_;
  std::string name_;
  EntryFacts top_;
  TreeFolders folders_;
};

inline constexpr const char* kStagedFolder = "staged";
inline constexpr const char* kOldFolder = "old";

// Whether a rename can lead from one folder to the other.
bool is_near(int from, int to);

// What lies at a name, none if nothing does.
Result<EntryFacts> look_in(int folder, const char* name);

}  // namespace ringwall::changes
