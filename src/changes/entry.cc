#include "changes/entry.h"

#include <fcntl.h>
#include <time.h>

#include "base/file.h"

namespace ringwall::changes {
namespace {

int64_t nanoseconds(const timespec& time) {
  return static_cast<int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

EntryType type_of(mode_t mode) {
  if (S_ISREG(mode)) return EntryType::file;
  if (S_ISDIR(mode)) return EntryType::folder;
  if (S_ISLNK(mode)) return EntryType::link;
  if (S_ISFIFO(mode)) return EntryType::fifo;
  return EntryType::other;
}

}  // namespace

EntryFacts facts_of(const struct stat& seen) {
  EntryFacts facts;
  facts.type = type_of(seen.st_mode);
  facts.mode = seen.st_mode & 07777;
  facts.device = seen.st_dev;
  facts.inode = seen.st_ino;
  facts.links = seen.st_nlink;
  bool has_size = facts.type == EntryType::file || facts.type == EntryType::link;
  facts.size = has_size ? static_cast<uint64_t>(seen.st_size) : 0;
  facts.modified = nanoseconds(seen.st_mtim);
  facts.changed = nanoseconds(seen.st_ctim);
  facts.raw_type = seen.st_mode & S_IFMT;
  return facts;
}

Result<EntryFacts> look_at(int tree, const std::string& relative) {
  auto place = file::open_beneath(tree, relative, O_PATH | O_NOFOLLOW);
  if (!place) {
    int err = place.error().err;
    // ELOOP: a link on the way, which is no folder.
    if (err == ENOENT || err == ENOTDIR || err == ELOOP) return EntryFacts{};
    return std::unexpected(place.error());
  }
  struct stat seen;
  if (fstat(place->get(), &seen) < 0) return fail_errno("cannot look at an entry");
  return facts_of(seen);
}

Result<int64_t> read_clock_of(int folder) {
  // Unnamed: neither the folder's time nor whoever watches it notices.
  Fd unnamed(openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  struct stat seen;
  if (unnamed && fstat(unnamed.get(), &seen) == 0) return nanoseconds(seen.st_ctim);
  // One that is served by another machine and has no unnamed files is the exception that is left.
  return read_kernels_clock();
}

Result<int64_t> read_kernels_clock() {
  timespec now;
  if (clock_gettime(CLOCK_REALTIME_COARSE, &now) < 0) return fail_errno("cannot read the clock");
  return nanoseconds(now);
}

}  // namespace ringwall::changes
