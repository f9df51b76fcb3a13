#include "review/tree_open.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/syscalls.h"
#include "base/text.h"
#include "changes/closed_file.h"

namespace ringwall::review {
namespace {

// The kernel takes 4,095 bytes at once, and one name has at most 255.
constexpr size_t kLongestLookup = 3000;

Fd open_piece(int dir, const std::string& piece, int flags) {
  open_how how{};
  how.flags = static_cast<uint64_t>(flags | O_NOFOLLOW | O_CLOEXEC);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV;
  return Fd(sys::openat2(dir, piece.c_str(), how));
}

}  // namespace

Result<Fd> open_in_tree(int tree, const std::string& relative, int flags) {
  Fd at;
  size_t done = 0;
  while (relative.size() - done > kLongestLookup) {
    size_t slash = relative.rfind('/', done + kLongestLookup);
    if (slash == std::string::npos || slash <= done) {
      errno = ENAMETOOLONG;
      return fail_errno("cannot open " + text::quote(relative));
    }
    Fd next =
        open_piece(at ? at.get() : tree, relative.substr(done, slash - done), O_PATH | O_DIRECTORY);
    if (!next) return fail_errno("cannot open " + text::quote(relative));
    at = std::move(next);
    done = slash + 1;
  }
  std::string rest = relative.substr(done);
  Fd opened = open_piece(at ? at.get() : tree, rest.empty() ? "." : rest, flags);
  if (!opened) return fail_errno("cannot open " + text::quote(relative));
  return opened;
}

Result<Fd> open_content(int tree, const std::string& relative) {
  // First without opening: a device does things when it is opened.
  TRY_ASSIGN(Fd place, open_in_tree(tree, relative, O_PATH));
  struct stat seen;
  if (fstat(place.get(), &seen) < 0) return fail_errno("cannot look at " + text::quote(relative));
  if (!S_ISREG(seen.st_mode)) return fail(text::quote(relative) + " is no file with content");
  auto opened = changes::open_to_read(place.get());
  if (!opened) opened.error().what = "cannot read " + text::quote(relative);
  return opened;
}

}  // namespace ringwall::review
