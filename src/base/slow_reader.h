// Output to somebody who may read it slowly or not at all: what there is no room for is kept, and
// whoever writes goes on.
#pragma once

#include <string>
#include <string_view>

#include "base/fd.h"

namespace ringwall {

// What there is room for now, and never more than a moment's wait, whatever the descriptor is. The
// bytes written; -1 if nobody reads any more.
ssize_t write_what_fits(int fd, std::string_view bytes);

class SlowReader {
 public:
  explicit SlowReader(int fd) : fd_(fd) {}  // stays the caller's
  explicit SlowReader(Fd fd) : fd_(fd.get()), own_(std::move(fd)) {}

  void tell(std::string_view bytes);
  void flush();
  bool has_more() const { return !kept_.empty(); }
  size_t size() const { return kept_.size(); }
  bool is_gone() const { return is_gone_; }
  int fd() const { return fd_; }

 private:
  int fd_;
  Fd own_;
  std::string kept_;
  bool is_gone_ = false;
};

}  // namespace ringwall
