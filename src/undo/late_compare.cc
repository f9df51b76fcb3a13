#include "undo/late_compare.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/file.h"
#include "base/path.h"

namespace ringwall::undo {
namespace {

using changes::EntryType;
using Kind = Touched::Kind;

// When the nearest folder above that is still there was changed last.
class FolderTimes {
 public:
  explicit FolderTimes(const Look& look) : top_(look.changed) {
    for (const SavedEntry& entry : look.entries) {
      if (entry.type == EntryType::folder) times_[entry.path] = entry.changed;
    }
  }

  int64_t above(std::string path) const {
    while (true) {
      path = path::parent("/" + path).substr(1);
      if (path.empty()) return top_;
      if (auto found = times_.find(path); found != times_.end()) return found->second;
    }
  }

 private:
  int64_t top_;
  std::map<std::string, int64_t> times_;
};

}  // namespace

void compare_since(const ManifestTree& before, const Look& now, int64_t start, uint32_t tree,
                   std::vector<Touched>& touched) {
  std::vector<Touched> all;
  compare(before, now.entries, tree, all);
  FolderTimes folders(now);
  for (Touched& one : all) {
    if (one.kind == Kind::deleted) one.after.changed = folders.above(one.after.path);
    if (one.after.changed >= start) touched.push_back(std::move(one));
  }
}

Status LateComparer::complete(int run_folder, Outcome& outcome, Blame blame) {
  TRY_ASSIGN(const Manifest* manifest, manifest_of(run_folder));
  if (manifest->trees.size() != outcome.starts.size())
    return fail("it is damaged: its trees are others");
  std::vector<Touched> touched;
  for (size_t i = 0; i < manifest->trees.size(); i++) {
    TRY_ASSIGN(const Look* look, look_of(manifest->trees[i]));
    compare_since(manifest->trees[i], *look, outcome.starts[i], static_cast<uint32_t>(i), touched);
  }
  std::erase_if(touched, [&](const Touched& one) {
    return blame == Blame::certain && one.after.changed > outcome.clocks[one.tree];
  });
  outcome.touched = std::move(touched);
  outcome.unkept = count_unkept(*manifest, outcome.touched);
  return {};
}

// Runs that were put off one after the other have the same file.
Result<const Manifest*> LateComparer::manifest_of(int run_folder) {
  struct stat facts;
  if (fstatat(run_folder, kManifestName, &facts, AT_SYMLINK_NOFOLLOW) < 0)
    return fail_errno("cannot look at what is kept of a run");
  file::Id id = file::id_of(facts);
  auto known = manifests_.find(id);
  if (known == manifests_.end()) {
    TRY_ASSIGN(Manifest manifest, read_manifest(run_folder));
    known = manifests_.emplace(id, std::move(manifest)).first;
  }
  return &known->second;
}

Result<const Look*> LateComparer::look_of(const ManifestTree& tree) {
  auto known = looks_.find(tree.path);
  if (known == looks_.end()) {
    TRY_ASSIGN(Fd folder, file::open(tree.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    struct stat facts;
    if (fstat(folder.get(), &facts) < 0 || facts.st_ino != tree.inode)
      return fail("its folder is not the one of then");
    TRY_ASSIGN(Look look,
               look_at_tree({folder.get(), passed_over_, 0, [](const auto&) { return true; }}));
    known = looks_.emplace(tree.path, std::move(look)).first;
  }
  return &known->second;
}

}  // namespace ringwall::undo
