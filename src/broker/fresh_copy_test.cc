#include "broker/fresh_copy.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/file_id.h"
#include "base/path.h"
#include "base/tree.h"

namespace ringwall::broker {
namespace {

class FreshCopy : public testing::Test {
 protected:
  FreshCopy() {
    std::string pattern = path::join(testing::TempDir(), "freshXXXXXX");
    top_ = mkdtemp(pattern.data());
    folder_ = Fd(open(top_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  ~FreshCopy() override {
    Fd parent(open(path::parent(top_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    EXPECT_TRUE(tree::remove_at(parent.get(), std::string(path::basename(top_))));
  }

  Fd make(const std::string& name) const {
    return Fd(openat(folder_.get(), name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  }

  std::string top_;
  Fd folder_;
};

TEST_F(FreshCopy, TakesThePlaceOfWhatLiesThere) {
  Fd held = make("file");
  auto fresh = put_fresh_copy(folder_.get(), "file", {"mine", 0640, getuid(), getgid()});
  ASSERT_TRUE(fresh);
  EXPECT_TRUE(file::still_names(folder_.get(), "file", fresh->get()));
  EXPECT_FALSE(file::is_same(held.get(), fresh->get()));
  auto copy = read_copy(open_file(folder_.get(), "file").get());
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->text, "mine");
  EXPECT_EQ(copy->mode, 0640u);
}

// A file that comes to its name later, with the number that it had, would pass for it.
TEST_F(FreshCopy, NoOtherFileIsTakenForIt) {
  auto fresh = put_fresh_copy(folder_.get(), "file", {"mine", 0644, getuid(), getgid()});
  ASSERT_TRUE(fresh);
  for (int i = 0; i < 50; i++) {
    ASSERT_EQ(unlinkat(folder_.get(), "file", 0), 0);
    Fd other = make("file");
    EXPECT_FALSE(file::still_names(folder_.get(), "file", fresh->get()));
  }
}

TEST_F(FreshCopy, LeavesNothingWhereItCannotBePut) {
  ASSERT_EQ(mkdirat(folder_.get(), "file", 0755), 0);
  EXPECT_FALSE(put_fresh_copy(folder_.get(), "file", {"mine", 0644, getuid(), getgid()}));
  ASSERT_EQ(unlinkat(folder_.get(), "file", AT_REMOVEDIR), 0);
  EXPECT_EQ(unlinkat(AT_FDCWD, top_.c_str(), AT_REMOVEDIR), 0);
  ASSERT_EQ(mkdir(top_.c_str(), 0755), 0);
}

}  // namespace
}  // namespace ringwall::broker
