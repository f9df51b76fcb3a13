#include "calls/exec_filter.h"

#include <gtest/gtest.h>
#include <linux/audit.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "calls/filter_compile.h"

namespace ringwall::calls {
namespace {

constexpr ExecPlan kAll{true, true, true, true};
constexpr uint32_t kRefused = SECCOMP_RET_ERRNO | EPERM;

uint32_t outcome(const ExecPlan& plan, int number, std::vector<uint64_t> arguments) {
  seccomp_data call{};
  call.arch = AUDIT_ARCH_X86_64;
  call.nr = number;
  for (size_t i = 0; i < arguments.size(); i++)
    call.args[i] = arguments[i];
  return evaluate_syscall_filter(exec_filter(plan), call);
}

TEST(ExecFilter, HasMappingsOfFilesJudged) {
  constexpr uint32_t kJudged = SECCOMP_RET_TRACE;
  EXPECT_EQ(outcome(kAll, SYS_mmap, {0, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, 3}), kJudged);
  EXPECT_EQ(outcome(kAll, SYS_mmap, {0, 1, PROT_READ, MAP_PRIVATE, 3}), SECCOMP_RET_ALLOW);
  EXPECT_EQ(outcome(kAll, SYS_mmap, {0, 1, PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS}),
            SECCOMP_RET_ALLOW);
  EXPECT_EQ(outcome(kAll, SYS_mprotect, {0, 1, PROT_EXEC}), kJudged);
}

TEST(ExecFilter, LetsNobodyLeaveTheStop) {
  EXPECT_EQ(outcome(kAll, SYS_clone, {CLONE_UNTRACED}), kRefused);
  EXPECT_EQ(outcome(kAll, SYS_clone, {CLONE_VM | CLONE_FILES | CLONE_THREAD}), SECCOMP_RET_ALLOW);
  EXPECT_EQ(outcome(kAll, SYS_clone, {CLONE_VM | CLONE_VFORK}), SECCOMP_RET_ALLOW);
  EXPECT_EQ(outcome(kAll, SYS_clone, {CLONE_VM}), kRefused);
  EXPECT_EQ(outcome(kAll, SYS_clone, {CLONE_FILES}), kRefused);
  EXPECT_EQ(outcome(kAll, SYS_clone, {CLONE_PARENT | CLONE_VM | CLONE_VFORK}), kRefused);
  EXPECT_EQ(outcome(kAll, SYS_clone, {17}), SECCOMP_RET_ALLOW);
  EXPECT_EQ(outcome(kAll, SYS_ptrace, {0}), kRefused);
}

TEST(ExecFilter, LetsNobodyListenBeforeTheStop) {
  auto filter_with = [](const ExecPlan& plan, uint64_t flags) {
    return outcome(plan, SYS_seccomp, {SECCOMP_SET_MODE_FILTER, flags});
  };
  EXPECT_EQ(filter_with(kAll, SECCOMP_FILTER_FLAG_NEW_LISTENER), kRefused);
  EXPECT_EQ(filter_with(kAll, SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_TSYNC),
            kRefused);
  EXPECT_EQ(filter_with(kAll, SECCOMP_FILTER_FLAG_TSYNC), SECCOMP_RET_ALLOW);
  EXPECT_EQ(outcome(kAll, SYS_seccomp, {SECCOMP_GET_NOTIF_SIZES, 0}), SECCOMP_RET_ALLOW);
  ExecPlan later{.has_stop = true};
  EXPECT_EQ(filter_with(later, SECCOMP_FILTER_FLAG_NEW_LISTENER), SECCOMP_RET_ALLOW);
}

TEST(ExecFilter, IsAsSmallAsThePlan) {
  ExecPlan allow{.only_known = true};
  EXPECT_EQ(outcome(allow, SYS_memfd_create, {}), SECCOMP_RET_ERRNO | ENOSYS);
  EXPECT_EQ(outcome(allow, SYS_ptrace, {0}), SECCOMP_RET_ALLOW);
  EXPECT_EQ(outcome(allow, SYS_mmap, {0, 1, PROT_EXEC, MAP_PRIVATE, 3}), SECCOMP_RET_ALLOW);
  ExecPlan guarded{.only_known = true, .keeps_code = true};
  EXPECT_EQ(outcome(guarded, SYS_ptrace, {0}), kRefused);
  ExecPlan later{.has_stop = true};
  EXPECT_EQ(outcome(later, SYS_memfd_create, {}), SECCOMP_RET_ALLOW);
  EXPECT_EQ(outcome(later, SYS_clone, {CLONE_VM}), SECCOMP_RET_ALLOW);
}

}  // namespace
}  // namespace ringwall::calls
