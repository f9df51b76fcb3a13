// Pipes that bytes pass through on their way from socket to socket without being copied. A user has
// about a thousand full-size ones in all, so a flow holds one only while bytes lie in it.
#pragma once

#include <vector>

#include "base/fd.h"

namespace ringwall::net {

struct Pipe {
  Fd in;   // bytes are put in here
  Fd out;  // and come out there
  size_t room = 0;

  explicit operator bool() const { return static_cast<bool>(in); }
};

class PipePool {
 public:
  // Not there: none is to be had; then bytes are copied.
  Pipe take();
  void give_back(Pipe pipe);  // an empty one
  void drop(Pipe pipe);       // one with bytes in it that nobody wants any more

 private:
  std::vector<Pipe> free_;
  size_t made_ = 0;
  bool refused_ = false;
};

}  // namespace ringwall::net
