#include "broker/tree_watch.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "base/channel.h"
#include "base/file.h"
#include "base/path.h"

namespace ringwall::broker {
namespace {

Appeared::How how_of(uint32_t mask, bool is_file) {
  if (!is_file && (mask & IN_CLOSE_WRITE) != 0) return Appeared::How::closed;
  if ((mask & (IN_DELETE | IN_MOVED_FROM)) != 0) return Appeared::How::went;
  if ((mask & IN_OPEN) != 0) return Appeared::How::opened;
  return (mask & (IN_MODIFY | IN_CLOSE_WRITE)) != 0 ? Appeared::How::written : Appeared::How::came;
}

constexpr uint32_t kFileUnopened = IN_MODIFY | IN_CLOSE_WRITE;
constexpr uint32_t kFile = kFileUnopened | IN_OPEN;
constexpr uint32_t kDepartures = IN_DELETE | IN_MOVED_FROM;

// What was heard of a folder before is heard on.
constexpr uint32_t kFolder = IN_CREATE | IN_MOVED_TO | IN_ONLYDIR | IN_EXCL_UNLINK | IN_MASK_ADD;

uint32_t folder_mask(Departures departures) {
  uint32_t mask = departures == Departures::unheard ? kFolder : kFolder | kDepartures;
  return departures == Departures::held ? mask | IN_CLOSE_WRITE : mask;
}

bool is_guarded(Departures departures) { return departures >= Departures::guarded; }

std::string name_of(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

std::string join(const std::string& folder, std::string_view name) {
  std::string path;
  path.reserve(folder.size() + 1 + name.size());
  path += folder;
  if (!path.empty()) path += '/';
  return path += name;
}

// Watches are added by name alone. A name from the working folder on spares the way through /proc;
// nothing else here uses that folder. One that cannot be searched is named by /proc.
std::string name_from(int folder, const std::string& path) {
  if (fchdir(folder) == 0) return path.empty() ? "." : path;
  return name_of(folder) + "/" + path;
}

}  // namespace

TreeWatch TreeWatch::open() {
  TreeWatch watch;
  watch.queue_ = Fd(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!watch.queue_) watch.reason_ = fail_errno("cannot watch files").error();
  return watch;
}

Result<int> TreeWatch::add(size_t tree, int folder, const std::string& path,
                           Departures departures) {
  return add_named(name_from(folder, ""), folder_mask(departures),
                   {tree, path, false, is_guarded(departures)});
}

Result<int> TreeWatch::add_by_path(size_t tree, int top, const std::string& path,
                                   Departures departures) {
  return add_named(name_from(top, path), folder_mask(departures),
                   {tree, path, false, is_guarded(departures)});
}

Result<int> TreeWatch::add_file(size_t tree, int file, const std::string& path) {
  return add_named(name_of(file), kFile, {tree, path, true, false});
}

Status TreeWatch::tell_apart(int top, const std::string& path) {
  constexpr uint32_t kLeaves = IN_ATTRIB | IN_DONT_FOLLOW | IN_MASK_ADD;
  if (!queue_) return std::unexpected(reason_);
  int number = inotify_add_watch(queue_.get(), name_from(top, path).c_str(), kLeaves);
  return number < 0 ? fail_errno("cannot watch a file") : Status();
}

// Who opens it for writing meanwhile is not told of, but has it open when we look.
Fd TreeWatch::open_unheard(int number, int top) {
  const Place* place = place_of(number);
  if (place == nullptr || !place->is_file) return Fd();
  auto found = file::open_beneath(top, place->path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  struct stat facts;
  if (!found || fstat(found->get(), &facts) < 0 || !S_ISREG(facts.st_mode)) return Fd();
  std::string name = name_of(found->get());
  bool is_it = inotify_add_watch(queue_.get(), name.c_str(), kFileUnopened) == number;
  Fd opened(is_it ? ::open(name.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1);
  (void)inotify_add_watch(queue_.get(), name.c_str(), kFile);
  return opened;
}

Result<int> TreeWatch::add_named(const std::string& name, uint32_t mask, Place place) {
  if (!queue_) return std::unexpected(reason_);
  int number = inotify_add_watch(queue_.get(), name.c_str(), mask);
  if (number < 0) return fail_errno("cannot watch a file or folder");
  places_[number] = std::move(place);
  return number;
}

bool TreeWatch::count_departures(int number, int folder) {
  uint32_t mask = kFolder | kDepartures;
  return inotify_add_watch(queue_.get(), name_from(folder, "").c_str(), mask) == number;
}

std::vector<int> TreeWatch::numbers() const {
  std::vector<int> all;
  for (const auto& [number, place] : places_)
    all.push_back(number);
  return all;
}

const TreeWatch::Place* TreeWatch::place_of(int number) const {
  auto place = places_.find(number);
  return place == places_.end() ? nullptr : &place->second;
}

Result<Batch> TreeWatch::read() {
  Batch batch;
  if (!queue_) return batch;
  alignas(inotify_event) char buffer[65536];
  constexpr ssize_t kLongest = sizeof(inotify_event) + NAME_MAX + 1;
  for (bool is_drained = false; !is_drained;) {
    ssize_t count = ::read(queue_.get(), buffer, sizeof buffer);
    if (count < 0 && errno == EAGAIN) return batch;
    if (count <= 0) return fail_errno("cannot hear of files");
    // Asking once more would run after whoever makes files, one by one.
    is_drained = count <= static_cast<ssize_t>(sizeof buffer) - kLongest;
    for (ssize_t at = 0; at < count;) {
      inotify_event event;
      memcpy(&event, buffer + at, sizeof event);
      const char* name = buffer + at + sizeof event;
      at += static_cast<ssize_t>(sizeof event + event.len);
      if ((event.mask & IN_Q_OVERFLOW) != 0) batch.lost = true;
      if ((event.mask & IN_ATTRIB) != 0) continue;
      if ((event.mask & IN_IGNORED) != 0) places_.erase(event.wd);
      auto place = places_.find(event.wd);
      if (place == places_.end() || (event.len == 0 && !place->second.is_file)) continue;
      const Place& where = place->second;
      batch.appeared.push_back({where.tree, where.is_file ? where.path : join(where.path, name),
                                (event.mask & IN_ISDIR) != 0, how_of(event.mask, where.is_file),
                                event.wd, event.cookie, where.is_guarded});
    }
  }
  return batch;
}

// A socket that waits in its own queue is reachable by nobody, and neither is what waits there with
// it: the kernel's collector closes both, in a thread of its own (since 6.10; before, we wait).
void TreeWatch::let_go() {
  places_.clear();
  if (!queue_) return;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends) < 0) return queue_.close();
  Fd grave(ends[0]), spade(ends[1]);
  int buried[] = {grave.get(), queue_.get()};
  // If it cannot be sent, all is closed here.
  (void)channel::send(spade.get(), "watch", buried, MSG_DONTWAIT);
  grave.close();
  queue_.close();
}

}  // namespace ringwall::broker
