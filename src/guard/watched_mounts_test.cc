#include "guard/watched_mounts.h"

#include <gtest/gtest.h>

namespace ringwall::guard {
namespace {

constexpr const char* kMounts =
    "1 0 0:40 / / ro,nosuid - tmpfs none rw\n"
    "2 1 254:0 /usr /usr ro,nosuid,relatime shared:1 master:2 - ext4 /dev/vda rw\n"
    "3 1 254:0 /home/ann/a\\040project /home/ann/a\\040project rw - ext4 /dev/vda rw\n"
    "4 3 254:0 /home/ann/a\\040project/.git/config /home/ann/a\\040project/.git/config ro - ext4 "
    "/dev/vda rw\n"
    "5 1 0:42 / /dev/shm rw,noexec - tmpfs none rw\n"
    "6 1 254:0 /home/ann/a\\040project-2 /mnt ro - ext4 /dev/vda rw\n";

TEST(WatchedMounts, AreRead) {
  auto mounts = parse_mounts(kMounts);
  ASSERT_TRUE(mounts);
  ASSERT_EQ(mounts->size(), 6u);
  EXPECT_EQ((*mounts)[1].type, "ext4");
  EXPECT_EQ((*mounts)[2].point, "/home/ann/a project");
  EXPECT_TRUE((*mounts)[4].no_exec);
  EXPECT_FALSE((*mounts)[2].read_only);
}

TEST(WatchedMounts, WhatIsNoLineIsAnError) {
  EXPECT_FALSE(parse_mounts("1 0 0:40 / / ro"));
  EXPECT_FALSE(parse_mounts("x"));
  EXPECT_FALSE(parse_mounts("1 0 0:40 / / ro -"));
  EXPECT_TRUE(parse_mounts(""));
}

TEST(WatchedMounts, SystemIsWhatNobodyInsideCanWrite) {
  auto mounts = parse_mounts(kMounts);
  ASSERT_TRUE(mounts);
  std::vector<bool> found;
  for (const MountFacts& mount : *mounts)
    found.push_back(is_system(mount, *mounts));
  // The protected file of the workspace is read-only, but the same file can be written by another
  // name; a folder whose name only begins alike cannot.
  EXPECT_EQ(found, (std::vector<bool>{true, true, false, false, false, true}));
}

}  // namespace
}  // namespace ringwall::guard
