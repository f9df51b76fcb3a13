#include "verify/promises.h"

#include <gtest/gtest.h>

#include <set>

namespace ringwall::verify {
namespace {

TEST(Promises, AreAllThereInOrder) {
  ASSERT_EQ(promises().size(), 39u);
  for (size_t i = 0; i < promises().size(); i++) {
    std::string number = i + 1 < 10 ? "P0" : "P";
    EXPECT_EQ(promises()[i].number, number + std::to_string(i + 1));
  }
}

TEST(Promises, SayWhatTheyAre) {
  std::set<std::string_view> briefs;
  for (const Promise& promise : promises()) {
    EXPECT_FALSE(promise.promise.empty()) << promise.number;
    EXPECT_FALSE(promise.tries.empty()) << promise.number;
    EXPECT_FALSE(promise.group.empty()) << promise.number;
    EXPECT_FALSE(promise.kept_by.empty()) << promise.number;
    EXPECT_LE(promise.brief.size(), 28u) << promise.number;
    EXPECT_TRUE(briefs.insert(promise.brief).second) << promise.number << " has another's words";
  }
}

TEST(Promises, HaveWallsAndEachWallKeepsOne) {
  std::set<sandbox::Wall> used;
  for (const Promise& promise : promises()) {
    EXPECT_FALSE(promise.walls.empty()) << promise.number;
    used.insert(promise.walls.begin(), promise.walls.end());
  }
  EXPECT_EQ(used.size(), sandbox::walls().size());
}

TEST(Promises, GroupsAreNotTornApart) {
  std::set<std::string_view> ended;
  std::string_view current;
  for (const Promise& promise : promises()) {
    if (promise.group != current) {
      EXPECT_TRUE(ended.insert(promise.group).second) << promise.number;
      current = promise.group;
    }
  }
}

TEST(Promises, PageHasARowForEachWithAnAnchor) {
  std::string page = promises_page();
  for (const Promise& promise : promises()) {
    std::string number(promise.number);
    std::string row = "\n| <a id=\"p" + number.substr(1) + "\"></a>" + number + " | ";
    EXPECT_NE(page.find(row), std::string::npos) << number;
  }
  EXPECT_NE(page.find("every required wall"), std::string::npos);
}

}  // namespace
}  // namespace ringwall::verify
