#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "base/fd.h"
#include "machine_audit/machine.h"

namespace ringwall::machine_audit {
namespace {

TEST(MachineHost, GroupsThatAreAsGoodAsRoot) {
  std::vector<Finding> findings;
  look_at_groups(std::vector<std::string>{"users", "video", "dockers"}, findings);
  EXPECT_TRUE(findings.empty());
  look_at_groups(std::vector<std::string>{"users", "docker", "lxd"}, findings);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].check->number, "RW194");
  EXPECT_EQ(findings[0].check->severity, audit::Severity::high);
  EXPECT_EQ(findings[1].seen, "lxd");
}

TEST(MachineHost, SocketsOfDaemons) {
  char folder[] = "/tmp/ringwall-unit-host-test.XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  std::string path = std::string(folder) + "/docker.sock";
  sockaddr_un address{AF_UNIX, {}};
  strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  Fd socket_fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(bind(socket_fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  std::vector<Finding> findings;
  // The same one by two names is one.
  look_at_sockets(std::vector<std::string>{path, path, std::string(folder) + "/none"}, findings);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].check->number, "RW195");
  if (getuid() != 0) {
    ASSERT_EQ(chmod(path.c_str(), 0), 0);
    findings.clear();
    look_at_sockets(std::vector<std::string>{path}, findings);
    EXPECT_TRUE(findings.empty());
  }
  unlink(path.c_str());
  rmdir(folder);
}

TEST(MachineHost, SecretsInTheEnvironment) {
  std::vector<Finding> findings;
  const char* plain[] = {"PATH=/usr/bin", "GITHUB_TOKEN=", "TOKEN_URL=https://a.example/token",
                         "SSH_AUTH_SOCK=/run/agent", "HOME=/home/u"};
  look_at_environment(plain, findings);
  EXPECT_TRUE(findings.empty());
  const char* open[] = {"DB_PASSWORD=hunter2hunter2", "API_TOKEN=x7f9Kd02LmQp4",
                        "DOCKER_HOST=tcp://10.0.0.5:2375"};
  look_at_environment(open, findings);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].check->number, "RW180");
  EXPECT_EQ(findings[1].check->number, "RW179");
  EXPECT_EQ(findings[1].seen, "API_TOKEN, DB_PASSWORD");
}

TEST(MachineHost, ModesOfOthers) {
  MachineRequest request{.home = "/home/u", .uid = 1000, .private_group = 1000};
  struct stat facts {};
  facts.st_uid = 1000;
  facts.st_gid = 1000;
  facts.st_mode = S_IFREG | 0664;
  EXPECT_FALSE(is_changed_by_others(facts, request));
  facts.st_gid = 100;
  EXPECT_TRUE(is_changed_by_others(facts, request));
  facts.st_mode = S_IFREG | 0644;
  EXPECT_FALSE(is_changed_by_others(facts, request));
  EXPECT_TRUE(is_read_by_others(facts, request));
  facts.st_mode = S_IFREG | 0600;
  EXPECT_FALSE(is_read_by_others(facts, request));
  // Where no group is known to be one's own alone.
  request.private_group.reset();
  facts.st_gid = 1000;
  facts.st_mode = S_IFREG | 0660;
  EXPECT_TRUE(is_changed_by_others(facts, request));
}

}  // namespace
}  // namespace ringwall::machine_audit
