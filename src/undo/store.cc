#include "undo/store.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <memory>

#include "base/file.h"
#include "base/sha256.h"

namespace ringwall::undo {
namespace {

constexpr uint64_t kSmall = 1 << 20;  // read whole before anything is written
constexpr size_t kPiece = 256 << 10;
constexpr const char* kUnfinished = "new";

struct BlobName {
  std::string folder, name;
};

BlobName name_of(const Digest& digest) {
  std::string hex = digest.hex();
  return {hex.substr(0, 2), hex.substr(2)};
}

Result<size_t> read_piece(int file, char* buffer, size_t most) {
  size_t got = 0;
  while (got < most) {
    ssize_t more = read(file, buffer + got, most - got);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) return fail_errno("cannot read it");
    if (more == 0) break;
    got += static_cast<size_t>(more);
  }
  return got;
}

std::unexpected<Error> was_changed() {
  return std::unexpected(Error{"it was changed while it was read", ESTALE, {}});
}

bool is_empty(const char* bytes, size_t size) {
  return bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0;
}

// Reads `from` to its end and writes it to `to`, if that is one; where there are but zeros, a hole
// does.
Result<Digest> copy_and_digest(int from, int to, uint64_t& size) {
  auto buffer = std::make_unique<char[]>(kPiece);
  Sha256 hash;
  size = 0;
  while (true) {
    TRY_ASSIGN(size_t got, read_piece(from, buffer.get(), kPiece));
    if (got == 0) break;
    hash.add(buffer.get(), got);
    size += got;
    if (to < 0) continue;
    if (!is_empty(buffer.get(), got)) {
      TRY(file::write_all(to, {buffer.get(), got}));
    } else if (lseek(to, static_cast<off_t>(got), SEEK_CUR) < 0) {
      return fail_errno("cannot make a hole");
    }
  }
  if (to >= 0 && ftruncate(to, static_cast<off_t>(size)) < 0)
    return fail_errno("cannot size a file");
  return hash.finish();
}

}  // namespace

Result<Store> Store::open(int folder) {
  Store store;
  TRY_ASSIGN(store.blobs_, file::make_dirs_at(folder, "blobs"));
  TRY_ASSIGN(store.unfinished_, file::make_dirs_at(folder, kUnfinished));
  return store;
}

Result<Digest> Store::put(int file, uint64_t size, const std::function<bool()>& is_good) {
  return size <= kSmall ? put_small(file, size, is_good) : put_large(file, is_good);
}

