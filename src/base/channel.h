// A pair of connected sockets between two of our processes: whole messages, descriptors along with
// them.
//
// Messages are small and of fixed layout; anything long travels in a sealed memory file.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::channel {

inline constexpr size_t kMostBytes = 16384;
inline constexpr size_t kMostFds = 16;

struct Pair {
  Fd ours;
  Fd theirs;
};
Result<Pair> make_pair();

struct Message {
  std::string bytes;
  std::vector<Fd> fds;
};

// With MSG_DONTWAIT a full channel is an error (EAGAIN).
Status send(int socket, std::string_view bytes, std::span<const int> fds = {}, int flags = 0);

// An empty message means that the other end is gone.
Result<Message> receive(int socket, int flags = 0);

// Returns when the other end is gone. Who has said its last word and then ends at once keeps the
// processor that its listener was just woken on, for as long as the kernel takes it apart.
void wait_until_closed(int socket);

// A memory file holding `bytes`, sealed so that the receiver may read it twice and find the same.
Result<Fd> memory_file(std::string_view bytes);
Result<std::string> read_memory_file(int fd, size_t most);

}  // namespace ringwall::channel
