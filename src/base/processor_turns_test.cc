#include "base/processor_turns.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

namespace ringwall {
namespace {

// Nanoseconds; 0 on kernels that have none to choose.
uint64_t own_turn() {
  unsigned char attributes[56] = {};
  if (syscall(SYS_sched_getattr, 0, attributes, sizeof attributes, 0) < 0) return UINT64_MAX;
  uint64_t turn;
  memcpy(&turn, attributes + 24, sizeof turn);
  return turn;
}

int nice_value() { return static_cast<int>(syscall(SYS_getpriority, 0, 0)); }

// In a process of its own: the status that `body` returns.
template <typename Body>
int run_apart(const Body& body) {
  pid_t pid = fork();
  if (pid == 0) _exit(body());
  int status = -1;
  waitpid(pid, &status, 0);
  return WEXITSTATUS(status);
}

TEST(ProcessorTurns, AreLongerUntilTheyAreUsualAgain) {
  EXPECT_EQ(run_apart([] {
              uint64_t usual = own_turn();
              int niceness = nice_value();
              take_long_turns();
              uint64_t lengthened = own_turn();
              take_usual_turns();
              bool is_longer = usual == 0 ? lengthened == 0 : lengthened > usual;
              return is_longer && own_turn() == usual && nice_value() == niceness ? 0 : 1;
            }),
            0);
}

TEST(ProcessorTurns, LeaveAPolicyAloneThatThePersonHasChosen) {
  EXPECT_EQ(run_apart([] {
              sched_param none{};
              if (sched_setscheduler(0, SCHED_IDLE, &none) < 0) return 2;
              uint64_t before = own_turn();
              take_long_turns();
              return own_turn() == before && sched_getscheduler(0) == SCHED_IDLE ? 0 : 1;
            }),
            0);
}

}  // namespace
}  // namespace ringwall
