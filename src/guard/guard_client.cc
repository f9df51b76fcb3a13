#include "guard/guard_client.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <cstring>

#include "base/channel.h"
#include "base/fixed_message.h"
#include "bpf/layout.h"

namespace ringwall::guard {
namespace {

constexpr int kPatienceSeconds = 20;
constexpr const char* kHowToStart =
    "root starts it: systemctl enable --now ringwall-guard, or by hand: sudo ringwall guard";

// Whoever listens there is root's: nobody else may write to that folder, but looking is cheap.
Result<Fd> connect_to_guard() {
  Fd connection(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!connection) return fail_errno("cannot make a socket");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  memcpy(address.sun_path, kSocketPath, strlen(kSocketPath));
  if (connect(connection.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) < 0)
    return fail_errno("no guard listens at " + std::string(kSocketPath), kHowToStart);
  ucred who{};
  socklen_t size = sizeof who;
  if (getsockopt(connection.get(), SOL_SOCKET, SO_PEERCRED, &who, &size) < 0 || who.uid != 0)
    return fail("who listens at " + std::string(kSocketPath) + " is not root", kHowToStart);
  timeval patience{kPatienceSeconds, 0};
  if (setsockopt(connection.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) < 0)
    return fail_errno("cannot limit the wait for the guard");
  return connection;
}

Result<GuardNotice> take_notice(int connection) {
  TRY_ASSIGN(channel::Message message, channel::receive(connection));
  if (message.bytes.empty()) return fail("the guard has ended");
  return parse_notice(message.bytes);
}

Result<GuardNotice> ask(int connection, const GuardRequest& request, std::span<const int> fds) {
  TRY(channel::send(connection, fixed::bytes_of(request), fds));
  TRY_ASSIGN(GuardNotice answer, take_notice(connection));
  if (answer.type != GuardNotice::Type::answer) return fail("the guard gave no answer");
  return answer;
}

}  // namespace

Result<GuardLink> GuardLink::enforce(const GuardOrder& order, int pidfd) {
  GuardLink link;
  TRY_ASSIGN(link.connection_, connect_to_guard());
  std::string bytes;
  for (const auto* digests : {&order.denied, &order.allowed, &order.named}) {
    for (const Digest& digest : *digests)
      bytes.append(reinterpret_cast<const char*>(digest.bytes.data()), digest.bytes.size());
  }
  TRY_ASSIGN(Fd rules, channel::memory_file(bytes));
  GuardRequest request{.type = GuardRequest::Type::enforce, .flags = order.flags};
  request.least = static_cast<uint32_t>(order.least);
  request.denied = static_cast<uint32_t>(order.denied.size());
  request.allowed = static_cast<uint32_t>(order.allowed.size());
  request.named = static_cast<uint32_t>(order.named.size());
  int fds[] = {pidfd, rules.get()};
  TRY_ASSIGN(GuardNotice answer, ask(link.connection_.get(), request, fds));
  if (answer.accepted == 0)
    return fail("the guard refuses: " + std::string(answer.text),
                "see what this host gives: ringwall doctor");
  link.kind_ = static_cast<Kind>(answer.kind);
  if (link.kind_ < order.least) return fail("the guard gives less than was asked for");
  return link;
}

Result<GuardNotice> GuardLink::receive() {
  TRY_ASSIGN(GuardNotice notice, take_notice(connection_.get()));
  if (notice.type != GuardNotice::Type::refused) return fail("the guard says what nobody asked");
  return notice;
}

Result<GuardFacts> ask_guard() {
  TRY_ASSIGN(Fd connection, connect_to_guard());
  TRY_ASSIGN(GuardNotice answer, ask(connection.get(), GuardRequest{}, {}));
  if (answer.accepted == 0) return fail("the guard refuses: " + std::string(answer.text));
  return GuardFacts{static_cast<Kind>(answer.kind), answer.text};
}

std::string_view describe_how(uint32_t how) {
  switch (how) {
    case RW_EXEC:
      return "executed";
    case RW_LOADER:
      return "taken as a program's loader";
    case RW_MAP:
      return "mapped to be executed";
    case RW_PROTECT:
      return "made executable in memory";
    case RW_SHARED_MEMORY:
      return "attached as executable shared memory";
    case RW_PERSONALITY:
      return "made all memory executable";
    case RW_WRITE:
      return "opened for writing";
    case RW_READ:
      return "opened";
    default:
      return "used";
  }
}

std::string_view describe_why(uint32_t why) {
  switch (why) {
    case RW_UNKNOWN:
      return "its content is not known";
    case RW_WRITTEN:
      return "somebody has it open for writing";
    case RW_REFUSED:
      return "its content may not run";
    case RW_ANONYMOUS:
      return "memory that belongs to no file may not be executed";
    case RW_CHANGED:
      return "its pages were changed in memory";
    case RW_FOREIGN:
      return "by system calls of another architecture";
    case RW_IN_USE:
      return "it is in use";
    case RW_UNSURE:
    case RW_UNSEEN:
      return "it could not be looked at";
    default:
      return "by a rule";
  }
}

}  // namespace ringwall::guard
