#include "sandbox/early_namespaces.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "base/channel.h"
#include "base/file.h"
#include "base/sanitized.h"
#include "sandbox/id_map.h"

namespace ringwall::sandbox {
namespace {

std::string namespace_of(const char* kind) {
  return file::read_link(std::string("/proc/self/ns/") + kind).value_or("");
}

// Whether somebody is left whom we could wait for.
bool has_children() { return waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD; }

}  // namespace

TEST(EarlyNamespaces, AChildLivesInThemAndIsOurs) {
  EarlyNamespaces early = EarlyNamespaces::start();
  if (kIsSanitized) GTEST_SKIP() << "a sanitizer does not know such stacks";
  ASSERT_TRUE(early.are_there());
  auto pair = channel::make_pair();
  ASSERT_TRUE(pair);
  std::string planned = "planned after the start";  // what the child gets is what is there now
  clone_args arguments{};
  arguments.flags = EarlyNamespaces::flags() | CLONE_NEWPID;
  arguments.exit_signal = SIGCHLD;
  pid_t child = early.start_child(arguments, [&] {
    std::string said = planned + " " + std::to_string(getpid()) + " " + namespace_of("user") + " " +
                       namespace_of("net") + " " + namespace_of("mnt");
    _exit(send(pair->theirs.get(), said.data(), said.size(), 0) < 0 ? 1 : 7);
  });
  early.end();
  if (child < 0) GTEST_SKIP() << "this host gives no namespaces";
  ASSERT_GT(child, 0);
  char buffer[200];
  ssize_t length = recv(pair->ours.get(), buffer, sizeof buffer, 0);
  std::string said(buffer, length > 0 ? static_cast<size_t>(length) : 0);
  EXPECT_TRUE(said.starts_with("planned after the start 1 user:[")) << said;
  EXPECT_EQ(said.find(namespace_of("user")), std::string::npos);
  EXPECT_EQ(said.find(namespace_of("net")), std::string::npos);
  EXPECT_EQ(said.find(namespace_of("mnt")), std::string::npos);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_FALSE(has_children());
}

TEST(EarlyNamespaces, CanBePreparedBeforeTheChildIsThere) {
  EarlyNamespaces early = EarlyNamespaces::start();
  pid_t holder = early.wait_until_made();
  if (holder < 0) GTEST_SKIP() << "this host gives no namespaces";
  EXPECT_EQ(early.wait_until_made(), holder);
  std::string users = file::read_link("/proc/" + std::to_string(holder) + "/ns/user").value_or("");
  EXPECT_NE(users, namespace_of("user"));
  Identity identity = plan_identity(getuid(), getgid(), "user", "group");
  ASSERT_TRUE(write_id_maps(holder, identity));
  clone_args arguments{};
  arguments.flags = EarlyNamespaces::flags() | CLONE_NEWPID;
  pid_t child = early.start_child(arguments, [&] {
    bool is_mapped = take_identity(identity) && getuid() == identity.uid;
    _exit(is_mapped && namespace_of("user") == users ? 7 : 1);
  });
  early.end();
  EXPECT_LT(early.wait_until_made(), 0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, __WALL), child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST(EarlyNamespaces, NothingIsLeftOfThoseThatNobodyUses) {
  { EarlyNamespaces early = EarlyNamespaces::start(); }
  EarlyNamespaces early = EarlyNamespaces::start();
  early = EarlyNamespaces();
  EXPECT_FALSE(early.are_there());
  EXPECT_FALSE(has_children());
  clone_args arguments{};
  EXPECT_LT(early.start_child(arguments, [] { _exit(1); }), 0);
}

}  // namespace ringwall::sandbox
