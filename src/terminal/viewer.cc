#include "terminal/viewer.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/clock.h"
#include "terminal/answers.h"

namespace ringwall::terminal {

Viewer::Viewer(uint32_t id, bool interactive, bool utf8, Fd socket, Fd output)
    : id_(id),
      interactive_(interactive),
      utf8_(utf8),
      socket_(std::move(socket)),
      output_(std::move(output)) {}

void Viewer::show(std::string_view bytes, Questions questions) {
  if (!takes_output()) return;
  if (!interactive_ && pending_.size() - sent_ + bytes.size() > kMostBehind) {
    behind_ = true;
    return;
  }
  status_questions_ += questions.status;
  if (questions.all != 0) asked_at_ = clock::monotonic();
  if (!waits() && !held_) {
    ssize_t count = write(output_.get(), bytes.data(), bytes.size());
    if (count < 0 && errno != EAGAIN && errno != EINTR) gone_ = true;
    if (count > 0) bytes.remove_prefix(static_cast<size_t>(count));
  }
  pending_.append(bytes);
  asks_later_ |= questions.all != 0 && waits();
}

bool Viewer::expects_answers() const {
  return asked_at_ != 0 && clock::monotonic() - asked_at_ < kAnswersWithin;
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
  if (std::exchange(asks_later_, false)) asked_at_ = clock::monotonic();
  pending_.clear();
  sent_ = 0;
  if (!std::exchange(holding_, false)) return;
  held_ = says_held_ = true;
}

void Viewer::hold(std::string_view last, bool speaks) {
  if (!takes_output()) return;
  asks_later_ |= speaks;
  if (!held_ && !holding_) pending_.append(last);
  in_order_ = true;
  holding_ = true;
  held_ = false;
  flush();
}

void Viewer::release() {
  held_ = holding_ = false;
  flush();
}

void Viewer::enter(std::string_view first) {
  in_order_ = false;
  // Held, nothing of what waits was begun; else there may be half a sequence of it.
  pending_.insert(held_ ? 0 : pending_.size(), first);
  flush();
}

void Viewer::catch_up(std::string_view picture) {
  behind_ = false;
  show(picture);
}

void Viewer::leave(std::string_view last, bool speaks) {
  if (leaving_) return;
  bool in_order = held_ || holding_;
  asks_later_ |= speaks && !in_order;
  held_ = holding_ = false;
  if (!in_order) pending_.append(last);
  leaving_ = true;
  flush();
}

}  // namespace ringwall::terminal
