#include "calls/rename_listener.h"

#include <gtest/gtest.h>
#include <linux/audit.h>
#include <poll.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>

#include "base/channel.h"
#include "calls/filter_compile.h"

namespace ringwall::calls {
namespace {

uint32_t decide(int number, uint32_t arch = AUDIT_ARCH_X86_64) {
  seccomp_data call{};
  call.nr = number;
  call.arch = arch;
  return evaluate_syscall_filter(rename_filter(), call);
}

// Renames what is not there, and says by its exit status what came of it.
[[noreturn]] void rename_and_tell(int channel) {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  auto listener = listen_for_renames();
  if (!listener || !*listener) _exit(200);
  int fd = listener->get();
  if (!channel::send(channel, "x", {&fd, 1})) _exit(201);
  listener->close();
  int err = rename("/nonexistent/a", "/nonexistent/b") == 0 ? 0 : errno;
  _exit(err);
}

// The exit status of that process; `answer` is given the listener and the call.
template <class Answer>
int status_of_rename(Answer answer) {
  auto pair = channel::make_pair();
  pid_t child = fork();
  if (child == 0) rename_and_tell(pair->theirs.get());
  pair->theirs.close();
  auto message = channel::receive(pair->ours.get());
  if (message && message->fds.size() == 1) {
    RenameListener listener(std::move(message->fds[0]));
    pollfd waits{listener.fd(), POLLIN, 0};
    if (poll(&waits, 1, 5000) == 1) {
      if (const seccomp_notif* call = listener.receive()) answer(listener, *call);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST(RenameListener, CatchesTheFamilyOfRenameAndNothingElse) {
  for (int number = 0; number < 600; number++) {
    bool caught = number == SYS_rename || number == SYS_renameat || number == SYS_renameat2;
    EXPECT_EQ(decide(number), caught ? SECCOMP_RET_USER_NOTIF : SECCOMP_RET_ALLOW) << number;
  }
  EXPECT_EQ(decide(SYS_rename, AUDIT_ARCH_I386), SECCOMP_RET_ALLOW);
}

TEST(RenameListener, KnowsWhetherTheKernelCan) {
  bool can = can_listen_for_calls();
  int status = status_of_rename(
      [](RenameListener& listener, const seccomp_notif& call) { listener.let_go_on(call.id); });
  EXPECT_EQ(can, status != 200);
}

TEST(RenameListener, AnswersForTheKernelOrLetsItGoOn) {
  int status = status_of_rename([](RenameListener& listener, const seccomp_notif& call) {
    EXPECT_TRUE(listener.still_waits(call.id));
    listener.answer(call.id, 0);
    EXPECT_FALSE(listener.still_waits(call.id));
  });
  if (status == 200) GTEST_SKIP() << "this kernel cannot";
  EXPECT_EQ(status, 0);
  EXPECT_EQ(status_of_rename([](RenameListener& listener, const seccomp_notif& call) {
              listener.answer(call.id, EACCES);
            }),
            EACCES);
  EXPECT_EQ(status_of_rename([](RenameListener& listener, const seccomp_notif& call) {
              listener.let_go_on(call.id);
            }),
            ENOENT);
}

}  // namespace ringwall::calls
