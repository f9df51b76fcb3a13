#include "sandbox/descriptors.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/syscalls.h"

namespace ringwall::sandbox {

TEST(Descriptors, PipesFilesAndNullPass) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Fd reading(ends[0]), writing(ends[1]);
  EXPECT_EQ(judge_descriptor(reading.get(), 0, true).value(), Descriptor::pass);
  Fd null(open("/dev/null", O_RDWR | O_CLOEXEC));
  EXPECT_EQ(judge_descriptor(null.get(), 1, false).value(), Descriptor::pass);
  Fd file(open("/etc/passwd", O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(judge_descriptor(file.get(), 0, true).value(), Descriptor::pass);
}

TEST(Descriptors, AFileNeedsLandlock) {
  Fd file(open("/etc/passwd", O_RDONLY | O_CLOEXEC));
  EXPECT_FALSE(judge_descriptor(file.get(), 0, false));
}

TEST(Descriptors, StreamSocketsAreRelayedOthersRefused) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  Fd a(ends[0]), b(ends[1]);
  EXPECT_EQ(judge_descriptor(a.get(), 0, true).value(), Descriptor::socket);
  Fd datagram(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  EXPECT_FALSE(judge_descriptor(datagram.get(), 0, true));
}

TEST(Descriptors, DoorsAreRefused) {
  for (const char* path :
       {"/", "/dev/zero", "/proc/self/mem", "/proc/self/ns/user", "/sys/kernel"}) {
    Fd door(open(path, O_RDONLY | O_CLOEXEC));
    ASSERT_TRUE(door) << path;
    auto judged = judge_descriptor(door.get(), 0, true);
    ASSERT_FALSE(judged) << path;
    EXPECT_TRUE(judged.error().what.starts_with("stdin is")) << judged.error().what;
  }
  Fd event(eventfd(0, EFD_CLOEXEC));
  EXPECT_FALSE(judge_descriptor(event.get(), 0, true));
  Fd process(sys::pidfd_open(getpid(), 0));
  EXPECT_FALSE(judge_descriptor(process.get(), 0, true));
}

}  // namespace ringwall::sandbox
