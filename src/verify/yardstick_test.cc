#include "verify/yardstick.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

namespace ringwall::verify {
namespace {

TEST(Yardstick, EndsWhatItMade) {
  auto nanoseconds = time_ending_of_plain_processes(20);
  ASSERT_TRUE(nanoseconds);
  EXPECT_GT(*nanoseconds, 0);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Yardstick, AllowsASecondOnAMachineOfAnySpeedThatPeopleHave) {
  EXPECT_EQ(time_to_be_gone(0), 1'000'000'000);
  EXPECT_EQ(time_to_be_gone(5'000'000), 1'000'000'000);
  EXPECT_EQ(time_to_be_gone(100'000'000), 1'000'000'000);
}

TEST(Yardstick, AllowsMoreWhereEveryProcessIsSlowToEndAndNotWithoutBounds) {
  EXPECT_EQ(time_to_be_gone(200'000'000), 1'400'000'000);
  EXPECT_EQ(time_to_be_gone(60'000'000'000), 4'600'000'000);
}

TEST(Yardstick, AllowsHalfASecondForPlantsAndMoreOnASlowMachine) {
  EXPECT_EQ(time_to_take_away(0), 500'000'000);
  EXPECT_EQ(time_to_take_away(50'000'000), 500'000'000);
  EXPECT_EQ(time_to_take_away(200'000'000), 2'000'000'000);
  EXPECT_EQ(time_to_take_away(60'000'000'000), 4'000'000'000);
}

}  // namespace
}  // namespace ringwall::verify
