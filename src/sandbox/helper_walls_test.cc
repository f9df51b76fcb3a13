#include "sandbox/helper_walls.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "base/fd.h"
#include "sandbox/landlock.h"

namespace ringwall::sandbox {
namespace {

constexpr int kNoWalls = 200;

// The error that the network relay gets for an option of a socket of its own, 0: it may.
int error_for_relay(int level, int option, int value) {
  Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  pid_t parent = getpid();
  int abi = probe_landlock_abi();
  pid_t pid = fork();
  if (pid == 0) {
    std::vector<int> kept = {socket.get()};
    if (!enter_helper_walls({Helper::network_relay, kept, {}}, parent, abi)) _exit(kNoWalls);
    linger lingering{1, 0};
    bool lingers = level == SOL_SOCKET && option == SO_LINGER;
    int result = lingers ? setsockopt(socket.get(), level, option, &lingering, sizeof lingering)
                         : setsockopt(socket.get(), level, option, &value, sizeof value);
    _exit(result < 0 ? errno : 0);
  }
  int status = 0;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(HelperWalls, OfSocketsTheRelayChangesThreeThings) {
  EXPECT_EQ(error_for_relay(IPPROTO_TCP, TCP_NODELAY, 1), 0);
  EXPECT_EQ(error_for_relay(SOL_SOCKET, SO_LINGER, 0), 0);
  EXPECT_EQ(error_for_relay(SOL_SOCKET, SO_RCVLOWAT, 1), 0);
  // None of these needs a capability.
  EXPECT_EQ(error_for_relay(SOL_SOCKET, SO_REUSEPORT, 1), EPERM);
  EXPECT_EQ(error_for_relay(SOL_SOCKET, SO_RCVBUF, 1 << 20), EPERM);
  EXPECT_EQ(error_for_relay(SOL_SOCKET, SO_KEEPALIVE, 1), EPERM);
  EXPECT_EQ(error_for_relay(IPPROTO_TCP, TCP_CORK, 1), EPERM);
  EXPECT_EQ(error_for_relay(IPPROTO_IP, IP_TTL, 1), EPERM);
}

}  // namespace
}  // namespace ringwall::sandbox
