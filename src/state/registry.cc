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
constexpr const char* kNoted = "registries";  // in the state folder
constexpr size_t kMostNoted = 16 << 10;       // bytes of it
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

Error name_is_taken(const std::string& name) {
  return {"a run named " + text::quote(name) + " is going on", 0,
          "choose another --name, or see: ringwall ls"};
}

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
        return std::unexpected(name_is_taken(wanted));
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

namespace {

Error no_run(const std::string& name, const std::vector<std::string>& names) {
  std::string near = text::nearest(name, names);
  std::string hint = names.empty()  ? "no run is going on"
                     : near.empty() ? "going on are: " + text::join(names, ", ")
                                    : "did you mean " + near + "?";
  return {"no run named " + text::quote(name), 0, hint};
}

// What others can change says nothing of our runs.
bool is_ours_alone(const std::string& registry) {
  struct stat facts;
  return lstat(registry.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) &&
         facts.st_uid == getuid() && (facts.st_mode & 077) == 0;
}

std::vector<std::string> read_noted(const Places& places) {
  auto noted = file::read(path::join(places.state, kNoted), kMostNoted * 2);
  std::vector<std::string> found;
  for (std::string& registry : text::split(noted.value_or(""), '\n'))
    if (registry.starts_with('/') && std::ranges::find(found, registry) == found.end())
      found.push_back(std::move(registry));
  return found;
}

}  // namespace

Result<Fd> open_run(const std::string& runs, const std::string& name) {
  if (!is_run_going_on(runs, name)) {
    TRY_ASSIGN(auto names, list_runs(runs));
    return std::unexpected(no_run(name, names));
  }
  return file::open(path::join(runs, name), O_RDONLY | O_DIRECTORY);
}

std::vector<std::string> find_registries(const Places& places) {
  std::vector<std::string> found{places.runs};
  for (std::string& registry : read_noted(places))
    if (registry != places.runs && is_ours_alone(registry)) found.push_back(std::move(registry));
  return found;
}

// In one write at the end, so that two starts do not lose each other's. Those that are gone go when
// the list has grown long: a start may have a new one each time.
Status note_registry(const Places& places) {
  std::vector<std::string> noted = read_noted(places);
  if (places.runs.find('\n') != std::string::npos ||
      std::ranges::find(noted, places.runs) != noted.end())
    return {};
  TRY_ASSIGN(Fd state, file::make_dirs(places.state));
  size_t length = places.runs.size() + 1;
  for (const std::string& registry : noted)
    length += registry.size() + 1;
  if (length > kMostNoted) {
    std::string kept;
    for (const std::string& registry : noted)
      if (is_ours_alone(registry)) kept += registry + "\n";
    TRY(file::replace_at(state.get(), kNoted, kept, 0600));
  }
  Fd list(
      openat(state.get(), kNoted, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!list) return fail_errno("cannot note where runs are registered");
  return file::write_all(list.get(), places.runs + "\n");
}

Result<std::vector<std::string>> list_runs(const Places& places) {
  std::vector<std::string> all;
  for (const std::string& registry : find_registries(places)) {
    TRY_ASSIGN(auto names, list_runs(registry));
    all.insert(all.end(), names.begin(), names.end());
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

bool is_run_going_on(const Places& places, const std::string& name) {
  return std::ranges::any_of(find_registries(places), [&](const std::string& registry) {
    return is_run_going_on(registry, name);
  });
}

Result<Fd> open_run(const Places& places, const std::string& name) {
  for (const std::string& registry : find_registries(places))
    if (is_run_going_on(registry, name))
      return file::open(path::join(registry, name), O_RDONLY | O_DIRECTORY);
  TRY_ASSIGN(auto names, list_runs(places));
  return std::unexpected(no_run(name, names));
}

}  // namespace ringwall::state
