#include "state/registry.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/file.h"
#include "base/file_id.h"
#include "base/path.h"
#include "base/process.h"
#include "base/text.h"
#include "base/tree.h"

namespace ringwall::state {
namespace {

constexpr int kMostRuns = 10000;
constexpr std::string_view kUnnamed = ".new-";
constexpr int kPatience = 20;  // a leftover that is being removed looks like a run for a moment

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

// An entry that is about to be locked and named; its name holds the number of its maker.
bool is_being_made(const std::string& name) {
  if (!name.starts_with(kUnnamed)) return false;
  pid_t maker = atoi(name.c_str() + kUnnamed.size());
  return process::is_running(maker);
}

// True if the run is going on. A leftover is removed while its lock is ours, so no one else does it
// too.
bool is_going_on(int runs, const std::string& name) {
  Fd folder = open_folder(runs, name);
  if (!folder) return false;
  if (is_being_made(name)) return false;
  if (flock(folder.get(), LOCK_EX | LOCK_NB) < 0) return !name.starts_with(kUnnamed);
  if (file::still_names(runs, name, folder.get())) (void)tree::remove_at(runs, name);
  return false;
}

// Null if the name is taken. The folder is locked before it gets its name: whoever sees the name
// finds it locked, and takes it for no leftover.
Result<Fd> try_take(int runs, const std::string& name) {
  std::string unnamed = std::string(kUnnamed) + std::to_string(getpid());
  if (mkdirat(runs, unnamed.c_str(), 0700) < 0 && errno != EEXIST) {
    return fail_errno("cannot register the run " + text::quote(name));
  }
  Fd folder = open_folder(runs, unnamed);
  if (!folder || flock(folder.get(), LOCK_EX | LOCK_NB) < 0) {
    return fail_errno("cannot lock the entry of the run " + text::quote(name));
  }
  if (renameat2(runs, unnamed.c_str(), runs, name.c_str(), RENAME_NOREPLACE) == 0) return folder;
  if (errno != EEXIST) return fail_errno("cannot register the run " + text::quote(name));
  unlinkat(runs, unnamed.c_str(), AT_REMOVEDIR);
  return Fd();
}

// It may lie in a folder that is everybody's: what is there must be ours alone.
Result<Fd> open_runs(const std::string& runs) {
  TRY_ASSIGN(Fd folder, file::make_dirs(runs));
  struct stat facts;
  if (fstat(folder.get(), &facts) < 0) return fail_errno("cannot look at " + text::quote(runs));
  if (facts.st_uid != getuid() || (facts.st_mode & 077) != 0) {
    return fail("the registry of runs " + text::quote(runs) + " is open to others", "remove it");
  }
  return folder;
}

}  // namespace

Registration& Registration::operator=(Registration&& other) noexcept {
  if (this != &other) {
    remove();
    name_ = std::move(other.name_);
    runs_path_ = std::move(other.runs_path_);
    runs_ = std::move(other.runs_);
    folder_ = std::move(other.folder_);
  }
  return *this;
}

void Registration::hand_over() {
  runs_.close();
  folder_.close();
}

Registration::~Registration() { remove(); }

void Registration::remove() {
  if (!folder_) return;
  unlinkat(folder_.get(), "control", 0);
  unlinkat(folder_.get(), "writes", 0);
  // A failure leaves what a kill would leave: the next start removes it.
  if (unlinkat(runs_.get(), name_.c_str(), AT_REMOVEDIR) < 0) {
    (void)tree::remove_at(runs_.get(), name_);
  }
  folder_.close();
  // The last run leaves no trace; with others going on this fails, as it should.
  rmdir(runs_path_.c_str());
}

Result<Registration> register_run(const std::string& runs, const std::string& wanted,
                                  const std::string& workspace,
                                  const std::function<bool(const std::string&)>& reserved) {
  TRY_ASSIGN(auto taken, list_runs(runs));  // removes what killed runs left
  std::string base = plain_name(path::basename(workspace));
  int number = 1;
  auto next_name = [&] {
    while (true) {
      std::string name = base + "-" + std::to_string(number);
      bool is_free = !std::binary_search(taken.begin(), taken.end(), name);
      if (is_free && (!reserved || !reserved(name))) return name;
      number++;
    }
  };
  for (int tries = 0; tries < kMostRuns; tries++) {
    Registration registration;
    registration.runs_path_ = runs;
    registration.name_ = wanted.empty() ? next_name() : wanted;
    auto opened = open_runs(runs);
    auto folder = opened ? try_take(opened->get(), registration.name_) : std::move(opened);
    // The last run of before may take the registry with it at any moment; it is made anew then.
    if (!folder && folder.error().err == ENOENT) continue;
    if (!folder) return std::unexpected(folder.error());
    registration.runs_ = std::move(*opened);
    registration.folder_ = std::move(*folder);
    if (registration.folder_) return registration;
    if (is_going_on(registration.runs_.get(), registration.name_)) {
      if (!wanted.empty() && tries > kPatience) {
        return fail("a run named " + text::quote(wanted) + " is going on",
                    "choose another --name, or see: ringwall ls");
      }
      if (!wanted.empty()) usleep(1000);
      number++;
    }
  }
  return fail("too many runs of one workspace", "see: ringwall ls");
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

bool is_run_going_on(const std::string& runs, const std::string& name) {
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos)
    return false;
  auto folder = file::open(runs, O_RDONLY | O_DIRECTORY);
  return folder && is_going_on(folder->get(), name);
}

Result<Fd> open_run(const std::string& runs, const std::string& name) {
  if (!is_run_going_on(runs, name)) {
    TRY_ASSIGN(auto names, list_runs(runs));
    std::string near = text::nearest(name, names);
    std::string hint = names.empty()  ? "no run is going on"
                       : near.empty() ? "going on are: " + text::join(names, ", ")
                                      : "did you mean " + near + "?";
    return fail("no run named " + text::quote(name), hint);
  }
  return file::open(path::join(runs, name), O_RDONLY | O_DIRECTORY);
}

}  // namespace ringwall::state
