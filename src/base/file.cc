#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "base/path.h"
#include "base/text.h"
#include "base/unmarked_open.h"

namespace ringwall::file {

Result<Fd> open(const std::string& path, int flags, mode_t mode) {
  Fd fd(::open(path.c_str(), flags | O_CLOEXEC, mode));
  if (!fd) return fail_errno("cannot open " + text::quote(path));
  return fd;
}

Result<std::string> read_all(int fd, size_t most) {
  std::string data;
  // Of a file that says how large it is, all at once: a byte more shows the end.
  struct stat facts;
  bool is_sized = fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0;
  size_t step = is_sized ? std::min(static_cast<size_t>(facts.st_size), most) + 1 : size_t{4096};
  while (true) {
    size_t had = data.size();
    data.resize(had + step);
    ssize_t count = ::read(fd, data.data() + had, step);
    int why = errno;
    data.resize(had + (count > 0 ? static_cast<size_t>(count) : 0));
    if (count < 0 && why == EINTR) continue;
    errno = why;
    if (count < 0) return fail_errno("cannot read");
    // A network's file system may give less than there is.
    bool is_all = is_sized && static_cast<size_t>(count) < step &&
                  data.size() >= static_cast<size_t>(facts.st_size);
    if (count == 0 || is_all) return data;
    step = std::clamp<size_t>(data.size(), 4096, 65536);
    if (data.size() > most) return fail("file is larger than " + std::to_string(most) + " bytes");
  }
}

Result<std::string> read(const std::string& path, size_t most) {
  TRY_ASSIGN(Fd fd, open(path, O_RDONLY | O_NONBLOCK));  // a pipe in its place must not hang us
  auto data = read_all(fd.get(), most);
  if (!data) data.error().what += " " + text::quote(path);
  return data;
}

Status write_all(int fd, std::string_view data) {
  while (!data.empty()) {
    ssize_t count = ::write(fd, data.data(), data.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_errno("cannot write");
    data.remove_prefix(static_cast<size_t>(count));
  }
  return {};
}

Status write_existing(const std::string& path, std::string_view data) {
  TRY_ASSIGN(Fd fd, open(path, O_WRONLY));
  if (::write(fd.get(), data.data(), data.size()) != static_cast<ssize_t>(data.size())) {
    return fail_errno("cannot write " + path);
  }
  return {};
}

Status replace_at(int dir, const std::string& name, std::string_view data, mode_t mode) {
  std::string temporary = "." + name + "." + std::to_string(getpid());
  Fd fd(
      openat(dir, temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode));
  if (!fd) return fail_errno("cannot make " + text::quote(name));
  if (Status written = write_all(fd.get(), data); !written) {
    unlinkat(dir, temporary.c_str(), 0);
    return written;
  }
  if (renameat(dir, temporary.c_str(), dir, name.c_str()) < 0) {
    return fail_errno("cannot make " + text::quote(name));
  }
  return {};
}

Result<Fd> make_dirs_at(int base, std::string_view relative, mode_t mode) {
  // Mostly it is all there.
  std::string whole = relative.empty() ? "." : std::string(relative);
  if (auto there = open_beneath(base, whole, O_RDONLY | O_DIRECTORY)) return there;
  Fd current(openat(base, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!current) return fail_errno("cannot open the folder");
  for (const std::string& part : path::components(relative)) {
    if (mkdirat(current.get(), part.c_str(), mode) < 0 && errno != EEXIST) {
      return fail_errno("cannot make the folder " + text::quote(part) + " of " +
                        text::quote(relative));
    }
    Fd next(openat(current.get(), part.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!next) return fail_errno("cannot open the folder " + text::quote(relative));
    current = std::move(next);
  }
  Fd readable(openat(current.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!readable) return fail_errno("cannot open the folder " + text::quote(relative));
  return readable;
}

Result<Fd> make_dirs(const std::string& absolute, mode_t mode) {
  // The part that exists may hold symlinks (a home folder on another disk); what is made may not.
  std::string existing = absolute;
  while (!exists(existing) && existing != "/")
    existing = path::parent(existing);
  TRY_ASSIGN(Fd base, open(existing, O_PATH | O_DIRECTORY));
  return make_dirs_at(base.get(), std::string_view(absolute).substr(existing.size()), mode);
}

Result<Fd> open_beneath(int dir, const std::string& relative, int flags, mode_t mode) {
  open_how how{};
  how.flags = static_cast<uint64_t>(flags | O_CLOEXEC);
  how.mode = mode;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  Fd fd(sys::openat2_unmarked(dir, relative.c_str(), how));
  if (!fd) return fail_errno("cannot open " + text::quote(relative));
  return fd;
}

Result<std::vector<Entry>> list(int dir_fd) {
  Fd own(openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!own) return fail_errno("cannot open the folder");
  std::unique_ptr<DIR, int (*)(DIR*)> dir(fdopendir(own.get()), closedir);
  if (!dir) return fail_errno("cannot list the folder");
  own.release();
  std::vector<Entry> entries;
  while (true) {
    errno = 0;
    dirent* entry = readdir(dir.get());
    if (entry == nullptr) break;
    std::string_view name = entry->d_name;
    if (name != "." && name != "..") entries.push_back({std::string(name), entry->d_type});
  }
  if (errno != 0) return fail_errno("cannot list the folder");
  return entries;
}

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

Result<std::string> read_link(const std::string& path) {
  char target[PATH_MAX];
  // By the call that is on the helpers' lists.
  ssize_t length = readlinkat(AT_FDCWD, path.c_str(), target, sizeof target);
  if (length < 0) return fail_errno("cannot read the link " + text::quote(path));
  return std::string(target, static_cast<size_t>(length));
}

}  // namespace ringwall::file
