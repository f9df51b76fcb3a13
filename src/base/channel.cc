#include "base/channel.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cstring>

#include "base/file.h"

namespace ringwall::channel {

Result<Pair> make_pair() {
  int fds[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0) {
    return fail_errno("cannot make a channel");
  }
  return Pair{Fd(fds[0]), Fd(fds[1])};
}

Status send(int socket, std::string_view bytes, std::span<const int> fds, int flags) {
  iovec part{const_cast<char*>(bytes.data()), bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(kMostFds * sizeof(int))] = {};
  if (!fds.empty()) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(fds.size_bytes());
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(fds.size_bytes());
    memcpy(CMSG_DATA(header), fds.data(), fds.size_bytes());
  }
  while (sendmsg(socket, &message, MSG_NOSIGNAL | flags) < 0) {
    if (errno != EINTR) return fail_errno("cannot send a message");
  }
  return {};
}

Result<Message> receive(int socket, int flags) {
  char buffer[kMostBytes];
  iovec part{buffer, sizeof buffer};
  alignas(cmsghdr) char control[CMSG_SPACE(kMostFds * sizeof(int))];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t length;
  bool was_reset = false;
  do {
    length = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);
    // The other end went away with messages of ours unread: told once, before its own last words.
    was_reset = length < 0 && errno == ECONNRESET && !was_reset;
  } while (length < 0 && (errno == EINTR || was_reset));
  if (length < 0) return fail_errno("cannot receive a message");

  Message received;
  received.bytes.assign(buffer, static_cast<size_t>(length));
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; i++) {
      int fd;
      memcpy(&fd, CMSG_DATA(header) + i * sizeof fd, sizeof fd);
      received.fds.emplace_back(fd);
    }
  }
  if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) return fail("message too long");
  return received;
}

void wait_until_closed(int socket) {
  for (auto message = receive(socket); message && !message->bytes.empty();)
    message = receive(socket);
}

Result<Fd> memory_file(std::string_view bytes) {
  Fd fd(memfd_create("ringwall", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd) return fail_errno("cannot make a memory file");
  TRY(file::write_all(fd.get(), bytes));
  if (fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) < 0) {
    return fail_errno("cannot seal a memory file");
  }
  return fd;
}

Result<std::string> read_memory_file(int fd, size_t most) {
  struct stat facts;
  if (fstat(fd, &facts) < 0) return fail_errno("cannot look at a memory file");
  if (!S_ISREG(facts.st_mode) || facts.st_size < 0 || static_cast<size_t>(facts.st_size) > most) {
    return fail("memory file too long");
  }
  std::string bytes(static_cast<size_t>(facts.st_size), '\0');
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t count = pread(fd, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return fail_errno("cannot read a memory file");
    done += static_cast<size_t>(count);
  }
  return bytes;
}

}  // namespace ringwall::channel
