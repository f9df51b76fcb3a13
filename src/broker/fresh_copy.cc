#include "broker/fresh_copy.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_id.h"
#include "broker/quarantine_item.h"

namespace ringwall::broker {
Fd open_file(int parent, const std::string& name) {
  struct stat facts;
  bool is_file = fstatat(parent, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
                 S_ISREG(facts.st_mode);  // to open other things could do something
  constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  auto file = is_file ? file::open_beneath(parent, name, kFlags) : Fd();
  bool is_still = file && fstat(file->get(), &facts) == 0 && S_ISREG(facts.st_mode);
  return is_still ? std::move(*file) : Fd();
}

Result<FileCopy> read_copy(int file, size_t most) {
  struct stat facts;
  if (fstat(file, &facts) < 0 || !S_ISREG(facts.st_mode)) return fail("is no ordinary file");
  if (lseek(file, 0, SEEK_SET) < 0) return fail_errno("cannot read a file");
  TRY_ASSIGN(std::string text, file::read_all(file, most));
  return FileCopy{std::move(text), facts.st_mode & 0777, facts.st_uid, facts.st_gid};
}

Result<Fd> put_fresh_copy(int parent, const std::string& name, const FileCopy& copy) {
  std::string aside = make_aside_name();
  Fd fresh(
      openat(parent, aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fresh) return fail_errno("cannot make a file");
  Status done = file::write_all(fresh.get(), copy.text);
  bool same_owner = geteuid() != 0 || fchown(fresh.get(), copy.owner, copy.group) == 0;
  Fd made(openat(parent, aside.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  if (done && (!same_owner || fchmod(fresh.get(), copy.mode) < 0 ||
               !file::is_same(made.get(), fresh.get()) ||
               renameat2(parent, aside.c_str(), parent, name.c_str(), 0) < 0)) {
    done = fail_errno("cannot put a file in place");
  }
  if (!done) {
    unlinkat(parent, aside.c_str(), 0);
    return std::unexpected(done.error());
  }
  return made;
}

}  // namespace ringwall::broker
