// Long results go through the person's pager when a terminal shows them.
#pragma once

#include <sys/types.h>

#include <cstdio>

namespace ringwall::cli {

class Pager {
 public:
  // $PAGER, else less; standard output itself if `wanted` is false or there is none.
  explicit Pager(bool wanted);
  ~Pager();  // waits until the person has read
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;

  FILE* out() { return out_; }
  // Nobody reads any more.
  bool is_closed() { return fflush(out_) != 0 || ferror(out_) != 0; }

 private:
  FILE* out_ = stdout;
  pid_t pager_ = -1;
};

}  // namespace ringwall::cli
