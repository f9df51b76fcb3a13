#include "changes/closed_file.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "base/file.h"
#include "base/own_namespace.h"
#include "changes/attributes.h"

namespace ringwall::changes {
namespace {

constexpr int kHow = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

bool write_down(int file, int attributes) {
  auto found = read_attributes_of_open(file);
  return found && file::write_all(attributes, pack(*found)).has_value();
}

// A child that shares our table of descriptors opens it and puts it in the place of `slot`; what it
// carries is written to `attributes`, if that is a file.
Result<Fd> open_by_child(int place, int attributes) {
  Fd slot(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!slot) return fail_errno("cannot open /dev/null");
  std::string path = path_of(place);
  auto child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD | CLONE_FILES, 0, 0, 0, 0));
  if (child < 0) return fail_errno("cannot start a child");
  if (child == 0) {
    int opened = enter_own_namespace() ? ::open(path.c_str(), kHow) : -1;
    bool is_put = opened >= 0 && (attributes < 0 || write_down(opened, attributes)) &&
                  dup3(opened, slot.get(), O_CLOEXEC) >= 0;
    if (opened >= 0) ::close(opened);
    _exit(is_put ? 0 : 1);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return fail_errno("cannot wait for a child");
  }
  if (status == 0) return slot;
  errno = EACCES;
  return fail_errno("cannot read a file");
}

Result<Fd> open_closed(int place, int attributes = -1) {
  struct stat seen;
  if (fstat(place, &seen) < 0) return fail_errno("cannot look at a file");
  if (seen.st_uid == geteuid()) return open_by_child(place, attributes);
  errno = EACCES;
  return fail_errno("cannot read a file");
}

Result<Fd> open_as_it_is(int place) {
  struct stat seen;
  if (fstat(place, &seen) < 0) return fail_errno("cannot look at a file");
  if (!S_ISREG(seen.st_mode)) return fail("is no ordinary file");
  Fd opened(::open(path_of(place).c_str(), kHow));
  if (!opened) return fail_errno("cannot read a file");
  return opened;
}

}  // namespace

Result<Fd> open_to_read(int place) {
  auto opened = open_as_it_is(place);
  return opened || opened.error().err != EACCES ? std::move(opened) : open_closed(place);
}

Result<ContentAndAttributes> open_to_keep(int place) {
  ContentAndAttributes found;
  auto opened = open_as_it_is(place);
  if (opened) {
    TRY_ASSIGN(found.attributes, read_attributes_of_open(opened->get()));
    found.content = std::move(*opened);
    return found;
  }
  if (opened.error().err != EACCES) return std::unexpected(opened.error());
  Fd attributes(memfd_create("attributes", MFD_CLOEXEC));
  if (!attributes) return fail_errno("cannot make a file in memory");
  TRY_ASSIGN(found.content, open_closed(place, attributes.get()));
  if (lseek(attributes.get(), 0, SEEK_SET) < 0) return fail_errno("cannot read attributes");
  TRY_ASSIGN(std::string bytes, file::read_all(attributes.get()));
  TRY_ASSIGN(found.attributes, unpack(bytes));
  return found;
}

}  // namespace ringwall::changes
