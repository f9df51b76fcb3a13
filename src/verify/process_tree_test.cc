#include "verify/process_tree.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

namespace ringwall::verify {
namespace {

TEST(ProcessTree, FindsChildrenByWhateverName) {
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    prctl(PR_SET_NAME, "a) S 1 (b", 0, 0, 0);
    while (true)
      pause();
  }
  pid_t ended = fork();
  ASSERT_GE(ended, 0);
  if (ended == 0) _exit(0);
  siginfo_t info;
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(ended), &info, WEXITED | WNOWAIT), 0);
  std::vector<pid_t> found = ProcessTree::read().from(getpid());
  EXPECT_EQ(found.front(), getpid());
  EXPECT_EQ(std::count(found.begin(), found.end(), child), 1);
  EXPECT_EQ(std::count(found.begin(), found.end(), ended), 0) << "ended, only not reaped";
  std::vector<pid_t> children = ProcessTree::read().children_of(getpid());
  EXPECT_EQ(std::count(children.begin(), children.end(), child), 1);
  EXPECT_FALSE(ProcessTree::read().child_named(getpid(), "of another name"));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  waitpid(ended, nullptr, 0);
}

}  // namespace
}  // namespace ringwall::verify
