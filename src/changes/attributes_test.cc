#include "changes/attributes.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

#include "base/fd.h"
#include "base/path.h"
#include "changes/changes_testing.h"

namespace ringwall::changes {
namespace {

TEST(Attributes, CanBeHandedOverWhateverIsInThem) {
  Attributes all = {{"user.a", ""}, {"user.b", std::string("\0\0", 2)}, {"user.c", "12"}};
  std::string bytes = pack(all);
  EXPECT_EQ(*unpack(bytes), all);
  EXPECT_TRUE(unpack(pack({}))->empty());
  for (size_t size = 1; size < bytes.size(); size++) {
    auto part = unpack(bytes.substr(0, size));
    EXPECT_TRUE(!part || part->size() < all.size()) << size;
  }
}

// For root, nothing is closed.
TEST(Attributes, AListThatClosesAFileComesAfterWhatIsWrittenOnIt) {
  if (geteuid() == 0) GTEST_SKIP() << "root writes what is closed";
  std::string name = path::join(testing::TempDir(), "attributesXXXXXX");
  Fd file(mkostemp(name.data(), O_CLOEXEC));
  ASSERT_EQ(unlink(name.c_str()), 0);
  Attributes wanted = {{"system.posix_acl_access", closed_list()}, {"user.note", "mine"}};
  Status written = write_attributes(file.get(), wanted);
  if (!written && written.error().err == ENOTSUP) GTEST_SKIP() << "no such lists here";
  ASSERT_TRUE(written) << written.error().text();
  auto read = read_attributes(file.get());
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, wanted);
}

}  // namespace
}  // namespace ringwall::changes
