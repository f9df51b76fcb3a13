#include "changes/attributes.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

#include "base/fd.h"
#include "base/path.h"

namespace ringwall::changes {
namespace {

// Its owner may read and no more, and so may one other user.
std::string closed_list() {
  struct Entry {
    uint16_t tag, rights;
    uint32_t id;
  };
  constexpr uint32_t kNobody = 0xffffffff;
  const Entry entries[] = {{0x01, 4, kNobody},
                           {0x02, 4, 65534},
                           {0x04, 4, kNobody},
                           {0x10, 4, kNobody},
                           {0x20, 0, kNobody}};
  const uint32_t version = 2;
  std::string list(reinterpret_cast<const char*>(&version), sizeof version);
  return list.append(reinterpret_cast<const char*>(entries), sizeof entries);
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
