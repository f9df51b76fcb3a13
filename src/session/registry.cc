#include "session/registry.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"

namespace ringwall::session {
namespace {

constexpr int kMostRuns = 10000;

std::string plain_name(std::string_view workspace) {
  std::string name;
  for (char c : workspace) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 c == '-' || c == '_';
    if (name.size() < 40) name += plain ? c : '_';
  }
  return name.empty() || name[0] == '-' ? "run" + name : name;
}

Fd open_folder(int runs, const std::string& name) {
  return Fd(openat(runs, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

bool is_same_folder(int runs, const std::string& name, int folder) {
  struct stat there, here;
  return fstatat(runs, name.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0 &&
         fstat(folder, &here) == 0 && there.st_ino == here.st_ino && there.st_dev == here.st_dev;
}

// True if the run is going on. A leftover is removed while its lock is ours, so no one else does it
// too.
bool is_going_on(int runs, const std::string& name) {
  Fd folder = open_folder(runs, name);
  if (!folder) return false;
  if (flock(folder.get(), LOCK_EX | LOCK_NB) < 0) return true;
  if (is_same_folder(runs, name, folder.get())) (void)file::remove_tree_at(runs, name);
  return false;
}

// Null if the name is taken or was taken from us between two calls.
Result<Fd> try_take(int runs, const std::string& name) {
  if (mkdirat(runs, name.c_str(), 0700) < 0) {
    if (errno == EEXIST) return Fd();
    return fail_errno("cannot register the run " + text::quote(name));
  }
  Fd folder = open_folder(runs, name);
  if (!folder || flock(folder.get(), LOCK_EX | LOCK_NB) < 0) return Fd();
  if (!is_same_folder(runs, name, folder.get())) return Fd();
  return folder;
}

}  // namespace

Registration& Registration::operator=(Registration&& other) noexcept {
  if (this != &other) {
    remove();
    name_ = std::move(other.name_);
    runs_ = std::move(other.runs_);
    folder_ = std::move(other.folder_);
  }
  return *this;
}

Registration::~Registration() { remove(); }

void Registration::remove() {
  // A failure leaves what a kill would leave: the next start removes it.
  if (folder_) (void)file::remove_tree_at(runs_.get(), name_);
  folder_.close();
}

Result<Registration> register_run(const std::string& runs, const std::string& wanted,
                                  const std::string& workspace) {
  Registration registration;
  TRY_ASSIGN(registration.runs_, file::make_dirs(runs));
  int folder = registration.runs_.get();
  TRY_ASSIGN(auto entries, file::list(folder));
  for (const file::Entry& entry : entries)
    is_going_on(folder, entry.name);
  if (!wanted.empty()) {
    registration.name_ = wanted;
    TRY_ASSIGN(registration.folder_, try_take(folder, wanted));
    if (registration.folder_) return registration;
    return fail("a run named " + text::quote(wanted) + " is going on",
                "choose another --name, or see: ringwall runs");
  }
  std::string base = plain_name(path::basename(workspace));
  for (int number = 1; number < kMostRuns; number++) {
    registration.name_ = base + "-" + std::to_string(number);
    TRY_ASSIGN(registration.folder_, try_take(folder, registration.name_));
    if (registration.folder_) return registration;
  }
  return fail("more than " + std::to_string(kMostRuns) + " runs of one workspace");
}

Result<std::vector<std::string>> list_runs(const std::string& runs) {
  std::vector<std::string> names;
  auto folder = file::open(runs, O_RDONLY | O_DIRECTORY);
  if (!folder) {
    if (folder.error().err == ENOENT) return names;
    return std::unexpected(folder.error());
  }
  TRY_ASSIGN(auto entries, file::list(folder->get()));
  for (const file::Entry& entry : entries) {
    if (is_going_on(folder->get(), entry.name)) names.push_back(entry.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<Fd> open_run(const std::string& runs, const std::string& name) {
  TRY_ASSIGN(auto names, list_runs(runs));
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    std::string near = text::nearest(name, names);
    std::string hint = names.empty()  ? "no run is going on"
                       : near.empty() ? "going on are: " + text::join(names, ", ")
                                      : "did you mean " + near + "?";
    return fail("no run named " + text::quote(name), hint);
  }
  return file::open(path::join(runs, name), O_RDONLY | O_DIRECTORY);
}

}  // namespace ringwall::session
