#include "broker/tree_watch.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/file.h"

namespace ringwall::broker {
namespace {

TEST(TreeWatch, SaysThatTwoMovesCannotBeToldApart) {
  char name[] = "/tmp/ringwall-unit-watch-XXXXXX";
  ASSERT_NE(mkdtemp(name), nullptr);
  Fd top = *file::open(name, O_RDONLY | O_DIRECTORY);
  Fd made(openat(top.get(), "file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  int before = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  TreeWatch watch = TreeWatch::open();
  EXPECT_TRUE(watch.tell_apart(top.get(), "file"));
  auto missing = watch.tell_apart(top.get(), "missing");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().err, ENOENT);
  EXPECT_FALSE(TreeWatch().tell_apart(top.get(), "file"));  // there was no queue left for it
  EXPECT_EQ(fchdir(before), 0);                             // a watch uses the working folder
  close(before);
  unlinkat(top.get(), "file", 0);
  rmdir(name);
}

}  // namespace
}  // namespace ringwall::broker
