#include "clients/passage.h"

#include <unistd.h>

namespace ringwall::clients {

pollfd Passage::wait() const {
  if (to_.has_more()) return {to_.fd(), POLLOUT, 0};
  return {from_.get(), POLLIN, 0};
}

void Passage::step() {
  if (to_.has_more()) return to_.flush();
  char buffer[16384];
  ssize_t count = read(from_.get(), buffer, sizeof buffer);
  if (count <= 0) return from_.close();
  std::string_view bytes(buffer, static_cast<size_t>(count));
  to_.tell(change_ ? change_(bytes) : std::string(bytes));
}

void Passage::finish(int patience) {
  while (from_ || to_.has_more()) {
    pollfd waits = wait();
    if (poll(&waits, 1, patience) <= 0) return;
    step();
  }
}

}  // namespace ringwall::clients
