// How much must have come before whoever reads a socket is woken. With a fast stream each wake-up
// costs more than the bytes that it is for, so there it is much; everywhere else, one byte.
#pragma once

#include <cstdint>

namespace ringwall::net {

class LowWater {
 public:
  // So many bytes were read from the socket, by now.
  void note(int socket, uint64_t bytes, int64_t (*now)());
  // Whoever waits in vain for so much must `lower` it soon: nobody knows where a stream pauses.
  bool is_high() const { return is_high_; }
  void lower(int socket);

 private:
  void set(int socket, bool high);

  uint64_t bytes_ = 0;  // since then
  int64_t since_ = 0;
  bool is_high_ = false;
};

}  // namespace ringwall::net
