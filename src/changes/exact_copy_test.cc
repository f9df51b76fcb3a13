#include "changes/exact_copy.h"

#include "changes/changes_testing.h"

namespace ringwall::changes {
namespace {

constexpr const char* kAccess = "system.posix_acl_access";

class ExactCopy : public ::testing::Test {
 protected:
  void SetUp() override { folder_ = open_folder(top_.path()); }
  std::string path(const std::string& name) const { return top_.path() + "/" + name; }
  Status copy(EntryType type, const CopyFacts& facts = {}) {
    return copy_entry({folder_.get(), "from"}, type, folder_.get(), "to", facts);
  }
  struct stat look(const char* name) const {
    struct stat seen = {};
    EXPECT_EQ(lstat(path(name).c_str(), &seen), 0);
    return seen;
  }
  TemporaryFolder top_;
  Fd folder_;
};

TEST_F(ExactCopy, HasModeTimeAndAttributes) {
  write_text(path("from"), std::string(200'000, 'x') + "end", 0640);
  ASSERT_EQ(setxattr(path("from").c_str(), "user.colour", "r\0d", 3, 0), 0);
  ASSERT_EQ(setxattr(path("from").c_str(), "user.overlay.origin", "o", 1, 0), 0);
  timespec times[2] = {{5, 0}, {-7, 123456789}};
  ASSERT_EQ(utimensat(AT_FDCWD, path("from").c_str(), times, 0), 0);
  Status done = copy(EntryType::file);
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(read_text(path("to")), read_text(path("from")));
  EXPECT_EQ(look("to").st_mode & 07777, 0640u);
  EXPECT_EQ(look("to").st_mtim.tv_sec, -7);
  EXPECT_EQ(look("to").st_mtim.tv_nsec, 123456789);
  Fd to(openat(folder_.get(), "to", O_RDONLY));
  EXPECT_EQ(*read_attributes(to.get()), (Attributes{{"user.colour", std::string("r\0d", 3)}}));
}

TEST_F(ExactCopy, OfTenGigabytesOfHolesTakesNoRoom) {
  Fd from(openat(folder_.get(), "from", O_RDWR | O_CREAT, 0600));
  off_t size = off_t{10} << 30;
  ASSERT_EQ(pwrite(from.get(), "begin", 5, 0), 5);
  ASSERT_EQ(pwrite(from.get(), "middle", 6, size / 2), 6);
  ASSERT_EQ(ftruncate(from.get(), size), 0);
  Status done = copy(EntryType::file);
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(look("to").st_size, size);
  EXPECT_LT(look("to").st_blocks, 1024);
  Fd to(openat(folder_.get(), "to", O_RDONLY));
  char text[6];
  ASSERT_EQ(pread(to.get(), text, 6, size / 2), 6);
  EXPECT_EQ(std::string(text, 6), "middle");
}

TEST_F(ExactCopy, LosesSetuidAndSetgid) {
  write_text(path("from"), "x", 0755);
  ASSERT_EQ(chmod(path("from").c_str(), 06755), 0);
  ASSERT_TRUE(copy(EntryType::file));
  EXPECT_EQ(look("to").st_mode & 07777, 0755u);
  ASSERT_EQ(unlink(path("to").c_str()), 0);
  ASSERT_TRUE(copy(EntryType::file, {.mode = 07700}));
  EXPECT_EQ(look("to").st_mode & 07777, 0700u);
}

TEST_F(ExactCopy, ReadsWhatItsOwnerClosedAndLeavesItClosed) {
  write_text(path("from"), "x", 0000);
  Status done = copy(EntryType::file);
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(look("from").st_mode & 07777, 0u);
  EXPECT_EQ(look("to").st_mode & 07777, 0u);
  EXPECT_EQ(look("to").st_size, 1);
}

TEST_F(ExactCopy, LinksAndFifosAreNotFollowed) {
  ASSERT_EQ(symlink("/etc/passwd", path("from").c_str()), 0);
  ASSERT_TRUE(copy(EntryType::link));
  EXPECT_EQ(std::filesystem::read_symlink(path("to")), "/etc/passwd");
  EXPECT_FALSE(copy_entry({folder_.get(), "from"}, EntryType::file, folder_.get(), "other"));
  EXPECT_FALSE(file::exists(path("other")));
  ASSERT_EQ(unlink(path("from").c_str()) + unlink(path("to").c_str()), 0);
  ASSERT_EQ(mkfifo(path("from").c_str(), 0620), 0);
  ASSERT_TRUE(copy(EntryType::fifo));
  EXPECT_TRUE(S_ISFIFO(look("to").st_mode));
  EXPECT_FALSE(copy_entry({folder_.get(), "from"}, EntryType::file, folder_.get(), "other"));
}

TEST_F(ExactCopy, OfAFifoHasItsAccessList) {
  ASSERT_EQ(mkfifo(path("from").c_str(), 0600), 0);
  std::string list = closed_list();
  if (setxattr(path("from").c_str(), kAccess, list.data(), list.size(), 0) < 0)
    GTEST_SKIP() << "no such lists here";
  Status done = copy(EntryType::fifo);
  ASSERT_TRUE(done) << done.error().text();
  Fd to(openat(folder_.get(), "to", O_PATH));
  EXPECT_EQ(*read_attributes(to.get()), (Attributes{{kAccess, list}}));
  EXPECT_EQ(look("to").st_mode, look("from").st_mode);
}

TEST_F(ExactCopy, TakesNoAccessListFromTheFolderItIsMadeIn) {
  write_text(path("from"), "private", 0640);
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0640), 0);
  std::string list = closed_list();
  if (setxattr(top_.path().c_str(), "system.posix_acl_default", list.data(), list.size(), 0) < 0)
    GTEST_SKIP() << "no such lists here";
  ASSERT_TRUE(copy(EntryType::file));
  ASSERT_TRUE(copy_entry({folder_.get(), "pipe"}, EntryType::fifo, folder_.get(), "to-pipe"));
  for (const char* name : {"to", "to-pipe"}) {
    Fd to(openat(folder_.get(), name, O_PATH));
    EXPECT_TRUE(read_attributes(to.get())->empty()) << name;
    EXPECT_EQ(look(name).st_mode & 07777, 0640u) << name;
  }
}

TEST_F(ExactCopy, NeverOverwrites) {
  write_text(path("from"), "new");
  write_text(path("to"), "old");
  EXPECT_FALSE(copy(EntryType::file));
  EXPECT_EQ(read_text(path("to")), "old");
}

}  // namespace
}  // namespace ringwall::changes
