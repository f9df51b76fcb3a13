#include "machine_audit/fix_apply.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>

#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"
#include "base/shell_word.h"
#include "base/text.h"

namespace ringwall::machine_audit {
namespace {

std::string name_of_now() {
  time_t now = time(nullptr);
  tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &parts);
  return std::string(text) + "-" + std::to_string(getpid());
}

std::string mode_text(mode_t mode) {
  char text[8];
  snprintf(text, sizeof text, "%04o", static_cast<unsigned>(mode & 07777));
  return text;
}

// SELinux writes its own onto the new file.
bool has_attributes(int fd) {
  char names[1024];
  ssize_t size = flistxattr(fd, names, sizeof names);
  if (size <= 0) return size < 0 && errno != ENOTSUP;
  std::string_view rest(names, static_cast<size_t>(size));
  while (!rest.empty()) {
    std::string_view name = rest.substr(0, rest.find('\0'));
    if (name != "security.selinux") return true;
    rest.remove_prefix(std::min(name.size() + 1, rest.size()));
  }
  return false;
}

class Fixer {
 public:
  Fixer(const FixPlan& plan, int home, std::string backups)
      : plan_(plan), home_(home), backups_(std::move(backups)) {}

  Result<FixedFile> fix(const PlannedFile& planned) {
    FixedFile fixed{planned.path, planned.numbers, {}, {}};
    if (!path::is_beneath(planned.path, plan_.home)) return fail("it lies outside your home");
    std::string relative = planned.path.substr(plan_.home.size() + 1);
    TRY_ASSIGN(Fd file, file::open_beneath(home_, relative, O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    struct stat facts;
    if (fstat(file.get(), &facts) < 0) return fail_errno("cannot look at it");
    bool has_text = planned.before != planned.after;
    TRY(check(file.get(), facts, has_text));
    if (has_text) {
      TRY_ASSIGN(std::string now, file::read_all(file.get(), planned.before.size() + 1));
      if (now != planned.before) return fail("it has changed meanwhile");
      TRY_ASSIGN(std::string copy, keep(relative, planned.before, facts));
      TRY(replace(relative, planned, facts));
      // By force: the file may be read-only.
      fixed.restore = "cp -pf -- " + text::shell_word(copy) + " " + text::shell_word(planned.path);
      return fixed;
    }
    if (fchmod(file.get(), planned.mode.value_or(facts.st_mode & 07777)) < 0)
      return fail_errno("cannot change its mode");
    fixed.restore = "chmod " + mode_text(facts.st_mode) + " " + text::shell_word(planned.path);
    return fixed;
  }

 private:
  Status check(int fd, const struct stat& facts, bool has_text) const {
    if (facts.st_uid != plan_.uid) return fail("it belongs to somebody else");
    if (!has_text) return {};
    if (!S_ISREG(facts.st_mode)) return fail("it is no ordinary file");
    if (facts.st_nlink != 1) return fail("it has a second name (a hard link)");
    if (has_attributes(fd)) return fail("it has attributes that a new file would not have");
    return {};
  }

  // The old text under the same name and mode.
  Result<std::string> keep(const std::string& relative, const std::string& text,
                           const struct stat& facts) {
    std::string path = path::join(backups_, relative);
    TRY_ASSIGN(Fd folder, file::make_dirs(path::parent(path)));
    std::string name(path::basename(path));
    Fd copy(openat(folder.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                   0600));
    if (!copy) return fail_errno("cannot keep a copy");
    TRY(file::write_all(copy.get(), text));
    timespec times[2] = {facts.st_atim, facts.st_mtim};
    if (fchmod(copy.get(), facts.st_mode & 07777) < 0 || futimens(copy.get(), times) < 0 ||
        fsync(copy.get()) < 0)
      return fail_errno("cannot keep a copy");
    return path;
  }

  Status replace(const std::string& relative, const PlannedFile& planned,
                 const struct stat& facts) {
    std::string parent = path::parent("/" + relative).substr(1);
    TRY_ASSIGN(Fd folder, file::open_beneath(home_, parent.empty() ? "." : parent,
                                             O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    std::string name(path::basename(relative));
    std::string fresh = "." + name + ".ringwall-" + std::to_string(getpid());
    Fd file(openat(folder.get(), fresh.c_str(),
                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file) return fail_errno("cannot write beside it");
    Status written = write_fresh(file.get(), planned, facts);
    if (written && renameat(folder.get(), fresh.c_str(), folder.get(), name.c_str()) < 0)
      written = fail_errno("cannot replace it");
    if (!written) unlinkat(folder.get(), fresh.c_str(), 0);
    return written;
  }

  static Status write_fresh(int fd, const PlannedFile& planned, const struct stat& facts) {
    TRY(file::write_all(fd, planned.after));
    bool is_same_group = facts.st_gid == getegid();
    if (!is_same_group && fchown(fd, static_cast<uid_t>(-1), facts.st_gid) < 0)
      return fail_errno("cannot give it its group");
    if (fchmod(fd, planned.mode.value_or(facts.st_mode & 07777)) < 0)
      return fail_errno("cannot give it its mode");
    if (fsync(fd) < 0) return fail_errno("cannot write it to the disk");
    return {};
  }

  const FixPlan& plan_;
  int home_;
  std::string backups_;
};

}  // namespace

Result<std::vector<FixedFile>> apply_fixes(const FixPlan& plan, const std::string& backups) {
  TRY_ASSIGN(Fd home, file::open(plan.home, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  Fixer fixer(plan, home.get(), path::join(backups, name_of_now()));
  std::vector<FixedFile> done;
  for (const PlannedFile& planned : plan.files) {
    auto fixed = fixer.fix(planned);
    if (fixed) {
      done.push_back(std::move(*fixed));
      continue;
    }
    bool is_link = fixed.error().err == ELOOP || fixed.error().err == EXDEV;
    done.push_back({planned.path,
                    planned.numbers,
                    {},
                    is_link ? "it is a link, or lies behind one" : fixed.error().text()});
  }
  return done;
}

}  // namespace ringwall::machine_audit
