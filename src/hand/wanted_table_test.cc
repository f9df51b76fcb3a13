#include "hand/wanted_table.h"

#include <gtest/gtest.h>
#include <malloc.h>

namespace ringwall::hand {
namespace {

class WantedTableTest : public testing::Test {
 protected:
  // Other tests count what this process uses.
  void TearDown() override {
    memory_ = {};
    table_ = WantedTable({});
    malloc_trim(0);
  }

  Result<WantedPaths> read() { return read_wanted({memory_.data(), memory_.size()}); }

  std::vector<char> memory_ = std::vector<char>(kWantedBytes);
  WantedTable table_{memory_};
};

TEST_F(WantedTableTest, CountsByPathProgramAndWish) {
  table_.add(Wanted::read, "/a", "cat");
  table_.add(Wanted::read, "/a", "cat");
  table_.add(Wanted::read, "/a", "sh");
  table_.add(Wanted::write, "/a", "cat");
  table_.add(Wanted::reach, "10.0.0.1:80", "curl");
  auto found = read();
  ASSERT_TRUE(found);
  ASSERT_EQ(found->paths.size(), 4u);
  EXPECT_EQ(found->paths[0].path, "/a");
  EXPECT_EQ(found->paths[0].program, "cat");
  EXPECT_EQ(found->paths[0].times, 2u);
  EXPECT_EQ(found->paths[2].wanted, Wanted::write);
  EXPECT_EQ(found->left_off, 0u);
}

TEST_F(WantedTableTest, IsEmptyAtFirst) { EXPECT_TRUE(read()->paths.empty()); }

TEST_F(WantedTableTest, SaysHowMuchFoundNoRoom) {
  for (size_t i = 0; i < kMostWanted + 7; i++)
    table_.add(Wanted::look, "/" + std::to_string(i), "x");
  table_.add(Wanted::look, "/1", "x");
  auto found = read();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->paths.size(), kMostWanted);
  EXPECT_EQ(found->paths[1].times, 2u);
  EXPECT_EQ(found->left_off, 7u);
}

TEST_F(WantedTableTest, LongNamesCannotLeaveIt) {
  for (int i = 0; i < 2200; i++)
    table_.add(Wanted::look, "/" + std::to_string(i) + std::string(4000, 'a'), "x");
  table_.add(Wanted::look, "/" + std::string(5000, 'a'), "x");
  auto found = read();
  ASSERT_TRUE(found);
  EXPECT_GT(found->left_off, 0u);
  EXPECT_EQ(found->paths.size() + found->left_off, 2201u);
}

TEST_F(WantedTableTest, TheReaderBelievesNothing) {
  table_.add(Wanted::read, "/abc", "cat");
  const std::vector<char> whole = memory_;
  size_t refused = 0;
  for (size_t at = 0; at < 64; at++) {
    for (int value : {0, 1, 0x7f, 0xff}) {
      memory_ = whole;
      memory_[at] = static_cast<char>(value);
      auto found = read();
      refused += !found;
      if (!found) continue;
      for (const WantedPath& path : found->paths)
        EXPECT_EQ(path.path.find('\0'), std::string::npos);
    }
  }
  EXPECT_GT(refused, 10u);
  EXPECT_FALSE(read_wanted(""));
}

}  // namespace
}  // namespace ringwall::hand
