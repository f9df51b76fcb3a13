#include "base/tree.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "base/fd.h"
#include "base/file.h"
#include "base/file_id.h"
#include "base/syscalls.h"
#include "base/text.h"

namespace ringwall::tree {
namespace {

uint64_t bytes_of(const struct stat& facts) { return static_cast<uint64_t>(facts.st_blocks) * 512; }

Fd open_within(int dir, const std::string& name, int flags) {
  open_how how{};
  how.flags = static_cast<uint64_t>(flags | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV;
  return Fd(sys::openat2(dir, name.c_str(), how));
}

// One descriptor walks down by names and up by "..": a tree can be deeper than we may open files.
class Walk {
 public:
  Measure measure(int dir, const std::string& name) {
    struct stat facts;
    if (fstatat(dir, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) < 0) return {0, errno == ENOENT};
    measure_.bytes = bytes_of(facts);
    if (!S_ISDIR(facts.st_mode)) return measure_;
    enter(dir, name);
    while (!levels_.empty() && step()) {
    }
    return measure_;
  }

 private:
  struct Level {
    file::Id id;
    std::vector<std::string> folders;  // not yet looked into
  };

  void enter(int dir, const std::string& name) {
    Fd folder = open_within(dir, name, O_RDONLY);
    struct stat facts;
    // Without the right to search it, nothing of it can be looked at, and ".." leads nowhere.
    if (!folder || faccessat(folder.get(), ".", X_OK, AT_EACCESS) < 0 ||
        fstat(folder.get(), &facts) < 0) {
      measure_.whole = false;
      return;
    }
    at_ = std::move(folder);
    levels_.push_back({file::id_of(facts), add_entries()});
  }

  std::vector<std::string> add_entries() {
    std::vector<std::string> folders;
    auto entries = file::list(at_.get());
    measure_.whole &= entries.has_value();
    if (!entries) return folders;
    for (const file::Entry& entry : *entries) {
      struct stat facts;
      if (fstatat(at_.get(), entry.name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) < 0) {
        measure_.whole = false;
        continue;
      }
      measure_.bytes += bytes_of(facts);
      if (S_ISDIR(facts.st_mode)) folders.push_back(entry.name);
    }
    return folders;
  }

  // False if somebody moved the folder that we are in.
  bool step() {
    std::vector<std::string>& folders = levels_.back().folders;
    if (!folders.empty()) {
      std::string next = std::move(folders.back());
      folders.pop_back();
      enter(at_.get(), next);
      return true;
    }
    levels_.pop_back();
    if (levels_.empty()) return true;
    Fd up(openat(at_.get(), "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    struct stat facts;
    if (!up || fstat(up.get(), &facts) < 0 || file::id_of(facts) != levels_.back().id) {
      measure_.whole = false;
      return false;
    }
    at_ = std::move(up);
    return true;
  }

  Fd at_;
  std::vector<Level> levels_;
  Measure measure_;
};

// Null if it is gone. The descriptor is of the very folder whose mode is changed: a link that takes
// its place meanwhile changes nothing else.
Result<Fd> open_for_emptying(int dir, const std::string& name) {
  Fd seen = open_within(dir, name, O_PATH);
  if (!seen && errno == ENOENT) return Fd();
  struct stat facts;
  if (!seen || fstat(seen.get(), &facts) < 0) return fail_errno("cannot open " + text::quote(name));
  std::string itself = "/proc/self/fd/" + std::to_string(seen.get());
  if ((facts.st_mode & 0700) != 0700 && chmod(itself.c_str(), 0700) < 0)
    return fail_errno("cannot open " + text::quote(name));
  Fd folder(openat(seen.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder) return fail_errno("cannot open " + text::quote(name));
  return folder;
}

// Folders move up to the top before they are emptied, so the tree never gets deeper than two.
class Removal {
 public:
  explicit Removal(Fd top) : top_(std::move(top)) {}

  Status empty(const std::string& kept) {
    TRY_ASSIGN(auto entries, file::list(top_.get()));
    for (const file::Entry& entry : entries) {
      if (entry.name == kept) continue;
      TRY_ASSIGN(bool folder, unlink_unless_folder(top_.get(), entry.name));
      if (folder) waiting_.push_back(entry.name);
    }
    while (!waiting_.empty()) {
      std::string next = std::move(waiting_.back());
      waiting_.pop_back();
      TRY(remove_folder(next));
    }
    return {};
  }

 private:
  static Result<bool> unlink_unless_folder(int dir, const std::string& name) {
    if (unlinkat(dir, name.c_str(), 0) == 0 || errno == ENOENT) return false;
    // Some file systems say EPERM for a folder.
    if (errno == EISDIR || errno == EPERM) return true;
    return fail_errno("cannot remove " + text::quote(name));
  }

  Status remove_folder(const std::string& name) {
    TRY_ASSIGN(Fd folder, open_for_emptying(top_.get(), name));
    if (!folder) return {};
    TRY_ASSIGN(auto entries, file::list(folder.get()));
    for (const file::Entry& entry : entries) {
      TRY_ASSIGN(bool is_folder, unlink_unless_folder(folder.get(), entry.name));
      if (is_folder) TRY(move_up(folder.get(), entry.name));
    }
    if (unlinkat(top_.get(), name.c_str(), AT_REMOVEDIR) < 0 && errno != ENOENT)
      return fail_errno("cannot remove " + text::quote(name));
    return {};
  }

  Status move_up(int from, const std::string& name) {
    // Moving changes its "..", so it must be open to us.
    TRY_ASSIGN(Fd folder, open_for_emptying(from, name));
    if (!folder) return {};
    while (true) {
      std::string free = ".removed-" + std::to_string(next_++);
      if (renameat2(from, name.c_str(), top_.get(), free.c_str(), RENAME_NOREPLACE) == 0) {
        waiting_.push_back(std::move(free));
        return {};
      }
      if (errno == ENOENT) return {};
      if (errno != EEXIST) return fail_errno("cannot remove " + text::quote(name));
    }
  }

  Fd top_;
  std::vector<std::string> waiting_;
  uint64_t next_ = 0;
};

}  // namespace

Measure measure_at(int dir, const std::string& name) { return Walk().measure(dir, name); }

Status remove_at(int dir, const std::string& name, const std::string& last) {
  struct stat facts;
  if (fstatat(dir, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) < 0) {
    if (errno == ENOENT) return {};
    return fail_errno("cannot remove " + text::quote(name));
  }
  if (!S_ISDIR(facts.st_mode)) {
    if (unlinkat(dir, name.c_str(), 0) == 0 || errno == ENOENT) return {};
    return fail_errno("cannot remove " + text::quote(name));
  }
  TRY(empty_at(dir, name, last));
  // Nothing else is in there, so this is quick.
  if (!last.empty()) TRY(empty_at(dir, name));
  if (unlinkat(dir, name.c_str(), AT_REMOVEDIR) < 0 && errno != ENOENT)
    return fail_errno("cannot remove " + text::quote(name));
  return {};
}

Status empty_at(int dir, const std::string& name, const std::string& kept) {
  TRY_ASSIGN(Fd top, open_for_emptying(dir, name));
  if (!top) return {};
  return Removal(std::move(top)).empty(kept);
}

}  // namespace ringwall::tree
