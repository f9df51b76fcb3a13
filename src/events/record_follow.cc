#include "events/record_follow.h"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

#include "base/file.h"
#include "base/path.h"
#include "events/record_store.h"

namespace ringwall::events {

void RecordReader::skip_to_last(size_t bytes) {
  auto path = [&](unsigned number) {
    return path::join(records_folder(state_), segment_name(id_, number));
  };
  while (file::exists(path(segment_ + 1)))
    segment_++;
  file_ = Fd(open(path(segment_).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  off_t size = file_ ? lseek(file_.get(), 0, SEEK_END) : 0;
  off_t from = size > static_cast<off_t>(bytes) ? size - static_cast<off_t>(bytes) : 0;
  if (file_) lseek(file_.get(), from, SEEK_SET);
  skips_line_ = from > 0;
}

bool RecordReader::read(const std::function<void(std::string_view)>& take) {
  bool any = false;
  while (true) {
    auto path = [&](unsigned number) {
      return path::join(records_folder(state_), segment_name(id_, number));
    };
    if (!file_) file_ = Fd(open(path(segment_).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    // Before the last bytes are read: a file is only grown while it is the last one.
    bool has_next = file::exists(path(segment_ + 1));
    char buffer[65536];
    ssize_t count;
    while (file_ && (count = ::read(file_.get(), buffer, sizeof buffer)) > 0) {
      rest_.append(buffer, static_cast<size_t>(count));
      size_t at = 0;
      for (size_t end; (end = rest_.find('\n', at)) != std::string::npos; at = end + 1) {
        if (!std::exchange(skips_line_, false)) take(std::string_view(rest_).substr(at, end - at));
        any = true;
      }
      rest_.erase(0, at);
    }
    if (!has_next) return any;
    file_.close();
    segment_++;
  }
}

}  // namespace ringwall::events
