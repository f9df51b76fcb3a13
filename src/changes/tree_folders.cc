#include "changes/tree_folders.h"

#include <fcntl.h>

#include "base/syscalls.h"
#include "base/text.h"

namespace ringwall::changes {
namespace {

// Well below PATH_MAX, with room for the longest name.
constexpr size_t kAtOnce = 2048;
constexpr size_t kFarApart = 1024;

}  // namespace

bool is_plain_path(std::string_view path) {
  if (path.empty() || path.find('\0') != std::string_view::npos) return false;
  for (std::string_view name : text::split_in_place(path, '/')) {
    if (name.empty() || name == "." || name == "..") return false;
  }
  return true;
}

void TreeFolders::forget() {
  last_.close();
  last_path_.clear();
  anchors_.clear();
}

bool TreeFolders::is_on_the_way(size_t length, std::string_view parent) const {
  if (parent.substr(0, length) != std::string_view(last_path_).substr(0, length)) return false;
  return parent.size() == length || (parent.size() > length && parent[length] == '/');
}

Result<Fd> TreeFolders::open_from(int base, std::string_view rest) const {
  open_how how{};
  how.flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV;
  Fd folder(sys::openat2(base, std::string(rest).c_str(), how));
  if (!folder) return fail_errno("cannot open the folder " + text::quote(rest));
  return folder;
}

Result<TreeFolders::Place> TreeFolders::find(const std::string& path) {
  if (!is_plain_path(path)) return fail(text::quote(path) + " is no path of a tree");
  size_t slash = path.rfind('/');
  if (slash == std::string::npos) return Place{tree_, path.c_str()};
  std::string_view parent = std::string_view(path).substr(0, slash);
  const char* name = path.c_str() + slash + 1;
  if (last_ && parent == last_path_) return Place{last_.get(), name};

  while (!anchors_.empty() && !is_on_the_way(anchors_.back().length, parent))
    anchors_.pop_back();
  Fd near;  // held for this time
  size_t done = anchors_.empty() ? 0 : anchors_.back().length;
  if (last_ && is_on_the_way(last_path_.size(), parent)) {
    if (last_path_.size() - done >= kFarApart)
      anchors_.push_back({last_path_.size(), std::move(last_)});
    else
      near = std::move(last_);
    done = last_path_.size();
  }
  last_.close();
  last_path_ = parent;
  while (done < parent.size()) {
    size_t start = done == 0 ? 0 : done + 1;
    size_t end =
        parent.size() - start > kAtOnce ? parent.rfind('/', start + kAtOnce) : parent.size();
    int base = near ? near.get() : anchors_.empty() ? tree_ : anchors_.back().folder.get();
    auto folder = open_from(base, parent.substr(start, end - start));
    if (!folder) {
      forget();
      return std::unexpected(folder.error());
    }
    near.close();
    done = end;
    if (done < parent.size())
      anchors_.push_back({done, std::move(*folder)});
    else
      last_ = std::move(*folder);
  }
  return Place{last_ ? last_.get() : anchors_.back().folder.get(), name};
}

}  // namespace ringwall::changes
