#include "sandbox/subordinate_id.h"

#include <gtest/gtest.h>

namespace ringwall::sandbox {

TEST(SubordinateId, IsTheFirstThatThePersonHas) {
  const char* ranges = "other:100000:65536\nme:165536:65536\nme:300000:1\n";
  EXPECT_EQ(first_subordinate_id(ranges, "me", 1000), 165'536u);
  EXPECT_EQ(first_subordinate_id(ranges, "nobody", 1000), std::nullopt);
  EXPECT_EQ(first_subordinate_id("1000:7:1\n", "me", 1000), 7u);
  EXPECT_EQ(first_subordinate_id("", "me", 1000), std::nullopt);
}

TEST(SubordinateId, IsNeverRootsNorThePersonsOwn) {
  EXPECT_EQ(first_subordinate_id("me:0:10\nme:1000:5\nme:90:2\n", "me", 1000), 90u);
  EXPECT_EQ(first_subordinate_id("me:0:4294967295\n", "me", 1000), std::nullopt);
}

TEST(SubordinateId, BrokenLinesAreNone) {
  for (const char* line : {"me", "me:1", "me:x:1", "me:1:x", "me:1:0", "me:-1:2", "me:1:2:3",
                           "me:4294967296:1", "me: 1:1", "#me:1:1"})
    EXPECT_EQ(first_subordinate_id(line, "me", 1000), std::nullopt) << line;
}

TEST(SubordinateId, TheCommandNamesARangeThatNobodyHas) {
  EXPECT_EQ(command_for_subordinate_ids("", "me"), "sudo usermod --add-subuids 100000-165535 me");
  EXPECT_EQ(command_for_subordinate_ids("b:165536:65536\na:100000:65536\n", "me"),
            "sudo usermod --add-subuids 231072-296607 me");
}

}  // namespace ringwall::sandbox
