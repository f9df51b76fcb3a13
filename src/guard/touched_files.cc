#include "guard/touched_files.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <cstring>
#include <string>

namespace ringwall::guard {

Result<TouchedFiles> TouchedFiles::open() {
  TouchedFiles files;
  files.queue_ = Fd(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!files.queue_) return fail_errno("cannot ask the kernel about touched files");
  return files;
}

bool TouchedFiles::watch(int file, const file::Id& id) {
  std::string path = "/proc/self/fd/" + std::to_string(file);
  int number = inotify_add_watch(queue_.get(), path.c_str(), IN_ATTRIB | IN_ONESHOT);
  if (number >= 0) watched_[number] = id;
  return number >= 0;
}

std::optional<std::vector<file::Id>> TouchedFiles::take() {
  std::vector<file::Id> touched;
  alignas(inotify_event) char buffer[16384];
  ssize_t size;
  while ((size = ::read(queue_.get(), buffer, sizeof buffer)) > 0) {
    for (ssize_t at = 0; at < size;) {
      inotify_event event;
      memcpy(&event, buffer + at, sizeof event);
      at += static_cast<ssize_t>(sizeof event + event.len);
      if ((event.mask & IN_Q_OVERFLOW) != 0) return std::nullopt;
      auto found = watched_.find(event.wd);
      if (found == watched_.end()) continue;
      if ((event.mask & IN_ATTRIB) != 0) touched.push_back(found->second);
      // The kernel's last word about this number.
      if ((event.mask & IN_IGNORED) != 0) watched_.erase(found);
    }
  }
  return touched;
}

}  // namespace ringwall::guard
