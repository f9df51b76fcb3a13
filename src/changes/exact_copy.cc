#include "changes/exact_copy.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "base/fd.h"
#include "base/file.h"

namespace ringwall::changes {
namespace {

// For filesystems between which the kernel does not copy by itself.
Status copy_by_hand(int from, int to, off_t start, off_t end) {
  std::vector<char> buffer(256 << 10);
  while (start < end) {
    size_t wish = std::min(buffer.size(), static_cast<size_t>(end - start));
    ssize_t count = pread(from, buffer.data(), wish, start);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_errno("cannot read a file");
    if (count == 0) return {};  // it has become shorter meanwhile
    for (ssize_t done = 0; done < count;) {
      ssize_t wrote =
          pwrite(to, buffer.data() + done, static_cast<size_t>(count - done), start + done);
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote < 0) return fail_errno("cannot write a file");
      done += wrote;
    }
    start += count;
  }
  return {};
}

Status copy_range(int from, int to, off_t start, off_t end) {
  while (start < end) {
    off_t in = start, out = start;
    ssize_t count = copy_file_range(from, &in, to, &out, static_cast<size_t>(end - start), 0);
    if (count > 0) {
      start += count;
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EIO))
      return fail_errno("cannot copy a file");
    return copy_by_hand(from, to, start, end);
  }
  return {};
}

Status copy_pieces(int from, int to, off_t size) {
  for (off_t at = 0; at < size;) {
    off_t data = lseek(from, at, SEEK_DATA);
    if (data < 0 && errno == ENXIO) return {};            // a hole to the end
    if (data < 0) return copy_range(from, to, at, size);  // it does not know of holes
    off_t hole = lseek(from, data, SEEK_HOLE);
    if (hole < 0) hole = size;
    TRY(copy_range(from, to, data, std::min(hole, size)));
    at = hole;
  }
  return {};
}

Status copy_file(const Source& source, int folder, const std::string& name,
                 const CopyFacts& facts) {
  TRY_ASSIGN(ReadableFile from, ReadableFile::open(source.folder, source.name));
  const struct stat& seen = from.seen();
  Fd to(openat(folder, name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!to) return fail_errno("cannot make a file");
  TRY(copy_content(from.get(), to.get()));
  if (facts.attributes != nullptr) {
    TRY(write_attributes(to.get(), *facts.attributes));
  } else {
    TRY_ASSIGN(Attributes attributes, read_attributes(from.get()));
    TRY(write_attributes(to.get(), attributes));
  }
  // Of another owner only for root, of another group for who is in it; else it is ours.
  bool is_root = geteuid() == 0;
  uid_t owner = is_root ? seen.st_uid : static_cast<uid_t>(-1);
  if (fchown(to.get(), owner, seen.st_gid) < 0 && is_root) return fail_errno("cannot set an owner");
  if (fchmod(to.get(), harmless_mode(EntryType::file, facts.mode.value_or(seen.st_mode))) < 0)
    return fail_errno("cannot set a mode");
  return set_modified(to.get(), facts.modified.value_or(facts_of(seen).modified));
}

Status copy_link(const Source& source, int folder, const std::string& name,
                 const CopyFacts& facts) {
  char target[PATH_MAX];
  ssize_t length = readlinkat(source.folder, source.name, target, sizeof target - 1);
  struct stat seen;
  if (length < 0 || fstatat(source.folder, source.name, &seen, AT_SYMLINK_NOFOLLOW) < 0)
    return fail_errno("cannot read a link");
  target[length] = '\0';
  if (symlinkat(target, folder, name.c_str()) < 0) return fail_errno("cannot make a link");
  if (geteuid() == 0 &&
      fchownat(folder, name.c_str(), seen.st_uid, seen.st_gid, AT_SYMLINK_NOFOLLOW) < 0)
    return fail_errno("cannot set an owner");
  return set_modified_at(folder, name, facts.modified.value_or(facts_of(seen).modified));
}

// Of what is not opened: a fifo has an access list, and nothing else.
Status copy_attributes(const Source& source, int folder, const std::string& name) {
  TRY_ASSIGN(Fd from, file::open_beneath(source.folder, source.name, O_PATH | O_NOFOLLOW));
  TRY_ASSIGN(Attributes attributes, read_attributes(from.get()));
  TRY_ASSIGN(Fd to, file::open_beneath(folder, name, O_PATH | O_NOFOLLOW));
  return write_attributes(to.get(), attributes);
}

Status copy_fifo(const Source& source, int folder, const std::string& name,
                 const CopyFacts& facts) {
  struct stat seen;
  if (fstatat(source.folder, source.name, &seen, AT_SYMLINK_NOFOLLOW) < 0)
    return fail_errno("cannot look at a fifo");
  if (mkfifoat(folder, name.c_str(), 0600) < 0) return fail_errno("cannot make a fifo");
  if (geteuid() == 0 &&
      fchownat(folder, name.c_str(), seen.st_uid, seen.st_gid, AT_SYMLINK_NOFOLLOW) < 0)
    return fail_errno("cannot set an owner");
  TRY(copy_attributes(source, folder, name));
  uint32_t mode = harmless_mode(EntryType::fifo, facts.mode.value_or(seen.st_mode));
  if (fchmodat(folder, name.c_str(), mode, 0) < 0) return fail_errno("cannot set a mode");
  return set_modified_at(folder, name, facts.modified.value_or(facts_of(seen).modified));
}

}  // namespace

