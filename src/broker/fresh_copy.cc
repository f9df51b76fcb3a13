#include "broker/fresh_copy.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/file.h"
#include "broker/quarantine_item.h"

namespace ringwall::broker {
namespace {

constexpr size_t kMost = 16 << 20;

}  // namespace

Result<ino_t> put_fresh_copy(int parent, const std::string& name, const std::string* text) {
  constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  TRY_ASSIGN(Fd old, file::open_beneath(parent, name, kFlags));
  struct stat facts;
  if (fstat(old.get(), &facts) < 0 || !S_ISREG(facts.st_mode)) return fail("is no ordinary file");
  std::string content;
  if (text == nullptr) {
    TRY_ASSIGN(content, file::read_all(old.get(), kMost));
  }
  std::string aside = make_aside_name();
  Fd fresh(
      openat(parent, aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fresh) return fail_errno("cannot make a file");
  Status done = file::write_all(fresh.get(), text != nullptr ? *text : content);
  bool same_owner = geteuid() != 0 || fchown(fresh.get(), facts.st_uid, facts.st_gid) == 0;
  struct stat made;
  if (done && (!same_owner || fchmod(fresh.get(), facts.st_mode & 0777) < 0 ||
               fstat(fresh.get(), &made) < 0 ||
               renameat2(parent, aside.c_str(), parent, name.c_str(), 0) < 0)) {
    done = fail_errno("cannot put a file in place");
  }
  if (!done) {
    unlinkat(parent, aside.c_str(), 0);
    return std::unexpected(done.error());
  }
  return made.st_ino;
}

}  // namespace ringwall::broker
