// Who waits for many descriptors: two calls of the kernel, each in one line.
#pragma once

#include <sys/epoll.h>

#include <cstdint>

namespace ringwall::epoll {

// False: the kernel has no room, or the descriptor cannot be waited for.
inline bool add(int set, int fd, uint64_t data, uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = data;
  return epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0;
}

inline bool change(int set, int fd, uint64_t data, uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = data;
  return epoll_ctl(set, EPOLL_CTL_MOD, fd, &event) == 0;
}

}  // namespace ringwall::epoll
