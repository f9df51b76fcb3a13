#include "base/folder_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ringwall {
namespace {

// Layout of getdents64's records.
struct RawEntry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type;
  char name[1];
};

}  // namespace

Result<size_t> FolderReader::fill(int dir) {
  long size = syscall(SYS_getdents64, dir, buffer_.get(), kBufferSize);
  if (size < 0) return fail_errno("cannot list a folder");
  return static_cast<size_t>(size);
}

FolderReader::Entry FolderReader::take(int dir, size_t& at) const {
  auto* raw = reinterpret_cast<const RawEntry*>(buffer_.get() + at);
  at += raw->length;
  Entry entry{raw->name, raw->type};
  struct stat facts;
  // Some filesystems do not tell.
  if (entry.type == DT_UNKNOWN && fstatat(dir, raw->name, &facts, AT_SYMLINK_NOFOLLOW) == 0)
    entry.type = static_cast<uint8_t>(IFTODT(facts.st_mode));
  return entry;
}

}  // namespace ringwall
