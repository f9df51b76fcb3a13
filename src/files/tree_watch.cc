#include "files/tree_watch.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <cstring>

#include "base/path.h"

namespace ringwall::files {
namespace {

Appeared::How how_of(uint32_t mask) {
  if ((mask & (IN_DELETE | IN_MOVED_FROM)) != 0) return Appeared::How::went;
  return (mask & (IN_MODIFY | IN_CLOSE_WRITE)) != 0 ? Appeared::How::written : Appeared::How::came;
}

}  // namespace

Result<TreeWatch> TreeWatch::open() {
  TreeWatch watch;
  watch.queue_ = Fd(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!watch.queue_) return fail_errno("cannot watch files");
  return watch;
}

Status TreeWatch::add(size_t tree, int folder, const std::string& path, bool changes) {
  return add_named("/proc/self/fd/" + std::to_string(folder), tree, path, changes);
}

Status TreeWatch::add_by_path(size_t tree, int top, const std::string& path, bool changes) {
  return add_named("/proc/self/fd/" + std::to_string(top) + "/" + path, tree, path, changes);
}

Status TreeWatch::add_named(const std::string& name, size_t tree, const std::string& path,
                            bool changes) {
  uint32_t mask = IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM | IN_ONLYDIR | IN_EXCL_UNLINK;
  if (changes) mask |= IN_MODIFY | IN_CLOSE_WRITE;
  int number = inotify_add_watch(queue_.get(), name.c_str(), mask);
  if (number < 0) return fail_errno("cannot watch a folder");
  places_[number] = {tree, path};
  return {};
}

Result<Batch> TreeWatch::read() {
  Batch batch;
  alignas(inotify_event) char buffer[65536];
  for (;;) {
    ssize_t count = ::read(queue_.get(), buffer, sizeof buffer);
    if (count < 0 && errno == EAGAIN) return batch;
    if (count <= 0) return fail_errno("cannot hear of files");
    for (ssize_t at = 0; at < count;) {
      inotify_event event;
      memcpy(&event, buffer + at, sizeof event);
      const char* name = buffer + at + sizeof event;
      at += static_cast<ssize_t>(sizeof event + event.len);
      if ((event.mask & IN_Q_OVERFLOW) != 0) batch.lost = true;
      if ((event.mask & IN_IGNORED) != 0) places_.erase(event.wd);
      auto place = places_.find(event.wd);
      if (place == places_.end() || event.len == 0) continue;
      const Place& where = place->second;
      std::string path = where.path.empty() ? name : where.path + "/" + name;
      batch.appeared.push_back(
          {where.tree, std::move(path), (event.mask & IN_ISDIR) != 0, how_of(event.mask)});
    }
  }
}

}  // namespace ringwall::files
