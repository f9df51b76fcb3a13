#include "broker/deletion_count.h"

#include <gtest/gtest.h>

namespace ringwall::broker {
namespace {

constexpr int kSource = 1, kOther = 2, kNew = 3;  // folders
constexpr int64_t kSecond = 1'000'000'000;

class Deletions : public testing::Test {
 protected:
  Deletions() { know(kSource, "abc"); }

  // Files of before the run, called by one letter each.
  void know(int folder, std::string_view letters) {
    for (size_t i = 0; i < letters.size(); i++)
      count.know(folder, letters.substr(i, 1));
  }
  void move(int from, std::string_view name, int to, std::string_view as) {
    count.moved_away(from, name, ++moves, 0);
    count.moved_here(to, as, moves);
  }

  DeletionCount count{{.files = 2, .share = UINT64_MAX}};
  uint32_t moves = 0;
};

TEST_F(Deletions, CountsFilesOfBeforeAlone) {
  count.made(kSource, "new");
  count.deleted(kSource, "new");
  count.deleted(kNew, "a");
  EXPECT_EQ(count.gone(), 0u);
  count.deleted(kSource, "a");
  count.deleted(kSource, "a");
  EXPECT_EQ(count.gone(), 1u);
  EXPECT_EQ(count.all(), 3u);
}

TEST_F(Deletions, IsOverWhenMoreWentThanMay) {
  count.deleted(kSource, "a");
  count.deleted(kSource, "b");
  EXPECT_FALSE(count.is_over());
  count.deleted(kSource, "c");
  EXPECT_TRUE(count.is_over_files());
  count.begin_again();
  EXPECT_FALSE(count.is_over());
}

TEST_F(Deletions, SavedAnewIsNotGone) {
  // By a temporary file.
  count.made(kSource, "tmp");
  move(kSource, "tmp", kSource, "a");
  EXPECT_EQ(count.gone(), 0u);
  count.deleted(kSource, "a");
  EXPECT_EQ(count.gone(), 1u) << "the name is one of before";
  // Deleted and made again, as git does.
  count.deleted(kSource, "b");
  count.made(kSource, "b");
  EXPECT_EQ(count.gone(), 1u);
  // Deleted, and another put in its place.
  count.deleted(kSource, "b");
  count.made(kSource, "tmp");
  move(kSource, "tmp", kSource, "b");
  EXPECT_EQ(count.gone(), 1u);
}

TEST_F(Deletions, AsideIsACopyOnceTheNameIsFilledAgain) {
  for (std::string name : {"a", "b"}) {
    move(kSource, name, kSource, name + "~");
    count.made(kSource, name);
    count.deleted(kSource, name + "~");
  }
  EXPECT_EQ(count.gone(), 0u);
  // Also when it was filled last.
  move(kSource, "c", kSource, "c.bak");
  count.deleted(kSource, "c.bak");
  EXPECT_EQ(count.gone(), 1u);
  count.made(kSource, "c");
  EXPECT_EQ(count.gone(), 0u);
  count.deleted(kSource, "c");
  EXPECT_EQ(count.gone(), 1u);
}

TEST_F(Deletions, WhatWasMovedStaysWhatItWas) {
  move(kSource, "a", kOther, "x");
  move(kOther, "x", kNew, "y");
  EXPECT_EQ(count.gone(), 0u);
  EXPECT_EQ(count.all(), 3u);
  count.deleted(kNew, "y");
  EXPECT_EQ(count.gone(), 1u);
  count.made(kSource, "new");
  move(kSource, "new", kOther, "new");
  count.deleted(kOther, "new");
  EXPECT_EQ(count.gone(), 1u);
  move(kSource, "b", kOther, "b");
  move(kOther, "b", kSource, "b");
  count.deleted(kSource, "b");
  EXPECT_EQ(count.gone(), 2u);
}

TEST_F(Deletions, OfTwoMovedToOneNameOneIsGone) {
  move(kSource, "a", kNew, "x");
  move(kSource, "b", kNew, "x");
  EXPECT_EQ(count.gone(), 1u);
  count.deleted(kNew, "x");
  EXPECT_EQ(count.gone(), 2u);
}

TEST_F(Deletions, MovedToAFolderThatWasNotWatchedYetIsFound) {
  count.moved_away(kSource, "a", 7, 0);
  count.moved_away(kSource, "b", 8, 0);
  EXPECT_TRUE(count.awaits_moved());
  EXPECT_TRUE(count.found(kNew, "a", false)) << "by its name";
  EXPECT_FALSE(count.found(kNew, "new", false));
  EXPECT_TRUE(count.found(kNew, "renamed", true)) << "by its age";
  EXPECT_FALSE(count.awaits_moved());
  count.settle(10 * kSecond);
  EXPECT_EQ(count.gone(), 0u);
  count.deleted(kNew, "renamed");
  count.deleted(kNew, "a");
  EXPECT_EQ(count.gone(), 2u);
}

TEST_F(Deletions, MovedAndFoundNowhereIsGoneAfterAWhile) {
  count.moved_away(kSource, "a", 7, 0);
  count.settle(kSecond / 2);
  EXPECT_EQ(count.gone(), 0u);
  count.settle(2 * kSecond);
  EXPECT_EQ(count.gone(), 1u);
  EXPECT_FALSE(count.awaits_moved());
}

TEST_F(Deletions, BeforeAFolderIsListedWhatWasNotMadeIsOfBefore) {
  count.expect(kOther);
  count.made(kOther, "new");
  count.made(kOther, "gone again");
  count.deleted(kOther, "gone again");
  count.deleted(kOther, "x");
  EXPECT_EQ(count.gone(), 1u);
  know(kOther, "yz");
  count.know(kOther, "new");  // lies there when it is listed
  count.finish(kOther);
  EXPECT_EQ(count.all(), 6u);
  count.deleted(kOther, "new");
  EXPECT_EQ(count.gone(), 1u);
  // Listed before it was heard that it had been made.
  count.know(kOther, "late");
  count.made(kOther, "late");
  count.deleted(kOther, "late");
  EXPECT_EQ(count.gone(), 1u);
}

TEST_F(Deletions, WhileItStandsThePersonDoesIt) {
  count.deleted(kSource, "a");
  count.begin_again();
  count.stand(true);
  count.made(kSource, "a");  // put back
  count.deleted(kSource, "b");
  count.moved_away(kSource, "c", 9, 0);
  count.settle(10 * kSecond);
  EXPECT_EQ(count.gone(), 0u);
  count.stand(false);
  EXPECT_EQ(count.all(), 1u);
  count.deleted(kSource, "a");
  EXPECT_EQ(count.gone(), 1u) << "what was put back counts again";
}

TEST_F(Deletions, AfterEventsWereLostWhatIsNotSeenIsGone) {
  move(kSource, "b", kOther, "b");
  count.begin_recount();
  EXPECT_TRUE(count.is_known(kOther, "b"));
  count.see(kOther, "b");
  count.see_elsewhere(kOther, "moved unheard");  // either a or c
  count.end_recount();
  EXPECT_EQ(count.gone(), 1u);
  EXPECT_EQ(count.all(), 3u);
  count.deleted(kOther, "moved unheard");
  EXPECT_EQ(count.gone(), 2u);
}

TEST(DeletedShare, CountsFromTwentyOn) {
  DeletionCount count({.files = UINT64_MAX, .share = 200});
  for (int i = 0; i < 100; i++)
    count.know(kSource, std::to_string(i));
  for (int i = 0; i < 20; i++)
    count.deleted(kSource, std::to_string(i));
  EXPECT_FALSE(count.is_over()) << "just as many as may go";
  count.deleted(kSource, "20");
  EXPECT_TRUE(count.is_over_share());
  EXPECT_FALSE(count.is_over_files());
  // How many there are is not known before all were listed.
  count.expect(kOther);
  EXPECT_FALSE(count.is_over());
}

TEST(DeletedShare, OfASmallTreeFewMayGo) {
  DeletionCount count({.files = UINT64_MAX, .share = 200});
  for (int i = 0; i < 25; i++)
    count.know(kSource, std::to_string(i));
  for (int i = 0; i < 19; i++)
    count.deleted(kSource, std::to_string(i));
  EXPECT_FALSE(count.is_over());
  count.deleted(kSource, "19");
  EXPECT_TRUE(count.is_over());
}

TEST(DeletedShare, WithoutLimitsNothingIsOver) {
  EXPECT_FALSE(DeletionLimits{}.are_set());
  EXPECT_TRUE(DeletionLimits{.share = 1000}.are_set());
  DeletionCount count({});
  for (int i = 0; i < 1000; i++) {
    count.know(kSource, std::to_string(i));
    count.deleted(kSource, std::to_string(i));
  }
  EXPECT_EQ(count.gone(), 1000u);
  EXPECT_FALSE(count.is_over());
}

}  // namespace
}  // namespace ringwall::broker
