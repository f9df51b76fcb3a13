#include "terminal/viewer.h"

#include <unistd.h>

#include <cerrno>

namespace ringwall::terminal {

Viewer::Viewer(uint32_t id, bool interactive, Fd socket, Fd output)
    : id_(id), interactive_(interactive), socket_(std::move(socket)), output_(std::move(output)) {}

void Viewer::show(std::string_view bytes) {
  if (!takes_output()) return;
  if (!interactive_ && pending_.size() - sent_ + bytes.size() > kMostBehind) {
    behind_ = true;
    return;
  }
  if (!waits() && !held_) {
    ssize_t count = write(output_.get(), bytes.data(), bytes.size());
    if (count < 0 && errno != EAGAIN && errno != EINTR) gone_ = true;
    if (count > 0) bytes.remove_prefix(static_cast<size_t>(count));
  }
  pending_.append(bytes);
}

void Viewer::flush() {
  while (wants_flush() && !gone_) {
    ssize_t count = write(output_.get(), pending_.data() + sent_, pending_.size() - sent_);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) {
      gone_ = true;
      return;
    }
    sent_ += static_cast<size_t>(count);
  }
  if (waits()) return;
  pending_.clear();
  sent_ = 0;
}

void Viewer::catch_up(std::string_view picture) {
  behind_ = false;
  show(picture);
}

void Viewer::leave(std::string_view last) {
  if (leaving_) return;
  held_ = false;
  pending_.append(last);
  leaving_ = true;
  flush();
}

}  // namespace ringwall::terminal
