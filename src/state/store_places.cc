#include "state/store_places.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <set>

#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "base/tree.h"

namespace ringwall::state {
namespace {

constexpr std::string_view kAside = ".removed-";

std::string by_descriptor(const Fd& fd) { return "/proc/self/fd/" + std::to_string(fd.get()); }

// Out of the store in one step, so that nobody can fill it again while it is removed: another run
// of the same agent may have the store before it.
Status move_out(int parent, const std::string& name, int above, const std::string& aside) {
  auto move = [&] {
    return renameat2(parent, name.c_str(), above, aside.c_str(), RENAME_NOREPLACE);
  };
  if (move() == 0 || errno == ENOENT) return {};
  if (errno != EACCES) return fail_errno("cannot take away " + text::quote(name));
  // A folder that its owner has closed cannot be moved. By its descriptor: a link may take its
  // place.
  TRY_ASSIGN(Fd closed, file::open_beneath(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW));
  bool is_moved =
      chmod(by_descriptor(closed).c_str(), 0700) == 0 && (move() == 0 || errno == ENOENT);
  return is_moved ? Status() : fail_errno("cannot take away " + text::quote(name));
}

// The folder `below` the store's own, each part of it made where there is none.
Result<Fd> open_folders(const sandbox::HomeState& store, const std::string& below) {
  TRY_ASSIGN(Fd at, file::make_dirs(store.source));
  for (const std::string& part : path::components(below)) {
    struct stat facts;
    bool is_folder =
        fstatat(at.get(), part.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(facts.st_mode);
    if (!is_folder) {
      TRY(tree::remove_at(at.get(), part));
      if (mkdirat(at.get(), part.c_str(), 0700) < 0 && errno != EEXIST)
        return fail_errno("cannot make the folder " + text::quote(below) + " of a login store");
    }
    at = Fd(openat(at.get(), part.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!at)
      return fail_errno("cannot open the folder " + text::quote(below) + " of a login store");
  }
  return at;
}

Status empty_folder(int store, int parent, const std::string& name) {
  TRY_ASSIGN(Fd place, file::open_beneath(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW));
  struct stat facts;
  bool is_open = fstat(place.get(), &facts) == 0 && (facts.st_mode & 0700) == 0700;
  if (!is_open && chmod(by_descriptor(place).c_str(), 0700) < 0)
    return fail_errno("cannot open " + text::quote(name) + " of a login store");
  Fd folder(openat(place.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder) return fail_errno("cannot open " + text::quote(name) + " of a login store");
  TRY_ASSIGN(auto entries, file::list(folder.get()));
  for (const file::Entry& entry : entries)
    TRY(take_away(store, folder.get(), entry.name));
  return {};
}

// False if it is to be replaced: closed, or with another name that its content belongs to.
bool empty_file(int parent, const std::string& name) {
  constexpr int kHow = O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  Fd file(openat(parent, name.c_str(), kHow));
  struct stat facts;
  return file && fstat(file.get(), &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_nlink == 1 &&
         ftruncate(file.get(), 0) == 0;
}

}  // namespace

Result<std::vector<Fd>> lock_stores(std::span<const std::string> stores) {
  // In one order for all, and each once: two stores may have one folder above them.
  std::set<std::string> folders;
  for (const std::string& store : stores)
    folders.insert(path::parent(store));
  std::vector<Fd> locks;
  for (const std::string& folder : folders) {
    TRY_ASSIGN(Fd lock, file::open(folder, O_RDONLY | O_DIRECTORY));
    while (flock(lock.get(), LOCK_EX) < 0) {
      if (errno != EINTR) return fail_errno("cannot lock " + text::quote(folder));
    }
    locks.push_back(std::move(lock));
  }
  return locks;
}

Status take_away(int store, int parent, const std::string& name) {
  Fd above(openat(store, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!above) return fail_errno("cannot open the folder above a login store");
  static int number = 0;
  std::string aside =
      std::string(kAside) + std::to_string(getpid()) + "-" + std::to_string(number++);
  TRY(move_out(parent, name, above.get(), aside));
  // Who holds a descriptor of it can still write there, where nobody reads: the next start goes on.
  (void)tree::remove_at(above.get(), aside);
  return {};
}

void remove_what_was_left(const std::string& store) {
  auto above = file::open(path::parent(store), O_RDONLY | O_DIRECTORY);
  auto entries = above ? file::list(above->get()) : std::unexpected(above.error());
  for (size_t i = 0; entries && i < entries->size(); i++) {
    const std::string& name = (*entries)[i].name;
    if (name.starts_with(kAside)) (void)tree::remove_at(above->get(), name);
  }
}

Status make_mount_point(const sandbox::HomeState& store, const std::string& target) {
  TRY(open_folders(store, target.substr(store.target.size())));
  return {};
}

Status make_own_place(const sandbox::HomeState& store, const sandbox::OwnPlace& place) {
  TRY_ASSIGN(Fd top, file::make_dirs(store.source));
  std::string above = path::parent(place.target).substr(store.target.size());
  TRY_ASSIGN(Fd parent, open_folders(store, above));
  std::string name(path::basename(place.target));
  struct stat facts;
  bool is_there = fstatat(parent.get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0;
  if (is_there && place.is_folder && S_ISDIR(facts.st_mode))
    return empty_folder(top.get(), parent.get(), name);
  bool is_file = is_there && !place.is_folder && S_ISREG(facts.st_mode);
  if (is_file && (facts.st_size == 0 || empty_file(parent.get(), name))) return {};
  if (is_there) TRY(take_away(top.get(), parent.get(), name));
  int made = place.is_folder ? mkdirat(parent.get(), name.c_str(), 0700)
                             : mknodat(parent.get(), name.c_str(), S_IFREG | 0600, 0);
  if (made < 0 && errno != EEXIST)
    return fail_errno("cannot make " + text::quote(place.target) + " of a login store");
  return {};
}

}  // namespace ringwall::state
