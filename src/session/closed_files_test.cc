#include "session/closed_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "base/channel.h"
#include "base/file.h"
#include "changes/attributes.h"
#include "sandbox/landlock.h"

namespace ringwall::session {
namespace {

class ClosedFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/ringwall-unit-closed-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    top_ = name;
    ASSERT_EQ(mkdir((top_ + "/tree").c_str(), 0755), 0);
    std::vector<Fd> trees;
    trees.push_back(*file::open(top_ + "/tree", O_RDONLY | O_DIRECTORY));
    auto opener = start_opener(trees, {});
    ASSERT_TRUE(opener) << opener.error().text();
    opener_ = std::move(*opener);
  }
  void TearDown() override {
    for (const char* name : {"/tree/file", "/file", "/tree"})
      remove((top_ + name).c_str());
    remove(top_.c_str());
  }

  // What it gives of a file with this mode.
  std::string ask(const std::string& path, mode_t mode) {
    std::ofstream(top_ + path) << "content";
    chmod((top_ + path).c_str(), mode);
    Fd place(open((top_ + path).c_str(), O_PATH | O_CLOEXEC));
    int fds[] = {place.get()};
    if (!channel::send(opener_.link.channel.get(), "o", fds)) return "(gone)";
    auto answer = channel::receive(opener_.link.channel.get());
    if (!answer || answer->bytes.empty()) return "(gone)";
    return answer->fds.empty() ? "(closed)" : *file::read_all(answer->fds[0].get());
  }

  std::string top_;
  Opener opener_;
};

TEST_F(ClosedFiles, AreOpenedInTheTrees) { EXPECT_EQ(ask("/tree/file", 0), "content"); }

TEST_F(ClosedFiles, ComeWithTheirAttributes) {
  std::ofstream(top_ + "/tree/file") << "content";
  ASSERT_EQ(setxattr((top_ + "/tree/file").c_str(), "user.keep", "v", 1, 0), 0);
  chmod((top_ + "/tree/file").c_str(), 0);
  Fd place(open((top_ + "/tree/file").c_str(), O_PATH | O_CLOEXEC));
  int fds[] = {place.get()};
  ASSERT_TRUE(channel::send(opener_.link.channel.get(), "o", fds));
  auto answer = channel::receive(opener_.link.channel.get());
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->fds.size(), 1u);
  EXPECT_EQ(*changes::unpack(answer->bytes.substr(1)), (changes::Attributes{{"user.keep", "v"}}));
}

TEST_F(ClosedFiles, StayClosedElsewhere) {
  if (sandbox::probe_landlock_abi() < sandbox::kLeastLandlockAbi) GTEST_SKIP() << "no Landlock";
  EXPECT_EQ(ask("/file", 0), "(closed)");
}

TEST_F(ClosedFiles, OthersAreNotItsAffair) { EXPECT_EQ(ask("/tree/file", 0400), "(closed)"); }

}  // namespace
}  // namespace ringwall::session
