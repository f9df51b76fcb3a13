// The filter, call by call, without a kernel.
#include "calls/filter.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <set>

#include "base/text.h"
#include "calls/filter_compile.h"
#include "calls/rules.h"

namespace ringwall::calls {
namespace {

int number_of(std::string_view name) {
  return seccomp_syscall_resolve_name_arch(SCMP_ARCH_X86_64, std::string(name).c_str());
}

uint32_t decide(int number, std::initializer_list<uint64_t> arguments = {},
                uint32_t arch = AUDIT_ARCH_X86_64) {
  seccomp_data call{};
  call.nr = number;
  call.arch = arch;
  size_t at = 0;
  for (uint64_t argument : arguments)
    call.args[at++] = argument;
  std::span<const sock_filter> program = syscall_filter();
  return evaluate_syscall_filter({program.begin(), program.end()}, call);
}

uint32_t refused(int err) { return SECCOMP_RET_ERRNO | static_cast<uint32_t>(err); }

}  // namespace

TEST(SyscallFilter, EveryListedCallIsTreatedAsListed) {
  std::set<int> listed;
  for (const AllowedGroup& group : allowed_groups()) {
    for (const std::string& name : text::split(group.names, ' ')) {
      EXPECT_EQ(decide(number_of(name)), SECCOMP_RET_ALLOW) << name;
      listed.insert(number_of(name));
    }
  }
  for (const RefusedCall& call : refused_calls()) {
    EXPECT_EQ(decide(number_of(call.name)), refused(call.err)) << call.name;
    listed.insert(number_of(call.name));
  }
  for (const FilteredCall& call : filtered_calls())
    listed.insert(number_of(call.name));
  for (int number = 0; number < 2000; number++) {
    if (listed.contains(number)) continue;
    EXPECT_EQ(decide(number), refused(ENOSYS)) << number;
  }
}

TEST(SyscallFilter, EveryCallThatLibseccompKnowsHasADecision) {
  std::set<std::string> names;
  for (const AllowedGroup& group : allowed_groups()) {
    for (const std::string& name : text::split(group.names, ' '))
      names.insert(name);
  }
  for (const RefusedCall& call : refused_calls())
    names.emplace(call.name);
  for (const FilteredCall& call : filtered_calls())
    names.emplace(call.name);
  // Calls nobody implements in this architecture's kernel.
  for (const char* dead : {"afs_syscall", "getpmsg", "putpmsg", "security", "tuxcall", "vserver",
                           "get_thread_area", "set_thread_area"}) {
    names.insert(dead);
  }
  for (int number = 0; number < 500; number++) {
    char* name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_X86_64, number);
    if (name == nullptr) continue;
    EXPECT_TRUE(names.contains(name)) << name << " is in no list";
    free(name);
  }
}

TEST(SyscallFilter, CloneMakesThreadsButNoNamespace) {
  int clone = number_of("clone");
  EXPECT_EQ(decide(clone, {CLONE_VM | CLONE_THREAD | CLONE_SIGHAND}), SECCOMP_RET_ALLOW);
  for (uint64_t flag : {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC,
                        CLONE_NEWUTS, CLONE_NEWCGROUP}) {
    EXPECT_EQ(decide(clone, {flag | SIGCHLD}), refused(EPERM)) << flag;
    EXPECT_EQ(decide(number_of("unshare"), {flag}), refused(EPERM)) << flag;
  }
  EXPECT_EQ(decide(number_of("unshare"), {0x80}), refused(EPERM));
  EXPECT_EQ(decide(number_of("unshare"), {CLONE_FILES}), SECCOMP_RET_ALLOW);
}

TEST(SyscallFilter, HighHalfOfAnIoctlNumberDoesNotHideIt) {
  int ioctl = number_of("ioctl");
  EXPECT_EQ(decide(ioctl, {0, TIOCSTI}), refused(EPERM));
  EXPECT_EQ(decide(ioctl, {0, (1ull << 32) | TIOCSTI}), refused(EPERM));
  EXPECT_EQ(decide(ioctl, {0, TIOCLINUX}), refused(EPERM));
  EXPECT_EQ(decide(ioctl, {0, TIOCGWINSZ}), SECCOMP_RET_ALLOW);
}

