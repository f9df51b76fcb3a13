#include "base/unmarked_open.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/fd.h"

namespace ringwall {
namespace {

open_how to_read() {
  open_how how{};
  how.flags = O_RDONLY | O_CLOEXEC | O_NOATIME;
  return how;
}

TEST(UnmarkedOpen, ReadingLeavesTheTimeOfAccess) {
  char path[] = "/tmp/ringwall-unmarked.XXXXXX";
  Fd made(mkstemp(path));
  ASSERT_EQ(write(made.get(), "text", 4), 4);
  // Older than the last change: the next ordinary read would set it.
  timespec times[2] = {{1000, 0}, {0, UTIME_OMIT}};
  ASSERT_EQ(futimens(made.get(), times), 0);
  Fd file(sys::openat2_unmarked(AT_FDCWD, path, to_read()));
  unlink(path);
  char text[4];
  ASSERT_EQ(read(file.get(), text, 4), 4);
  struct stat facts;
  ASSERT_EQ(fstat(file.get(), &facts), 0);
  EXPECT_EQ(facts.st_atim.tv_sec, 1000);
}

TEST(UnmarkedOpen, WhatIsAnothersIsOpenedAllTheSame) {
  Fd file(sys::openat2_unmarked(AT_FDCWD, "/etc/passwd", to_read()));
  EXPECT_TRUE(file);
}

TEST(UnmarkedOpen, WhatIsMissingStaysMissing) {
  Fd file(sys::openat2_unmarked(AT_FDCWD, "/etc/passwd/missing", to_read()));
  EXPECT_FALSE(file);
  EXPECT_EQ(errno, ENOTDIR);
}

}  // namespace
}  // namespace ringwall
