#include "changes/workplace.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "changes/journal.h"

namespace ringwall::changes {
namespace {

Result<std::string> make_hidden_name() {
  uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) return fail_errno("no random number");
  char name[48];
  snprintf(name, sizeof name, ".ringwall-staging-%016llx", static_cast<unsigned long long>(number));
  return std::string(name);
}

// Two names are exchanged in one act, or nothing is begun.
Status check_exchange(int folder) {
  for (const char* name : {"exchange-a", "exchange-b"}) {
    Fd file(openat(folder, name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file) return fail_errno("cannot make a file beside the tree");
  }
  int exchanged = renameat2(folder, "exchange-a", folder, "exchange-b", RENAME_EXCHANGE);
  Status status =
      exchanged == 0
          ? Status{}
          : fail_errno("the filesystem of this tree cannot exchange two files in one act",
                       "take over the files by hand");
  unlinkat(folder, "exchange-a", 0);
  unlinkat(folder, "exchange-b", 0);
  return status;
}

}  // namespace

// The kernel compares the mounts before it looks for the names, so that a try with names that are
// not there leaves no trace.
bool is_near(int from, int to) {
  constexpr const char* kNone = ".ringwall-is-never-there";
  struct stat one, other;
  if (fstat(from, &one) < 0 || fstat(to, &other) < 0 || one.st_dev != other.st_dev) return false;
  return renameat2(from, kNone, to, kNone, RENAME_NOREPLACE) < 0 && errno == ENOENT;
}

Status Workplace::look_at_top() {
  struct stat seen;
  if (fstat(tree_, &seen) < 0) return fail_errno("cannot look at the tree");
  top_ = facts_of(seen);
  if (top_.type != EntryType::folder) return fail("the tree is no folder");
  return {};
}

Result<Workplace> Workplace::make(int tree, int journal, const TransactionOptions& options) {
  Workplace place(tree, journal, options);
  TRY(place.look_at_top());
  int parent = journal;
  std::string name = kStagedFolder;
  if (!is_near(journal, tree)) {
    TRY_ASSIGN(place.name_, make_hidden_name());
    TRY(write_staging_name(journal, place.name_));
    parent = tree;
    name = place.name_;
  }
  TRY(place.reach("make staging"));
  if (mkdirat(parent, name.c_str(), 0700) < 0)
    return fail_errno("cannot make a folder for new files");
  TRY_ASSIGN(place.staging_, file::open_beneath(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  TRY(check_exchange(place.staging()));
  return place;
}

Result<Workplace> Workplace::open(int tree, int journal, const std::string& name,
                                  const TransactionOptions& options) {
  Workplace place(tree, journal, options);
  TRY(place.look_at_top());
  place.name_ = name;
  int parent = name.empty() ? journal : tree;
  std::string folder = name.empty() ? kStagedFolder : name;
  TRY_ASSIGN(place.staging_,
             file::open_beneath(parent, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  return place;
}

Status Workplace::reach(std::string_view act) const {
  if (!options_->before_act) return {};
  errno = options_->before_act(act);
  if (errno != 0) return fail_errno("cannot go on");
  return {};
}

Status Workplace::sync() const {
  TRY(reach("sync"));
  if (syncfs(staging()) < 0) return fail_errno("cannot sync the tree's filesystem");
  return {};
}

Result<EntryFacts> look_in(int folder, const char* name) {
  struct stat seen;
  if (fstatat(folder, name, &seen, AT_SYMLINK_NOFOLLOW) < 0) {
    if (errno == ENOENT) return EntryFacts{};
    return fail_errno("cannot look at a file");
  }
  return facts_of(seen);
}

}  // namespace ringwall::changes
