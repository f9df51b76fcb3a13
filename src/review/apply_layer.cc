#include "review/apply_layer.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/fd.h"
#include "base/file.h"
#include "changes/attributes.h"
#include "changes/tree_folders.h"
#include "review/layer_marks.h"
#include "review/tree_open.h"

namespace ringwall::review {
namespace {

using changes::Outcome;
using changes::StepReport;
using changes::TreeFolders;

// A layer's folder may be closed to its owner; it is opened for one act.
class OpenedFolder {
 public:
  explicit OpenedFolder(int folder) : folder_(folder) {
    struct stat seen;
    if (fstat(folder, &seen) < 0 || (seen.st_mode & 0700) == 0700) return;
    mode_ = seen.st_mode & 07777;
    is_closed_ = changes::set_mode(folder, mode_ | 0700).has_value();
  }
  ~OpenedFolder() {
    if (is_closed_) (void)changes::set_mode(folder_, mode_);
  }
  OpenedFolder(const OpenedFolder&) = delete;

 private:
  int folder_;
  uint32_t mode_ = 0;
  bool is_closed_ = false;
};

// One opaque folder hides all that the real one holds. Once a part of it is applied, that must show
// through, and the rest stays hidden by marks of its own: "deleted" for each name.
class Uncovering {
 public:
  Uncovering(int upper, int real) : upper_(upper), real_(real) {}

  Status uncover(const std::string& top) {
    std::vector<std::string> waiting{top};
    while (!waiting.empty()) {
      std::string path = std::move(waiting.back());
      waiting.pop_back();
      TRY(mark_hidden(path, path == top, waiting));
    }
    TRY_ASSIGN(Fd folder, open_in_tree(upper_, top, O_PATH | O_DIRECTORY | O_NOFOLLOW));
    OpenedFolder opened(folder.get());
    std::string path = changes::path_of(folder.get());
    if (removexattr(path.c_str(), "user.overlay.opaque") < 0 && errno != ENODATA)
      return fail_errno("cannot change the layer");
    return {};
  }

 private:
  Status mark_hidden(const std::string& path, bool is_top, std::vector<std::string>& waiting) {
    TRY_ASSIGN(Fd upper, open_in_tree(upper_, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    if (!is_top && read_opaque(upper.get()) == Opaque::yes) return {};  // covers for itself
    auto real = open_in_tree(real_, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (!real) return {};  // nothing to hide
    TRY_ASSIGN(std::vector<file::Entry> entries, file::list(upper.get()));
    std::unordered_set<std::string> names;
    for (file::Entry& entry : entries) {
      if (entry.type == DT_DIR) waiting.push_back(path + "/" + entry.name);
      names.insert(std::move(entry.name));
    }
    TRY_ASSIGN(entries, file::list(real->get()));
    OpenedFolder opened(upper.get());
    for (const file::Entry& entry : entries) {
      if (names.contains(entry.name)) continue;
      if (mknodat(upper.get(), entry.name.c_str(), S_IFCHR | 0600, makedev(0, 0)) < 0)
        return fail_errno("cannot mark a deletion in the layer");
    }
    return {};
  }

  int upper_, real_;
};

// Opaque folders on the way to what was applied, the outermost first.
Result<std::set<std::string>> find_covers(int upper, const changes::Report& report) {
  std::set<std::string> looked_at, covers;
  for (const StepReport& step : report) {
    if (step.outcome != Outcome::done) continue;
    std::string path = step.path;
    // Only folders can be opaque.
    if (step.wanted != changes::EntryType::folder) {
      size_t slash = path.rfind('/');
      if (slash == std::string::npos) continue;
      path.resize(slash);
    }
    while (looked_at.insert(path).second) {
      auto folder = open_in_tree(upper, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      if (folder && read_opaque(folder->get()) == Opaque::yes) covers.insert(path);
      size_t slash = path.rfind('/');
      if (slash == std::string::npos) break;
      path.resize(slash);
    }
  }
  return covers;
}

}  // namespace

void forget_origin(int upper, const std::string& path) {
  auto entry = open_in_tree(upper, path, O_PATH | O_NOFOLLOW);
  // If that fails, it may be asked for by its name later.
  if (entry) (void)removexattr(changes::path_of(entry->get()).c_str(), "user.overlay.origin");
}

Status drop_applied(int upper, int real, const changes::Report& report) {
  TRY_ASSIGN(std::set<std::string> covers, find_covers(upper, report));
  for (const std::string& path : covers)
    TRY(Uncovering(upper, real).uncover(path));
  TreeFolders folders(upper);
  for (const StepReport& step : report) {
    if (step.outcome != Outcome::done) continue;
    auto found = folders.find(step.path);
    if (!found) continue;  // hidden with its folder
    OpenedFolder opened(found->folder);
    int removed = unlinkat(found->folder, found->name, 0);
    if (removed < 0 && errno != ENOENT && errno != EISDIR && errno != EPERM)
      return fail_errno("cannot give up in the layer what was applied");
  }
  return {};
}

}  // namespace ringwall::review
