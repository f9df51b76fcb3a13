#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "state/cleaner.h"

namespace ringwall::state {
namespace {

constexpr const char* kNote = "workspace";  // see homes.cc
constexpr size_t kLongestNote = 8192;

// The workspace that a home belongs to. Null for a home that was named by a person; empty if a
// power cut came between the note and its content.
std::optional<std::string> read_note(int home) {
  auto note = file::open_beneath(home, kNote, O_RDONLY | O_NONBLOCK);
  struct stat facts;
  if (!note || fstat(note->get(), &facts) < 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  auto text = file::read_all(note->get(), kLongestNote);
  return text ? std::optional(*text) : std::nullopt;
}

// Only if the kernel says so: what cannot be looked at may well be there.
bool is_missing(const std::string& path) {
  struct stat facts;
  return path.starts_with('/') && lstat(path.c_str(), &facts) < 0 &&
         (errno == ENOENT || errno == ENOTDIR);
}

// A workspace that runs used with other homes, or none.
bool holds_only_note(int home) {
  auto entries = file::list(home);
  return entries && entries->size() == 1 && entries->front().name == kNote;
}

std::vector<std::string> folders_in(int dir) {
  std::vector<std::string> names;
  auto entries = file::list(dir);
  if (!entries) return names;
  for (const file::Entry& entry : *entries) {
    if (entry.type == DT_DIR || entry.type == DT_UNKNOWN) names.push_back(entry.name);
  }
  std::ranges::sort(names);
  return names;
}

// The kernel keeps this folder closed; it is closed again behind us.
bool holds_anything(int work) {
  Fd inner(openat(work, "work", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat facts;
  if (!inner || fstat(inner.get(), &facts) < 0) return false;
  std::string itself = "/proc/self/fd/" + std::to_string(inner.get());
  if (chmod(itself.c_str(), 0700) < 0) return false;
  auto entries = file::list(inner.get());
  bool closed = chmod(itself.c_str(), facts.st_mode & 07777) == 0;
  return entries && closed && !entries->empty();
}

}  // namespace

bool has_home(const std::string& state, const std::string& name) {
  auto home = file::open(path::join(state, "homes/" + name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  return home && !holds_only_note(home->get());
}

void Cleaner::sweep_homes(int state) {
  Fd homes = open_own_folder(state, "homes");
  std::vector<std::string> names = homes ? folders_in(homes.get()) : std::vector<std::string>();
  for (const std::string& name : names) {
    bool named = std::ranges::find(request_.named, name) != request_.named.end();
    if (!named) sweep_home(homes.get(), name);
  }
  for (const std::string& name : request_.named)
    remove_named_home(homes.get(), name, names);
}

void Cleaner::sweep_home(int homes, const std::string& name) {
  Fd home = open_own_folder(homes, name);
  if (!home) return;
  std::string path = path::join(places_.state, "homes/" + name);
  auto workspace = read_note(home.get());
  // A run may go on without its workspace, and another cleaning may be at it.
  bool used = std::ranges::find(living_, std::optional(name), &Living::home) != living_.end();
  if (request_.homes && !used && workspace && is_missing(*workspace)) {
    if (flock(home.get(), LOCK_EX | LOCK_NB) < 0) return;
    return remove_home(homes, {Leftover::Kind::home, path, name, *workspace}, home.get());
  }
  sweep_files(home.get(), path);
  sweep_layers(home.get(), path);
  // With an empty note no run would take the home any more; without one the next run writes it.
  if (workspace && workspace->empty())
    take({Leftover::Kind::note, path::join(path, kNote), name}, home.get(), kNote);
}

// Whoever changes a cache holds its lock.
void Cleaner::sweep_layers(int home, const std::string& path) {
  Fd layers = open_own_folder(home, "layers");
  if (!layers) return;
  for (const std::string& cache : folders_in(layers.get())) {
    Fd folder = open_own_folder(layers.get(), cache);
    if (folder && flock(folder.get(), LOCK_EX | LOCK_NB) == 0)
      sweep_layer(folder.get(), path::join(path, "layers/" + cache));
  }
}

void Cleaner::sweep_layer(int cache, const std::string& path) {
  for (const std::string& name : folders_in(cache)) {
    Fd layer = open_own_folder(cache, name);
    Fd work = layer ? open_own_folder(layer.get(), "work") : Fd();
    if (!work || !holds_anything(work.get())) continue;
    take({Leftover::Kind::layer, path::join(path, name + "/work")}, layer.get(), "work");
  }
}

void Cleaner::remove_named_home(int homes, const std::string& name,
                                const std::vector<std::string>& known) {
  Fd home;
  if (std::ranges::find(known, name) != known.end()) home = open_own_folder(homes, name);
  if (!home || holds_only_note(home.get())) {
    std::string near = text::nearest(name, known);
    bool other = !near.empty() && near != name;
    return complain({"there is no private home named " + text::quote(name), 0,
                     other ? "did you mean " + text::quote(near) + "?" : ""});
  }
  if (flock(home.get(), LOCK_EX | LOCK_NB) < 0)
    return complain({"the private home " + text::quote(name) + " is in use", 0, ""});
  std::string path = path::join(places_.state, "homes/" + name);
  std::string workspace = read_note(home.get()).value_or("");
  remove_home(homes, {Leftover::Kind::home, path, name, workspace}, home.get());
}

void Cleaner::remove_home(int homes, Leftover home, int folder) {
  std::vector<Fd> locks;  // until it is gone
  if (auto error = find_user(home.name, folder, locks)) return complain(std::move(*error));
  std::string name = home.name;
  bool keeps_note = !home.workspace.empty() && !is_missing(home.workspace);
  take(std::move(home), homes, name, [&] {
    // That an agent could write in a workspace is known by the note: see was_in_reach.
    if (keeps_note) return tree::empty_at(homes, name, kNote);
    // It goes last: what an interruption leaves is still known to belong to nobody.
    return tree::remove_at(homes, name, kNote);
  });
}

std::optional<Error> Cleaner::find_user(const std::string& name, int folder,
                                        std::vector<Fd>& locks) const {
  std::string kept = "the private home " + text::quote(name) + " is kept: ";
  for (const Living& run : living_) {
    if (!run.home)
      return Error{kept + "the run " + text::quote(run.name) + " does not say which one it uses", 0,
                   "end it, or let it go on if it was stopped"};
    if (*run.home == name)
      return Error{kept + "the run " + text::quote(run.name) + " uses it", 0, ""};
  }
  Fd layers = open_own_folder(folder, "layers");
  for (const std::string& cache : layers ? folders_in(layers.get()) : std::vector<std::string>()) {
    Fd lock = open_own_folder(layers.get(), cache);
    if (!lock) continue;
    if (flock(lock.get(), LOCK_EX | LOCK_NB) < 0)
      return Error{kept + "a run uses its cache " + text::quote(cache), 0, ""};
    locks.push_back(std::move(lock));
  }
  return std::nullopt;
}

}  // namespace ringwall::state
