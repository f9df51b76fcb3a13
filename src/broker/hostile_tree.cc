#include "broker/hostile_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <memory>

#include "base/file.h"
#include "base/syscalls.h"
#include "base/text.h"

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

namespace ringwall::broker {
namespace {

Fd open_within(int dir, const std::string& name, int flags) {
  open_how how{};
  how.flags = static_cast<uint64_t>(flags | O_NOFOLLOW | O_CLOEXEC);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV;
  return Fd(sys::openat2(dir, name.c_str(), how));
}

// At most `most` names: a folder of millions must not fill our memory. `whole` tells if that was
// all.
Result<std::vector<std::string>> read_names(int folder, size_t most, bool& whole) {
  Fd own(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!own) return fail_errno("cannot open the folder");
  std::unique_ptr<DIR, int (*)(DIR*)> dir(fdopendir(own.get()), closedir);
  if (!dir) return fail_errno("cannot list the folder");
  own.release();
  std::vector<std::string> names;
  whole = true;
  errno = 0;
  while (const dirent* entry = readdir(dir.get())) {
    std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (names.size() == most) {
      whole = false;
      return names;
    }
    names.emplace_back(name);
    errno = 0;
  }
  if (errno != 0) return fail_errno("cannot list the folder");
  return names;
}

class Walk {
 public:
  Walk(const Bounds& bounds, const Visit& visit) : left_(bounds.entries), visit_(visit) {}

  void enter(int dir, const std::string& name, const std::string& path, size_t depth) {
    struct stat facts;
    if (left_ == 0 || fstatat(dir, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) < 0) {
      whole_ = false;
      return;
    }
    left_--;
    if (!visit_(path, facts)) {
      whole_ = false;
      left_ = 0;
      return;
    }
    if (!S_ISDIR(facts.st_mode)) return;
    Fd folder = depth == 0 ? Fd() : open_within(dir, name, O_RDONLY | O_DIRECTORY);
    bool all = false;
    auto names = folder ? read_names(folder.get(), left_, all) : fail("closed");
    whole_ = whole_ && names.has_value() && all;
    if (!names) return;
    for (const std::string& next : *names)
      enter(folder.get(), next, path + "/" + next, depth - 1);
  }

  bool whole() const { return whole_; }

 private:
  size_t left_;
  const Visit& visit_;
  bool whole_ = true;
};

// Gives the owner `wanted` on the very thing that is looked at, whatever takes its name meanwhile.
void open_up(int dir, const std::string& name, mode_t wanted) {
  Fd seen = open_within(dir, name, O_PATH);
  struct stat facts;
  if (!seen || fstat(seen.get(), &facts) < 0 || S_ISLNK(facts.st_mode)) return;
  // If it cannot be changed, the open that follows says so.
  (void)change_mode(seen.get(), (facts.st_mode & 0777) | wanted);
}

Result<Fd> open_to_read(int dir, const std::string& name, int flags, mode_t wanted) {
  Fd fd = open_within(dir, name, flags);
  if (!fd && errno == EACCES) {
    open_up(dir, name, wanted);
    fd = open_within(dir, name, flags);
  }
  if (!fd) return fail_errno("cannot open " + text::quote(name));
  return fd;
}

Status keep_owner_and_mode(int fd, const struct stat& facts) {
  if (geteuid() == 0 && fchown(fd, facts.st_uid, facts.st_gid) < 0)
    return fail_errno("cannot set the owner");
  if (fchmod(fd, facts.st_mode & 0777) < 0) return fail_errno("cannot set the mode");
  return {};
}

class Copy {
 public:
  explicit Copy(const Bounds& bounds) : bounds_(bounds) {}

  // `path` is only for what is told.
  Status copy(int from_dir, const std::string& from, int to_dir, const std::string& to,
              const std::string& path, size_t depth) {
    struct stat facts;
    if (fstatat(from_dir, from.c_str(), &facts, AT_SYMLINK_NOFOLLOW) < 0)
      return fail_errno("cannot look at " + text::quote(path));
    if (++copied_.entries > bounds_.entries)
      return fail("it holds more than " + std::to_string(bounds_.entries) + " files");
    if (S_ISREG(facts.st_mode)) return copy_file(from_dir, from, facts, to_dir, to, path);
    if (S_ISDIR(facts.st_mode)) return copy_folder(from_dir, from, facts, to_dir, to, path, depth);
    if (S_ISLNK(facts.st_mode)) return copy_link(from_dir, from, facts, to_dir, to, path);
    if (depth == bounds_.depth)
      return fail(text::quote(path) + " is neither a file, a folder nor a link");
    copied_.entries--;
    copied_.left_out.push_back(path);
    return {};
  }

  Copied take() { return std::move(copied_); }

 private:
  // The kind is asked again of what was opened: another thing may have taken the name.
  static Status check_kind(int fd, const struct stat& seen, struct stat& facts,
                           const std::string& path) {
    if (fstat(fd, &facts) < 0) return fail_errno("cannot look at " + text::quote(path));
    if ((facts.st_mode & S_IFMT) != (seen.st_mode & S_IFMT))
      return fail(text::quote(path) + " changed while it was copied");
    facts.st_mode = seen.st_mode;  // as it was before we opened it up
    return {};
  }

