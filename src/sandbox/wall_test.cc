#include "sandbox/wall.h"

#include <gtest/gtest.h>

namespace ringwall::sandbox {

TEST(Walls, TableIsInTheOrderOfTheEnum) {
  size_t at = 0;
  for (const WallFacts& facts : walls())
    EXPECT_EQ(static_cast<size_t>(facts.wall), at++) << facts.name;
  EXPECT_EQ(at, static_cast<size_t>(Wall::lifeline) + 1);
}

TEST(Walls, NamesFindTheirWall) {
  EXPECT_EQ(wall_by_name("landlock"), Wall::landlock);
  EXPECT_FALSE(wall_by_name("nothing"));
}

}  // namespace ringwall::sandbox
