#include "identity/hash_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "base/fd.h"
#include "base/file.h"
#include "base/sha256.h"

namespace ringwall::identity {
namespace {

TEST(HashFile, IsTheHashOfTheBytesWhateverTheOffset) {
  Fd fd(memfd_create("x", MFD_CLOEXEC));
  std::string data(300'000, 'x');
  ASSERT_TRUE(file::write_all(fd.get(), data));
  auto hashed = hash_file(fd.get());
  ASSERT_TRUE(hashed) << hashed.error().text();
  EXPECT_EQ(hashed->digest.hex(), sha256(data));
  EXPECT_EQ(hashed->key.size, data.size());
  EXPECT_EQ(lseek(fd.get(), 0, SEEK_CUR), static_cast<off_t>(data.size()));
}

TEST(HashFile, RefusesWhatIsNoFile) {
  Fd folder(open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  EXPECT_FALSE(hash_file(folder.get()));
  Fd null(open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_FALSE(hash_file(null.get()));
}

}  // namespace
}  // namespace ringwall::identity
