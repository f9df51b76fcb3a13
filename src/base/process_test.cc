#include "base/process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringwall::process {
namespace {

TEST(Process, RunsUntilItEndsAndNotUntilItIsCollected) {
  pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  EXPECT_TRUE(is_running(child));
  kill(child, SIGKILL);
  siginfo_t info;
  ASSERT_EQ(waitid(P_PID, child, &info, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(kill(child, 0), 0);  // a signal still finds it
  EXPECT_FALSE(is_running(child));
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(is_running(child));
}

TEST(Process, NoNumberIsNoProcess) {
  EXPECT_FALSE(is_running(0));
  EXPECT_FALSE(is_running(-1));
}

}  // namespace
}  // namespace ringwall::process
