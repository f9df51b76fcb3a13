#include "guard/examined_file.h"

#include <elf.h>
#include <linux/magic.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <ctime>

#include "identity/hash_file.h"

namespace ringwall::guard {
namespace {

constexpr size_t kMostDigestsKept = 65536;
constexpr int64_t kTickNanoseconds = 12'000'000;  // 100 a second is the least that kernels have

// See identity/hash_file.h; of the filesystem below a stacked one too.
constexpr std::array<uint64_t, 9> kServed = {FUSE_SUPER_MAGIC, V9FS_MAGIC,       NFS_SUPER_MAGIC,
                                             SMB_SUPER_MAGIC,  CIFS_SUPER_MAGIC, SMB2_SUPER_MAGIC,
                                             AFS_FS_MAGIC,     CODA_SUPER_MAGIC, 0x00c36400};

// A change in the same tick of the clock would leave the same change time: the file rests a tick
// first. Longer than that nobody waits: a time in the future is as good as any other.
void wait_for_tick(const struct stat& info) {
  timespec now;
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  int64_t age =
      (now.tv_sec - info.st_ctim.tv_sec) * 1'000'000'000 + now.tv_nsec - info.st_ctim.tv_nsec;
  if (age >= kTickNanoseconds || age < -kTickNanoseconds) return;
  timespec rest{0, static_cast<long>(kTickNanoseconds - age)};
  nanosleep(&rest, nullptr);
}

}  // namespace

bool looks_like_code(int fd) {
  unsigned char head[18] = {};
  ssize_t got = pread(fd, head, sizeof head, 0);
  if (got >= 2 && head[0] == 'M' && head[1] == 'Z') return true;
  if (got < static_cast<ssize_t>(sizeof head) || memcmp(head, ELFMAG, SELFMAG) != 0) return false;
  // In the file's own byte order; a foreign one is no program of this machine.
  int type = head[16] | head[17] << 8;
  return type == ET_EXEC || type == ET_DYN;
}

size_t DigestCache::KeyHash::operator()(const rw_file_key& key) const {
  uint64_t mixed = key.inode * 0x9e3779b97f4a7c15u ^ key.changed_nanoseconds * 0xff51afd7ed558ccdu ^
                   key.size << 17 ^ key.changed_seconds ^ key.device;
  return mixed;
}

bool DigestCache::KeyEqual::operator()(const rw_file_key& a, const rw_file_key& b) const {
  return memcmp(&a, &b, sizeof a) == 0;
}

std::optional<Digest> DigestCache::find(const rw_file_key& key) const {
  std::lock_guard lock(mutex_);
  auto found = digests_.find(key);
  if (found == digests_.end()) return std::nullopt;
  return found->second;
}

void DigestCache::keep(const rw_file_key& key, const Digest& digest) {
  std::lock_guard lock(mutex_);
  if (digests_.size() >= kMostDigestsKept) digests_.clear();
  digests_[key] = digest;
}

Result<ExaminedFile> examine(int fd, const struct stat& info, const KernelGate& gate,
                             DigestCache& cache) {
  wait_for_tick(info);
  TRY_ASSIGN(MappedFile before, gate.describe(fd));
  for (uint64_t served : kServed) {
    if (before.filesystem == served)
      return fail("lies on a filesystem that can show other bytes at each reading");
  }
  ExaminedFile examined{before.key, {}};
  examined.in_memory = before.filesystem == TMPFS_MAGIC || before.filesystem == RAMFS_MAGIC;
  TRY_ASSIGN(examined.generation, gate.generation_of(fd));
  if (gate.kind() == Kind::lsm) {
    TRY_ASSIGN(examined.key, gate.key_of_opened(fd));
  }
  auto known = examined.in_memory ? std::nullopt : cache.find(before.key);
  if (known) {
    examined.digest = *known;
    return examined;
  }
  TRY_ASSIGN(identity::Hashed hashed, identity::hash_file(fd));
  TRY_ASSIGN(MappedFile after, gate.describe(fd));
  if (memcmp(&before.key, &after.key, sizeof before.key) != 0)
    return fail("changed while it was read");
  examined.digest = hashed.digest;
  if (!examined.in_memory) cache.keep(before.key, examined.digest);
  return examined;
}

}  // namespace ringwall::guard
