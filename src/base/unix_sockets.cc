#include "base/unix_sockets.h"

#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/netlink.h"

namespace ringwall::unix_sockets {
namespace {

template <typename Plain>
Plain copy_of(const char* bytes) {
  Plain plain;
  memcpy(&plain, bytes, sizeof plain);
  return plain;
}

Listed parse_one(const char* bytes, size_t size) {
  auto facts = copy_of<unix_diag_msg>(bytes);
  Listed one{facts.udiag_ino};
  one.is_far_end = facts.udiag_type != SOCK_DGRAM && facts.udiag_state == TCP_ESTABLISHED;
  for (size_t at = NLMSG_ALIGN(sizeof(unix_diag_msg)); at + NLA_HDRLEN <= size;) {
    auto head = copy_of<nlattr>(bytes + at);
    if (head.nla_len < NLA_HDRLEN || head.nla_len > size - at) break;
    const char* value = bytes + at + NLA_HDRLEN;
    size_t length = head.nla_len - NLA_HDRLEN;
    if (head.nla_type == UNIX_DIAG_PEER && length >= sizeof(uint32_t))
      one.peer = copy_of<uint32_t>(value);
    if (head.nla_type == UNIX_DIAG_VFS && length >= sizeof(unix_diag_vfs)) {
      auto place = copy_of<unix_diag_vfs>(value);
      one.binding = {place.udiag_vfs_dev, place.udiag_vfs_ino};
    }
    at += NLA_ALIGN(head.nla_len);
  }
  return one;
}

// True: there is more to come.
Result<bool> parse_answers(const char* answers, size_t size, std::vector<Listed>& all) {
  for (size_t at = 0; at + NLMSG_HDRLEN <= size;) {
    auto head = copy_of<nlmsghdr>(answers + at);
    if (head.nlmsg_len < NLMSG_HDRLEN || head.nlmsg_len > size - at) break;
    const char* body = answers + at + NLMSG_HDRLEN;
    if (head.nlmsg_type == NLMSG_DONE) return false;
    if (head.nlmsg_type == NLMSG_ERROR) {
      if (head.nlmsg_len >= NLMSG_LENGTH(sizeof(nlmsgerr))) errno = -copy_of<nlmsgerr>(body).error;
      return fail_errno("the kernel does not list unix sockets");
    }
    if (head.nlmsg_len >= NLMSG_LENGTH(sizeof(unix_diag_msg)))
      all.push_back(parse_one(body, head.nlmsg_len - NLMSG_HDRLEN));
    at += NLMSG_ALIGN(head.nlmsg_len);
  }
  return true;
}

}  // namespace

// Of one that there cannot be: cheaper than the list.
bool can_be_listed() {
  unix_diag_req wanted{};
  wanted.sdiag_family = AF_UNIX;
  Status asked = netlink::request(
      NETLINK_SOCK_DIAG, netlink::message(SOCK_DIAG_BY_FAMILY, NLM_F_ACK,
                                          {reinterpret_cast<const char*>(&wanted), sizeof wanted}));
  return asked || asked.error().err == EINVAL;
}

Result<Fd> open_list() {
  Fd list(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
  if (!list) return fail_errno("cannot ask for unix sockets");
  return list;
}

Result<std::vector<Listed>> read_list(int list) {
  unix_diag_req wanted{};
  wanted.sdiag_family = AF_UNIX;
  wanted.udiag_states = ~0u;
  wanted.udiag_show = UDIAG_SHOW_VFS | UDIAG_SHOW_PEER;
  std::string request = netlink::message(SOCK_DIAG_BY_FAMILY, NLM_F_DUMP,
                                         {reinterpret_cast<const char*>(&wanted), sizeof wanted});
  if (send(list, request.data(), request.size(), 0) < 0)
    return fail_errno("cannot ask for unix sockets");
  std::vector<Listed> all;
  char answers[32768];
  for (bool more = true; more;) {
    ssize_t count = recv(list, answers, sizeof answers, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return fail_errno("the kernel does not list unix sockets");
    TRY_ASSIGN(more, parse_answers(answers, static_cast<size_t>(count), all));
  }
  return all;
}

// The kernel's own form of a device's number, which no header has.
Binding binding_of(dev_t device, ino_t inode) {
  return {static_cast<uint32_t>(major(device) << 20 | minor(device)), static_cast<uint32_t>(inode)};
}

bool is_live(int file) {
  Fd asker(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d", file);
  // Others that refuse are there: of another type, or closed to us.
  return !asker ||
         connect(asker.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 ||
         errno != ECONNREFUSED;
}

}  // namespace ringwall::unix_sockets
