#include "calls/file_calls.h"

#include <gtest/gtest.h>
#include <linux/audit.h>
#include <sys/syscall.h>

#include "calls/filter_compile.h"
#include "calls/rename_listener.h"

namespace ringwall::calls {
namespace {

using Want = FileCall::Want;

seccomp_data call(int number, std::initializer_list<uint64_t> arguments = {}) {
  seccomp_data data{};
  data.nr = number;
  data.arch = AUDIT_ARCH_X86_64;
  std::copy(arguments.begin(), arguments.end(), data.args);
  return data;
}

uint32_t decide(const seccomp_data& data, bool learns) {
  return evaluate_syscall_filter(rename_filter(learns), data);
}

TEST(FileCalls, AreCaughtOnlyWhereARunLearns) {
  for (int number : {SYS_openat, SYS_stat, SYS_newfstatat, SYS_execve, SYS_access, SYS_connect,
                     SYS_mkdir, SYS_unlinkat, SYS_readlink}) {
    EXPECT_EQ(decide(call(number), true), SECCOMP_RET_USER_NOTIF) << number;
    EXPECT_EQ(decide(call(number), false), SECCOMP_RET_ALLOW) << number;
  }
  for (int number : {SYS_rename, SYS_renameat, SYS_renameat2}) {
    EXPECT_EQ(decide(call(number), true), SECCOMP_RET_USER_NOTIF) << number;
    EXPECT_EQ(decide(call(number), false), SECCOMP_RET_USER_NOTIF) << number;
  }
  for (int number : {SYS_read, SYS_write, SYS_close, SYS_mmap, SYS_fstat, SYS_futex})
    EXPECT_EQ(decide(call(number), true), SECCOMP_RET_ALLOW) << number;
}

TEST(FileCalls, WithoutANameAreNotCaught) {
  EXPECT_EQ(decide(call(SYS_newfstatat, {3, 0, 0, AT_EMPTY_PATH}), true), SECCOMP_RET_ALLOW);
  EXPECT_EQ(decide(call(SYS_statx, {3, 0, AT_EMPTY_PATH}), true), SECCOMP_RET_ALLOW);
  EXPECT_FALSE(decode_file_call(call(SYS_newfstatat, {3, 0, 0, AT_EMPTY_PATH})));
  EXPECT_FALSE(decode_file_call(call(SYS_read)));
}

TEST(FileCalls, OfAnotherArchitectureAreNobodys) {
  seccomp_data data = call(SYS_openat);
  data.arch = AUDIT_ARCH_I386;
  EXPECT_EQ(decide(data, true), SECCOMP_RET_ALLOW);
}

TEST(FileCalls, TheFlagsOfOpenSayWhatIsWanted) {
  auto want = [](uint64_t flags) {
    return decode_file_call(call(SYS_openat, {5, 0x1000, flags}))->want;
  };
  EXPECT_EQ(want(O_RDONLY), Want::read);
  EXPECT_EQ(want(O_RDONLY | O_DIRECTORY), Want::read);
  EXPECT_EQ(want(O_PATH), Want::look);
  EXPECT_EQ(want(O_WRONLY), Want::write);
  EXPECT_EQ(want(O_RDWR), Want::write);
  EXPECT_EQ(want(O_RDONLY | O_CREAT), Want::write);
  auto decoded = decode_file_call(call(SYS_openat, {5, 0x1000, O_RDONLY}));
  EXPECT_EQ(decoded->folder, 5);
  EXPECT_EQ(decoded->name, 0x1000u);
  EXPECT_EQ(decode_file_call(call(SYS_open, {0x1000}))->folder, AT_FDCWD);
}

TEST(FileCalls, OfTwoNamesTheNewOneCounts) {
  auto moved = decode_file_call(call(SYS_renameat2, {1, 0x10, 2, 0x20}));
  EXPECT_EQ(moved->folder, 2);
  EXPECT_EQ(moved->name, 0x20u);
  auto linked = decode_file_call(call(SYS_symlinkat, {0x10, 2, 0x20}));
  EXPECT_EQ(linked->folder, 2);
  EXPECT_EQ(linked->name, 0x20u);
}

}  // namespace
}  // namespace ringwall::calls
