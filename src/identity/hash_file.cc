#include "identity/hash_file.h"

#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <vector>

#include "base/sha256.h"

namespace ringwall::identity {
namespace {

// Filesystems behind which a server answers each read anew. Not all have a name in linux/magic.h.
constexpr std::array<unsigned long, 9> kServed = {
    FUSE_SUPER_MAGIC, V9FS_MAGIC,   NFS_SUPER_MAGIC,  SMB_SUPER_MAGIC, CIFS_SUPER_MAGIC,
    SMB2_SUPER_MAGIC, AFS_FS_MAGIC, CODA_SUPER_MAGIC, 0x00c36400 /* ceph */};

constexpr size_t kPiece = 128 * 1024;

Result<struct stat> stat_of(int fd) {
  struct stat info;
  if (fstat(fd, &info) != 0) return fail_errno("cannot look at the file");
  return info;
}

}  // namespace

bool is_trustworthy_filesystem(int fd) {
  struct statfs filesystem;
  if (fstatfs(fd, &filesystem) != 0) return false;
  for (unsigned long served : kServed) {
    if (static_cast<unsigned long>(filesystem.f_type) == served) return false;
  }
  return true;
}

bool is_overlay(int fd) {
  struct statfs filesystem;
  return fstatfs(fd, &filesystem) != 0 ||
         static_cast<unsigned long>(filesystem.f_type) == OVERLAYFS_SUPER_MAGIC;
}

Result<Hashed> hash_file(int fd) {
  TRY_ASSIGN(struct stat before, stat_of(fd));
  if (!S_ISREG(before.st_mode)) return fail("is no regular file");
  if (!is_trustworthy_filesystem(fd))
    return fail("lies on a filesystem that can show other bytes at each reading");
  Sha256 hash;
  std::vector<char> piece(kPiece);
  for (off_t at = 0;;) {
    ssize_t got = pread(fd, piece.data(), piece.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail_errno("cannot read the file");
    if (got == 0) break;
    hash.add(piece.data(), static_cast<size_t>(got));
    at += got;
  }
  TRY_ASSIGN(struct stat after, stat_of(fd));
  if (key_of(before) != key_of(after)) return fail("changed while it was read");
  return Hashed{key_of(after), hash.finish()};
}

}  // namespace ringwall::identity
