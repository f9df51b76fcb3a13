#include "sandbox/sockets.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

namespace ringwall::sandbox {
namespace {

namespace fs = std::filesystem;

void make_socket(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(path.size(), sizeof address.sun_path);
  strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  close(fd);
}

}  // namespace

TEST(Sockets, AreFoundAtEveryDepthAndNothingElseIs) {
  std::string pattern = testing::TempDir() + "/sXXXXXX";
  std::string tree = mkdtemp(pattern.data());
  fs::create_directories(tree + "/a/b/c");
  make_socket(tree + "/top");
  make_socket(tree + "/a/b/c/deep");
  std::ofstream(tree + "/a/file") << "x";
  fs::create_symlink(tree + "/top", tree + "/link");
  fs::create_directory_symlink("/", tree + "/root");
  auto found = find_sockets(tree);
  ASSERT_TRUE(found);
  std::sort(found->begin(), found->end());
  EXPECT_EQ(*found, (std::vector<std::string>{tree + "/a/b/c/deep", tree + "/top"}));
  EXPECT_EQ(find_sockets(tree + "/a/file")->size(), 0u);
  EXPECT_EQ(find_sockets(tree + "/top")->size(), 1u);
  EXPECT_FALSE(find_sockets(tree + "/missing"));
  fs::remove_all(tree);
}

}  // namespace ringwall::sandbox
