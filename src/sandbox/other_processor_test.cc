#include "sandbox/other_processor.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringwall::sandbox {
namespace {

class Sleeper {
 public:
  Sleeper() : pid_(fork()) {
    if (pid_ == 0) {
      while (true)
        pause();
    }
  }
  ~Sleeper() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }

  cpu_set_t processors() const {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(pid_, sizeof set, &set);
    return set;
  }

 private:
  pid_t pid_;
};

cpu_set_t own_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  return set;
}

TEST(OtherProcessor, IsAnyButOurs) {
  cpu_set_t ours = own_processors();
  Sleeper sleeper;
  OtherProcessor().move(sleeper.pid());
  cpu_set_t its = sleeper.processors();
  EXPECT_EQ(CPU_COUNT(&its), CPU_COUNT(&ours) > 1 ? CPU_COUNT(&ours) - 1 : 1);
}

TEST(OtherProcessor, BindsNobodyForGood) {
  cpu_set_t ours = own_processors();
  OtherProcessor other;
  other.move(getpid());
  EXPECT_TRUE(other.free_own_process());
  cpu_set_t now = own_processors();
  EXPECT_TRUE(CPU_EQUAL(&now, &ours));

  Sleeper sleeper;
  move_to_own_processor(sleeper.pid());
  now = sleeper.processors();
  EXPECT_TRUE(CPU_EQUAL(&now, &ours));
}

TEST(OtherProcessor, IsNoneWhereOnlyOneIsAllowed) {
  cpu_set_t ours = own_processors();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<size_t>(sched_getcpu()), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  {
    Sleeper sleeper;
    OtherProcessor().move(sleeper.pid());
    cpu_set_t its = sleeper.processors();
    EXPECT_TRUE(CPU_EQUAL(&its, &one));
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof ours, &ours), 0);
}

}  // namespace
}  // namespace ringwall::sandbox
