#include "base/netlink.h"

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <sys/socket.h>

#include "base/fd.h"

namespace ringwall::netlink {
namespace {

template <typename Plain>
std::string_view view(const Plain& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

Status judge_answers(const char* answers, size_t size, bool& decided) {
  for (size_t at = 0; at + NLMSG_HDRLEN <= size;) {
    const auto* header = reinterpret_cast<const nlmsghdr*>(answers + at);
    if (header->nlmsg_len < NLMSG_HDRLEN || header->nlmsg_len > size - at) break;
    bool is_verdict =
        header->nlmsg_type == NLMSG_ERROR && header->nlmsg_len >= NLMSG_LENGTH(sizeof(nlmsgerr));
    if (is_verdict) {
      decided = true;
      int error = static_cast<const nlmsgerr*>(NLMSG_DATA(header))->error;
      if (error != 0) {
        errno = -error;
        return fail_errno("the kernel refused a netlink request");
      }
    }
    at += NLMSG_ALIGN(header->nlmsg_len);
  }
  return {};
}

}  // namespace

Attributes& Attributes::bytes(uint16_t type, std::string_view value) {
  nlattr header{static_cast<uint16_t>(NLA_HDRLEN + value.size()), type};
  encoded_.append(view(header));
  encoded_.append(value);
  encoded_.append(NLA_ALIGN(value.size()) - value.size(), '\0');
  return *this;
}

Attributes& Attributes::text(uint16_t type, std::string_view value) {
  return bytes(type, std::string(value) + '\0');
}

Attributes& Attributes::number(uint16_t type, uint32_t value) {
  return host_number(type, htonl(value));
}

Attributes& Attributes::host_number(uint16_t type, uint32_t value) {
  return bytes(type, view(value));
}

Attributes& Attributes::nest(uint16_t type, const Attributes& inner) {
  return bytes(static_cast<uint16_t>(type | NLA_F_NESTED), inner.encoded_);
}

std::string message(uint16_t type, uint16_t flags, std::string_view head,
                    const Attributes& attributes) {
  std::string body(head);
  body.append(NLMSG_ALIGN(head.size()) - head.size(), '\0');
  body += attributes.encoded();
  nlmsghdr header{static_cast<uint32_t>(NLMSG_HDRLEN + body.size()), type,
                  static_cast<uint16_t>(NLM_F_REQUEST | flags), 1, 0};
  return std::string(view(header)) + body;
}

Status request(int protocol, std::string_view messages) {
  Fd socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol));
  if (!socket) return fail_errno("cannot open a netlink socket");
  return request_by(socket.get(), messages);
}

Status request_by(int socket, std::string_view messages) {
  if (::send(socket, messages.data(), messages.size(), 0) < 0)
    return fail_errno("cannot send a netlink request");
  // The kernel has decided when the call returns: what it says lies there already.
  bool decided = false;
  Status verdict;  // the first error; the rest is read all the same
  alignas(nlmsghdr) char answers[8192];
  while (true) {
    ssize_t count = recv(socket, answers, sizeof answers, MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    Status judged = judge_answers(answers, static_cast<size_t>(count), decided);
    if (verdict && !judged) verdict = judged;
  }
  TRY(verdict);
  if (!decided) return fail("the kernel did not answer a netlink request");
  return {};
}

}  // namespace ringwall::netlink