Status copy_content(int from, int to) {
  struct stat seen;
  if (fstat(from, &seen) < 0) return fail_errno("cannot look at a file");
  if (!S_ISREG(seen.st_mode)) return fail("is no ordinary file");
  if (seen.st_size == 0 || ioctl(to, FICLONE, from) == 0) return {};
  TRY(copy_pieces(from, to, seen.st_size));
  if (ftruncate(to, seen.st_size) < 0) return fail_errno("cannot size a file");
  return {};
}

Result<ReadableFile> ReadableFile::open(int folder, const std::string& name) {
  ReadableFile opened;
  auto file = file::open_beneath(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (file) {
    if (fstat(file->get(), &opened.seen_) < 0) return fail_errno("cannot look at a file");
    opened.file_ = std::move(*file);
    return opened;
  }
  if (file.error().err != EACCES) return std::unexpected(file.error());
  TRY_ASSIGN(Fd entry, file::open_beneath(folder, name, O_PATH | O_NOFOLLOW));
  if (fstat(entry.get(), &opened.seen_) < 0) return fail_errno("cannot look at a file");
  bool is_ours = S_ISREG(opened.seen_.st_mode) && opened.seen_.st_uid == geteuid();
  if (!is_ours) return std::unexpected(file.error());
  TRY(set_mode(entry.get(), (opened.seen_.st_mode & 07777) | 0400));
  opened.closed_ = std::move(entry);
  TRY_ASSIGN(opened.file_, file::open(path_of(opened.closed_.get()), O_RDONLY));
  return opened;
}

ReadableFile::~ReadableFile() {
  if (closed_) (void)set_mode(closed_.get(), seen_.st_mode & 07777);
}

Status copy_entry(const Source& source, EntryType type, int folder, const std::string& name,
                  const CopyFacts& facts) {
  Status made = fail("only files, links and fifos can be copied");
  if (type == EntryType::file) made = copy_file(source, folder, name, facts);
  if (type == EntryType::link) made = copy_link(source, folder, name, facts);
  if (type == EntryType::fifo) made = copy_fifo(source, folder, name, facts);
  bool was_there = !made && made.error().err == EEXIST;
  if (!made && !was_there) unlinkat(folder, name.c_str(), 0);
  return made;
}

}  // namespace ringwall::changes