TEST(SyscallFilter, SocketFamiliesAreAList) {
  int socket = number_of("socket");
  for (uint64_t family : {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK}) {
    EXPECT_EQ(decide(socket, {family, SOCK_STREAM, 0}), SECCOMP_RET_ALLOW) << family;
  }
  EXPECT_EQ(decide(socket, {AF_INET, SOCK_STREAM, IPPROTO_TCP}), SECCOMP_RET_ALLOW);
  EXPECT_EQ(decide(socket, {AF_INET6, SOCK_DGRAM, IPPROTO_UDP}), SECCOMP_RET_ALLOW);
  for (uint64_t family = 0; family < 64; family++) {
    if (family == AF_UNIX || family == AF_INET || family == AF_INET6 || family == AF_NETLINK)
      continue;
    EXPECT_EQ(decide(socket, {family, SOCK_STREAM, 0}), refused(EAFNOSUPPORT)) << family;
  }
  EXPECT_EQ(decide(socket, {AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER}), refused(EAFNOSUPPORT));
  EXPECT_EQ(decide(socket, {AF_INET, SOCK_STREAM, IPPROTO_SCTP}), refused(EAFNOSUPPORT));
  EXPECT_EQ(decide(number_of("socketpair"), {AF_UNIX}), SECCOMP_RET_ALLOW);
  EXPECT_EQ(decide(number_of("socketpair"), {AF_INET}), refused(EAFNOSUPPORT));
}

TEST(SyscallFilter, NoSetuidFileCanBeMade) {
  int openat = number_of("openat");
  constexpr uint64_t kCreate = O_CREAT | O_WRONLY;
  EXPECT_EQ(decide(openat, {0, 0, kCreate, 0644}), SECCOMP_RET_ALLOW);
  EXPECT_EQ(decide(openat, {0, 0, kCreate, 04755}), refused(EPERM));
  EXPECT_EQ(decide(openat, {0, 0, O_TMPFILE | O_RDWR, 02755}), refused(EPERM));
  // Without O_CREAT the kernel does not look at the mode, which may be anything.
  EXPECT_EQ(decide(openat, {0, 0, O_RDONLY | O_DIRECTORY, 0xffffffff}), SECCOMP_RET_ALLOW);
  EXPECT_EQ(decide(number_of("open"), {0, kCreate, 04755}), refused(EPERM));
  for (const char* name : {"chmod", "fchmod", "creat", "mknod"}) {
    EXPECT_EQ(decide(number_of(name), {0, 0755}), SECCOMP_RET_ALLOW) << name;
    EXPECT_EQ(decide(number_of(name), {0, 04755}), refused(EPERM)) << name;
  }
  for (const char* name : {"fchmodat", "fchmodat2", "mknodat"}) {
    EXPECT_EQ(decide(number_of(name), {0, 0, 0755}), SECCOMP_RET_ALLOW) << name;
    EXPECT_EQ(decide(number_of(name), {0, 0, 02755}), refused(EPERM)) << name;
  }
}

TEST(SyscallFilter, PipesKeepTheirSize) {
  int fcntl = number_of("fcntl");
  EXPECT_EQ(decide(fcntl, {0, F_SETPIPE_SZ, 1 << 20}), refused(EPERM));
  EXPECT_EQ(decide(fcntl, {0, (1ull << 32) | F_SETPIPE_SZ}), refused(EPERM));
  for (uint64_t command : {F_GETPIPE_SZ, F_DUPFD, F_DUPFD_CLOEXEC, F_SETFL, F_SETLK, F_ADD_SEALS})
    EXPECT_EQ(decide(fcntl, {0, command}), SECCOMP_RET_ALLOW) << command;
}

TEST(SyscallFilter, PersonalityCannotMakeReadsExecutable) {
  EXPECT_EQ(decide(number_of("personality"), {0xffffffff}), SECCOMP_RET_ALLOW);
  EXPECT_EQ(decide(number_of("personality"), {0x0400000}), refused(EPERM));
}

TEST(SyscallFilter, ForeignEntriesAreRefused) {
  EXPECT_EQ(decide(1, {}, AUDIT_ARCH_I386), SECCOMP_RET_KILL_PROCESS);
  EXPECT_EQ(decide(0x40000000 | 1), refused(ENOSYS));
}

TEST(SyscallFilter, ReportsAListThatNamesNoCall) {
  auto nothing = compile_syscall_filter([](std::string_view) { return -1; });
  EXPECT_FALSE(nothing);
  auto twice = compile_syscall_filter([](std::string_view) { return 5; });
  ASSERT_FALSE(twice);
  EXPECT_NE(twice.error().what.find("listed twice"), std::string::npos);
}

}  // namespace ringwall::calls