  Status copy_file(int from_dir, const std::string& from, const struct stat& seen, int to_dir,
                   const std::string& to, const std::string& path) {
    TRY_ASSIGN(Fd in, open_to_read(from_dir, from, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0400));
    struct stat facts;
    TRY(check_kind(in.get(), seen, facts, path));
    // Told before a sparse file of a terabyte is read.
    if (static_cast<uint64_t>(facts.st_size) > bounds_.bytes - copied_.bytes) return too_large();
    Fd out(openat(to_dir, to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!out) return fail_errno("cannot make the copy of " + text::quote(path));
    TRY(copy_bytes(in.get(), out.get(), path));
    TRY(keep_owner_and_mode(out.get(), facts));
    return note_id(out.get());
  }

  Status copy_bytes(int in, int out, const std::string& path) {
    std::vector<char> buffer(1 << 17);
    while (true) {
      ssize_t count = read(in, buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return fail_errno("cannot read " + text::quote(path));
      if (count == 0) return {};
      copied_.bytes += static_cast<uint64_t>(count);
      if (copied_.bytes > bounds_.bytes) return too_large();  // it grows while we read
      auto written = file::write_all(out, {buffer.data(), static_cast<size_t>(count)});
      if (!written) {
        written.error().what = "cannot write the copy of " + text::quote(path);
        return written;
      }
    }
  }

  Status copy_folder(int from_dir, const std::string& from, const struct stat& seen, int to_dir,
                     const std::string& to, const std::string& path, size_t depth) {
    if (depth == 0) return fail("it is deeper than " + std::to_string(bounds_.depth) + " folders");
    if ((seen.st_mode & 0500) != 0500) open_up(from_dir, from, 0500);
    TRY_ASSIGN(Fd in, open_to_read(from_dir, from, O_RDONLY | O_DIRECTORY, 0500));
    struct stat facts;
    TRY(check_kind(in.get(), seen, facts, path));
    if (mkdirat(to_dir, to.c_str(), 0700) < 0)
      return fail_errno("cannot make the copy of " + text::quote(path));
    Fd out = open_within(to_dir, to, O_RDONLY | O_DIRECTORY);
    if (!out) return fail_errno("cannot open the copy of " + text::quote(path));
    bool whole = false;
    size_t left = bounds_.entries - copied_.entries;
    TRY_ASSIGN(auto names, read_names(in.get(), left, whole));
    if (!whole) return fail("it holds more than " + std::to_string(bounds_.entries) + " files");
    for (const std::string& name : names)
      TRY(copy(in.get(), name, out.get(), name, path + "/" + name, depth - 1));
    TRY(keep_owner_and_mode(out.get(), facts));
    return note_id(out.get());
  }

  Status copy_link(int from_dir, const std::string& from, const struct stat& seen, int to_dir,
                   const std::string& to, const std::string& path) {
    char target[PATH_MAX + 1];
    ssize_t length = readlinkat(from_dir, from.c_str(), target, PATH_MAX);
    if (length < 0) return fail_errno("cannot read the link " + text::quote(path));
    target[length] = '\0';
    if (symlinkat(target, to_dir, to.c_str()) < 0)
      return fail_errno("cannot make the copy of " + text::quote(path));
    if (geteuid() == 0 &&
        fchownat(to_dir, to.c_str(), seen.st_uid, seen.st_gid, AT_SYMLINK_NOFOLLOW) < 0)
      return fail_errno("cannot set the owner");
    Fd made = open_within(to_dir, to, O_PATH);
    if (!made) return fail_errno("cannot open the copy of " + text::quote(path));
    return note_id(made.get());
  }

  // The last one noted is the outermost.
  Status note_id(int fd) {
    struct stat facts;
    if (fstat(fd, &facts) < 0) return fail_errno("cannot look at the copy");
    copied_.id = file::id_of(facts);
    return {};
  }

  std::unexpected<Error> too_large() const {
    return fail("it is larger than " + std::to_string(bounds_.bytes >> 20) + " MiB");
  }

  const Bounds bounds_;
  Copied copied_;
};

}  // namespace

bool walk_hostile(int dir, const std::string& name, const Bounds& bounds, const Visit& visit) {
  Walk walk(bounds, visit);
  walk.enter(dir, name, name, bounds.depth);
  return walk.whole();
}

Result<Copied> copy_hostile(int from_dir, const std::string& from, int to_dir,
                            const std::string& to, const Bounds& bounds) {
  Copy copy(bounds);
  TRY(copy.copy(from_dir, from, to_dir, to, from, bounds.depth));
  return copy.take();
}

OpenedUp::~OpenedUp() {
  // What cannot be put back stays open to its owner, who is the person.
  for (const Change& change : changes_)
    (void)change_mode(change.fd.get(), change.before);
}

void OpenedUp::open(int parent, const std::string& name) {
  add(Fd(fcntl(parent, F_DUPFD_CLOEXEC, 3)));
  add(open_within(parent, name, O_PATH | O_DIRECTORY));
}

void OpenedUp::add(Fd folder) {
  struct stat facts;
  if (!folder || fstat(folder.get(), &facts) < 0 || !S_ISDIR(facts.st_mode)) return;
  mode_t before = facts.st_mode & 07777;
  if ((before & 0700) == 0700 || !change_mode(folder.get(), before | 0700)) return;
  changes_.push_back({std::move(folder), before});
}

Status change_mode(int fd, mode_t mode) {
  if (fchmod(fd, mode) == 0) return {};
  if (errno == EBADF && syscall(SYS_fchmodat2, fd, "", mode, AT_EMPTY_PATH) == 0) return {};
  if (errno != ENOSYS) return fail_errno("cannot change the mode");
  // Kernels before 6.6.
  std::string itself = "/proc/self/fd/" + std::to_string(fd);
  if (chmod(itself.c_str(), mode) < 0) return fail_errno("cannot change the mode");
  return {};
}

}  // namespace ringwall::broker
