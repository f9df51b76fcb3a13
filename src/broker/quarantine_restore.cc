#include "broker/quarantine_restore.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_id.h"
#include "base/path.h"
#include "base/syscalls.h"
#include "base/text.h"
#include "base/tree.h"
#include "broker/hostile_tree.h"

namespace ringwall::broker {
namespace {

// Hostile: a file may be sparse, or grow while it is read.
constexpr Bounds kMostRestored{uint64_t{4} << 30, 200'000};

// An agent may have put a link in place of a folder on the way, which would lead the restored file
// to wherever it likes.
Result<Fd> open_without_links(const std::string& folder) {
  open_how how{};
  how.flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  how.resolve = RESOLVE_NO_SYMLINKS;
  Fd fd(sys::openat2(AT_FDCWD, folder.c_str(), how));
  if (fd) return fd;
  if (errno == ELOOP) {
    return fail("there is a link on the way to " + text::quote(folder),
                "look where it leads, and say the place without links: --to PATH");
  }
  std::string hint = errno == ENOENT ? "make the folder first, or choose another place: --to PATH"
                                     : "choose another place: --to PATH";
  return fail_errno("cannot open the folder " + text::quote(folder), hint);
}

std::unexpected<Error> taken_already(const std::string& path) {
  return fail(text::quote(path) + " exists already, and nothing is overwritten",
              "choose a name that is free: --to PATH");
}

// Removed unless it has got its name.
class Temporary {
 public:
  explicit Temporary(int folder) : folder_(folder), name_(make_aside_name()) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (!placed_) (void)tree::remove_at(folder_, name_);
  }

  const std::string& name() const { return name_; }

  Status place(const std::string& path, const Copied& made) {
    std::string name(path::basename(path));
    if (renameat2(folder_, name_.c_str(), folder_, name.c_str(), RENAME_NOREPLACE) < 0) {
      if (errno == EEXIST) return taken_already(path);
      return fail_errno("cannot make " + text::quote(path));
    }
    placed_ = true;
    struct stat facts;
    if (fstatat(folder_, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) < 0 ||
        file::id_of(facts) != made.id) {
      return fail(text::quote(path) + " was changed by somebody else while it was restored",
                  "end the runs that go on there, look at the file, and try again");
    }
    return {};
  }

 private:
  int folder_;
  std::string name_;
  bool placed_ = false;
};

Status check_restorable(const Item& item) {
  if (!item.kept) {
    return fail("of the item " + item.name + " only the record was kept",
                "see: ringwall quarantine show " + item.name);
  }
  bool copied = item.kind == Kind::regular || item.kind == Kind::folder || item.kind == Kind::link;
  if (copied) return {};
  return fail("the item " + item.name + " is a " + std::string(in_words(item.kind)) +
                  ", and only files, folders and links are restored",
              "make it anew where it is needed");
}

}  // namespace

Result<Restored> restore_item(int store, const Item& item, const std::string& to) {
  TRY(check_restorable(item));
  if (to.empty() && !item.record) {
    return fail("nobody knows where the item " + item.name + " lay",
                "say where it shall go: --to PATH");
  }
  std::string path = path::normalize(to.empty() ? item.record->path : to);
  if (path == "/") return taken_already(path);
  TRY_ASSIGN(Fd folder, open_without_links(path::parent(path)));
  struct stat facts;
  std::string name(path::basename(path));
  if (fstatat(folder.get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0)
    return taken_already(path);
  TRY_ASSIGN(Fd from, file::open_beneath(store, item.name, O_RDONLY | O_DIRECTORY));
  Temporary temporary(folder.get());
  auto copied =
      copy_hostile(from.get(), kContentName, folder.get(), temporary.name(), kMostRestored);
  if (!copied) {
    copied.error().what = "cannot restore the item " + item.name + " to " + text::quote(path) +
                          ": " + copied.error().what;
    return std::unexpected(copied.error());
  }
  TRY(temporary.place(path, *copied));
  Restored restored{path, item.kind, copied->bytes, copied->entries, std::move(copied->left_out)};
  if (!restored.left_out.empty()) return restored;
  if (Status removed = remove_item(store, item.name); !removed) restored.stays = removed.error();
  return restored;
}

}  // namespace ringwall::broker
