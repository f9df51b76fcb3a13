#include "state/clean.h"

#include <fcntl.h>
#include <mqueue.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>

#include "base/clock.h"
#include "base/file.h"
#include "base/file_id.h"
#include "base/path.h"
#include "base/process.h"
#include "base/text.h"
#include "sandbox/toolchain.h"
#include "state/cleaner.h"
#include "state/control.h"
#include "state/registry.h"

namespace ringwall::state {
namespace {

constexpr std::string_view kUnnamed = ".new-";   // see registry.cc
constexpr std::string_view kVerify = "verify-";  // see verify/outside.cc
constexpr std::string_view kRoom = "ringwall-verify-";
// Longer than any write, and than any verification. After that the number of the process that
// made a file may be another's.
constexpr int64_t kLongAgo = 3600;
constexpr int64_t kMoment = 60;

// Null if the run does not say. A run that is just starting has no socket yet.
std::optional<std::string> ask_for_home(int folder) {
  constexpr int kTries = 150;
  constexpr int kPauseMicroseconds = 20'000;
  auto connection = connect_control(folder);
  for (int i = 0; i < kTries && !connection; i++) {
    usleep(kPauseMicroseconds);
    connection = connect_control(folder);
  }
  if (!connection) return std::nullopt;
  auto description = ask_description(connection->get());
  if (!description) return std::nullopt;
  boost::system::error_code error;
  boost::json::value value = boost::json::parse(*description, error);
  const auto* object = error ? nullptr : value.if_object();
  const auto* home = object == nullptr ? nullptr : object->if_contains("home");
  if (home == nullptr || !home->is_string()) return std::nullopt;
  return std::string(home->get_string());
}

// ".name.PID", as file::replace_at calls what it is writing.
bool is_of_interrupted_write(int dir, const std::string& name) {
  size_t dot = name.rfind('.');
  if (!name.starts_with('.') || dot < 2) return false;
  auto maker = maker_of(name, std::string_view(name).substr(0, dot + 1));
  struct stat facts;
  if (!maker || fstatat(dir, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) < 0 ||
      !S_ISREG(facts.st_mode) || facts.st_uid != getuid()) {
    return false;
  }
  return !process::is_running(*maker) || is_older_than(facts, kLongAgo);
}

// The queue and the segment that probes look for; a power cut removes them by itself.
void remove_planted_ipc(const std::string& name, pid_t maker) {
  std::string queue = "/ringwall-" + name;
  if (mq_unlink(queue.c_str()) < 0) errno = 0;  // it may never have been made
  int segment = shmget(0x52570000 | (maker & 0xffff), 0, 0);
  shmid_ds facts;
  if (segment < 0 || shmctl(segment, IPC_STAT, &facts) < 0) return;
  if (facts.shm_perm.uid == getuid() && facts.shm_nattch == 0) shmctl(segment, IPC_RMID, nullptr);
}

}  // namespace

Fd open_own_folder(int dir, const std::string& name) {
  Fd folder(openat(dir, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat facts;
  if (!folder || fstat(folder.get(), &facts) < 0 || facts.st_uid != getuid()) return Fd();
  return folder;
}

std::optional<pid_t> maker_of(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  pid_t pid = 0;
  auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
  if (error != std::errc() || end != name.data() + name.size() || pid <= 0) return std::nullopt;
  return pid;
}

bool is_older_than(const struct stat& facts, int64_t seconds) {
  return facts.st_ctim.tv_sec + seconds < clock::wall_seconds();
}

CleanPlaces find_clean_places(const Caller& caller, const char* runtime) {
  Places places = find_places(caller, runtime);
  std::string uid = std::to_string(caller.uid);
  CleanPlaces found{places.state, find_registries(places)};
  // Another shell of the same person may have had another XDG_RUNTIME_DIR, or none.
  for (const std::string& other :
       {"/run/user/" + uid + "/ringwall", "/dev/shm/ringwall-" + uid, places.state + "/run"}) {
    std::string real = sandbox::follow_links(other).end;
    if (std::ranges::find(found.registries, real) == found.registries.end())
      found.registries.push_back(real);
  }
  return found;
}

void Cleaner::complain(Error error) { report_.errors.push_back(std::move(error)); }

void Cleaner::take(Leftover leftover, int dir, const std::string& name) {
  take(std::move(leftover), dir, name, [&] { return tree::remove_at(dir, name); });
}

// Removes it, unless we are only looking, and keeps account of it.
void Cleaner::take(Leftover leftover, int dir, const std::string& name,
                   const std::function<Status()>& remove) {
  leftover.size = tree::measure_at(dir, name);
  if (!request_.only_look) {
    if (Status removed = remove(); !removed) {
      Error error = removed.error();
      error.what = "cannot remove " + text::quote(leftover.path) + ": " + error.what;
      return complain(std::move(error));
    }
    leftover.removed = true;
  }
  report_.leftovers.push_back(std::move(leftover));
}

void Cleaner::sweep_registry(const std::string& path) {
  Fd registry = open_own_folder(AT_FDCWD, path);
  struct stat facts;
  // It may lie in a folder that is everybody's: what others can change is not ours.
  if (!registry || fstat(registry.get(), &facts) < 0 || (facts.st_mode & 077) != 0) return;
  auto entries = file::list(registry.get());
  if (!entries) return complain(entries.error());
  for (const file::Entry& entry : *entries)
    sweep_entry(registry.get(), path, entry.name);
  // With a run in it this fails, as it should; one that is just starting makes it anew.
  bool removed = !request_.only_look && rmdir(path.c_str()) == 0;
  if (entries->empty() && (removed || request_.only_look))
    report_.leftovers.push_back({Leftover::Kind::registry, path, "", "", {}, removed});
}

// Like a start does, an entry is removed while its lock is ours, so that nobody takes it meanwhile.
void Cleaner::sweep_entry(int registry, const std::string& path, const std::string& name) {
  Fd folder = open_own_folder(registry, name);
  struct stat facts;
  if (!folder || fstat(folder.get(), &facts) < 0) return;
  auto maker = maker_of(name, kUnnamed);
  if (maker && process::is_running(*maker) && !is_older_than(facts, kMoment)) return;
  if (flock(folder.get(), LOCK_EX | LOCK_NB) < 0) {
    bool asks = request_.homes || !request_.named.empty();
    if (asks && !maker) living_.push_back({name, ask_for_home(folder.get())});
    return;
  }
  if (!file::still_names(registry, name, folder.get())) return;
  take({Leftover::Kind::run, path::join(path, name), name}, registry, name);
}

void Cleaner::sweep_files(int dir, const std::string& path) {
  auto entries = file::list(dir);
  if (!entries) return complain(entries.error());
  for (const file::Entry& entry : *entries) {
    if (is_of_interrupted_write(dir, entry.name))
      take({Leftover::Kind::file, path::join(path, entry.name)}, dir, entry.name);
  }
}

// A person may have named a home "verify-7" too: a home counts only beside the folder of the
// canary.
void Cleaner::sweep_verifications(int state) {
  auto entries = file::list(state);
  if (!entries) return;  // told already
  Fd homes = open_own_folder(state, "homes");
  auto all_homes = homes ? file::list(homes.get()) : std::vector<file::Entry>();
  for (const file::Entry& entry : *entries) {
    auto maker = maker_of(entry.name, kVerify);
    if (!maker || process::is_running(*maker) || !open_own_folder(state, entry.name)) continue;
    for (const file::Entry& home : all_homes ? *all_homes : std::vector<file::Entry>()) {
      if (home.name != entry.name && !home.name.starts_with(entry.name + "-")) continue;
      take({Leftover::Kind::verification, path::join(places_.state, "homes/" + home.name)},
           homes.get(), home.name);
    }
    if (!request_.only_look) remove_planted_ipc(entry.name, *maker);
    take({Leftover::Kind::verification, path::join(places_.state, entry.name)}, state, entry.name);
  }
}

void Cleaner::sweep_rooms() {
  Fd temporary(open(places_.temporary.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  auto entries = temporary ? file::list(temporary.get()) : std::vector<file::Entry>();
  if (!entries) return;  // nothing of ours can be in a folder that is closed to us
  for (const file::Entry& entry : *entries) {
    if (!entry.name.starts_with(kRoom)) continue;
    Fd room = open_own_folder(temporary.get(), entry.name);
    struct stat facts;
    if (!room || fstat(room.get(), &facts) < 0) continue;
    // "ringwall-verify-PID-XXXXXX"
    auto maker = maker_of(entry.name.substr(0, entry.name.rfind('-')), kRoom);
    if (maker ? process::is_running(*maker) : !is_older_than(facts, kLongAgo)) continue;
    take({Leftover::Kind::verification, path::join(places_.temporary, entry.name)}, temporary.get(),
         entry.name);
  }
}

CleanReport Cleaner::run() {
  for (const std::string& registry : places_.registries)
    sweep_registry(registry);
  sweep_rooms();
  Fd state = open_own_folder(AT_FDCWD, places_.state);
  if (state) {
    sweep_files(state.get(), places_.state);
    sweep_verifications(state.get());
    sweep_undo(state.get());
    sweep_homes(state.get());
  } else if (!request_.named.empty()) {
    complain({"there is no private home yet", 0, ""});
  }
  return std::move(report_);
}

CleanReport clean(const CleanRequest& request, const CleanPlaces& places) {
  return Cleaner(request, places).run();
}

}  // namespace ringwall::state
