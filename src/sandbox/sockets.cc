#include "sandbox/sockets.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <memory>

#include "base/fd.h"
#include "base/text.h"

namespace ringwall::sandbox {
namespace {

// Layout of getdents64's records; libc's readdir would allocate a stream for each folder.
struct RawEntry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type;
  char name[1];
};

class SocketSearch {
 public:
  SocketSearch() : buffer_(new char[kBufferSize]) {}

  Status search(int dir, const std::string& path) {
    if (depth_ == kDeepest) {
      return fail("folders are nested more than " + std::to_string(kDeepest) + " deep in " +
                      text::quote(path.substr(0, 200)),
                  "remove them, or choose another workspace");
    }
    // Folders are remembered and entered afterwards, since one buffer serves all levels.
    std::vector<std::string> folders;
    long count;
    while ((count = syscall(SYS_getdents64, dir, buffer_.get(), kBufferSize)) > 0) {
      for (long at = 0; at < count;) {
        auto* entry = reinterpret_cast<const RawEntry*>(buffer_.get() + at);
        at += entry->length;
        look_at(dir, path, *entry, folders);
      }
    }
    if (count < 0) return fail_errno("cannot list " + text::quote(path));
    for (const std::string& name : folders)
      TRY(enter(dir, path, name));
    return {};
  }

  std::vector<std::string> found;
  bool changed = false;

 private:
  static constexpr size_t kBufferSize = 65536;
  static constexpr int kDeepest = 500;  // each level holds a descriptor

  void look_at(int dir, const std::string& path, const RawEntry& entry,
               std::vector<std::string>& folders) {
    if (strcmp(entry.name, ".") == 0 || strcmp(entry.name, "..") == 0) return;
    uint8_t type = entry.type;
    if (type == DT_UNKNOWN) {  // some filesystems do not tell
      struct stat facts;
      if (fstatat(dir, entry.name, &facts, AT_SYMLINK_NOFOLLOW) < 0) return;
      type = S_ISSOCK(facts.st_mode) ? DT_SOCK : S_ISDIR(facts.st_mode) ? DT_DIR : DT_REG;
    }
    if (type == DT_SOCK) found.push_back(path + "/" + entry.name);
    if (type == DT_DIR) folders.emplace_back(entry.name);
  }

  Status enter(int dir, const std::string& path, const std::string& name) {
    Fd folder(openat(dir, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (folder) {
      depth_++;
      Status searched = search(folder.get(), path + "/" + name);
      depth_--;
      return searched;
    }
    if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP) {
      changed = true;  // removed, or renamed to where this search has been already
      return {};
    }
    if (errno == EACCES && !is_own(dir, name)) return {};
    if (errno == EACCES) {
      return fail_errno("cannot search " + text::quote(path + "/" + name) + " for sockets",
                        "chmod u+rx " + text::quote(path + "/" + name));
    }
    return fail_errno("cannot open " + text::quote(path + "/" + name));
  }

  // What belongs to somebody else and is closed to us is closed to the inside, which has the same
  // id; what is our own could be opened up inside.
  static bool is_own(int dir, const std::string& name) {
    struct stat facts;
    return fstatat(dir, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) < 0 || facts.st_uid == getuid();
  }

  std::unique_ptr<char[]> buffer_;
  int depth_ = 0;
};

// A tree in which folders come and go is searched again: one that moved may have been missed.
constexpr int kMostTries = 20;

}  // namespace

Result<std::vector<std::string>> find_sockets(const std::string& tree) {
  Fd dir(open(tree.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat facts;
  if (!dir && errno == ENXIO)
    return std::vector<std::string>{tree};  // the grant itself is a socket
  if (!dir || fstat(dir.get(), &facts) < 0) return fail_errno("cannot open " + text::quote(tree));
  if (!S_ISDIR(facts.st_mode)) return std::vector<std::string>{};
  for (int tries = 0; tries < kMostTries; tries++) {
    if (tries > 0) dir = Fd(open(tree.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!dir) break;
    SocketSearch search;
    TRY(search.search(dir.get(), tree));
    if (!search.changed) return search.found;
  }
  return fail(text::quote(tree) + " is changing while it is searched for sockets", "try again");
}

}  // namespace ringwall::sandbox