bool Store::has(const Digest& digest, uint64_t size) const {
  BlobName blob = name_of(digest);
  struct stat facts;
  std::string path = blob.folder + "/" + blob.name;
  return fstatat(blobs_.get(), path.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISREG(facts.st_mode) && static_cast<uint64_t>(facts.st_size) == size;
}

Result<Fd> Store::make_unfinished() {
  name_ = std::to_string(getpid()) + "." + std::to_string(next_++);
  Fd made(openat(unfinished_.get(), name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!made) return fail_errno("cannot make a file in the undo store");
  return made;
}

Status Store::name_content(int folder, const std::string& name, const Digest& digest) {
  BlobName blob = name_of(digest);
  std::string path = blob.folder + "/" + blob.name;
  if (renameat(folder, name.c_str(), blobs_.get(), path.c_str()) == 0) return {};
  if (errno == ENOENT && (mkdirat(blobs_.get(), blob.folder.c_str(), 0700) == 0 || errno == EEXIST))
    if (renameat(folder, name.c_str(), blobs_.get(), path.c_str()) == 0) return {};
  return fail_errno("cannot name a file in the undo store");
}

Status Store::name_unfinished(const Digest& digest) {
  return name_content(unfinished_.get(), name_, digest);
}

Status Store::adopt(int folder, const std::string& name, const Digest& digest) {
  // As all contents are, whatever it was.
  if (fchmodat(folder, name.c_str(), 0600, 0) < 0) return fail_errno("cannot take over a file");
  return name_content(folder, name, digest);
}

Result<Digest> Store::digest_of(int file, uint64_t& size) {
  return copy_and_digest(file, -1, size);
}

Result<Digest> Store::put_small(int file, uint64_t size, const std::function<bool()>& is_good) {
  std::string bytes(size + 1, '\0');  // one more than there should be
  TRY_ASSIGN(size_t got, read_piece(file, bytes.data(), bytes.size()));
  if (got != size || !is_good()) return was_changed();
  bytes.resize(got);
  Sha256 hash;
  hash.add(bytes.data(), bytes.size());
  Digest digest = hash.finish();
  if (has(digest, size)) return digest;
  TRY_ASSIGN(Fd made, make_unfinished());
  Status written = file::write_all(made.get(), bytes);
  if (written) written = name_unfinished(digest);
  if (!written) unlinkat(unfinished_.get(), name_.c_str(), 0);
  if (!written) return std::unexpected(written.error());
  stored_ += size;
  return digest;
}

Result<Digest> Store::put_large(int file, const std::function<bool()>& is_good) {
  TRY_ASSIGN(Fd made, make_unfinished());
  // What is shared is read from our side, which nobody changes.
  bool is_shared = ioctl(made.get(), FICLONE, file) == 0;
  uint64_t size = 0;
  auto digest =
      is_shared ? copy_and_digest(made.get(), -1, size) : copy_and_digest(file, made.get(), size);
  bool good = digest && is_good();
  bool is_new = good && !has(*digest, size);
  Status named = is_new ? name_unfinished(*digest) : Status();
  if (!is_new || !named) unlinkat(unfinished_.get(), name_.c_str(), 0);
  if (!digest) return digest;
  if (!good) return was_changed();
  if (!named) return std::unexpected(named.error());
  if (is_new) stored_ += size;
  return digest;
}

Result<Fd> Store::open_content(const Digest& digest, uint64_t size) const {
  BlobName blob = name_of(digest);
  auto content =
      file::open_beneath(blobs_.get(), blob.folder + "/" + blob.name, O_RDONLY | O_NOFOLLOW);
  if (!content && content.error().err == ENOENT) return fail("what was kept of it is gone");
  if (!content) return content;
  struct stat facts;
  if (fstat(content->get(), &facts) < 0) return fail_errno("cannot look at a kept content");
  if (!S_ISREG(facts.st_mode) || static_cast<uint64_t>(facts.st_size) != size)
    return fail("what was kept is damaged: it has another size");
  return content;
}

Status Store::copy_to(const Digest& digest, uint64_t size, int file) const {
  TRY_ASSIGN(Fd content, open_content(digest, size));
  bool is_shared = ioctl(file, FICLONE, content.get()) == 0;
  uint64_t copied = 0;
  TRY_ASSIGN(Digest found, copy_and_digest(content.get(), is_shared ? -1 : file, copied));
  if (found != digest) return fail("what was kept is damaged: it has another digest");
  return {};
}

Status Store::visit(const std::function<void(const Digest&, uint64_t)>& use) const {
  TRY_ASSIGN(auto folders, file::list(blobs_.get()));
  for (const file::Entry& folder : folders) {
    auto opened = file::open_beneath(blobs_.get(), folder.name, O_RDONLY | O_DIRECTORY);
    if (!opened) continue;
    TRY_ASSIGN(auto names, file::list(opened->get()));
    for (const file::Entry& entry : names) {
      auto digest = Digest::parse(folder.name + entry.name);
      struct stat facts;
      if (!digest || fstatat(opened->get(), entry.name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) < 0)
        continue;
      use(*digest, static_cast<uint64_t>(facts.st_blocks) * 512);
    }
  }
  return {};
}

Status Store::remove(const Digest& digest) {
  BlobName blob = name_of(digest);
  std::string path = blob.folder + "/" + blob.name;
  if (unlinkat(blobs_.get(), path.c_str(), 0) < 0 && errno != ENOENT)
    return fail_errno("cannot remove a kept content");
  return {};
}

Status Store::remove_unfinished() {
  TRY_ASSIGN(auto names, file::list(unfinished_.get()));
  for (const file::Entry& entry : names) {
    if (unlinkat(unfinished_.get(), entry.name.c_str(), 0) < 0 && errno != ENOENT)
      return fail_errno("cannot remove a half-written content");
  }
  return {};
}

}  // namespace ringwall::undo
