#include "review/review.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "base/file.h"
#include "base/tree.h"

namespace ringwall::review {
namespace {

class ReviewFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/ringwall-unit-review-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    top_ = name;
    reviews_ = top_ + "/reviews";
  }
  void TearDown() override {
    Fd tmp(open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    (void)tree::remove_at(tmp.get(), top_.substr(5));
  }

  static Review of(const std::string& name, const std::string& workspace, int64_t started) {
    return {name,
            workspace,
            {"sh", "-c", "a \xff\n"},
            started,
            {{workspace, "0", 5, UINT64_MAX, 7}},
            {"node_modules"},
            {},
            {"*.rc", "/a\xff"},
            {".envrc"},
            {{"/w/vs", ".vscode"}, {"/w/\xff", "x"}}};
  }

  std::string top_, reviews_;
};

TEST_F(ReviewFolder, IsReadAsItWasWritten) {
  Review review = of("app-1", "/home/x/a%\xfe", 10);
  auto parsed = parse_review(encode(review));
  ASSERT_TRUE(parsed) << parsed.error().text();
  EXPECT_EQ(*parsed, review);
}

TEST_F(ReviewFolder, AnOlderOneKnowsNothingOfWhatTheRunProtected) {
  auto parsed = parse_review(
      R"({"version":1,"name":"a","workspace":"/w","command":[],"started":1,"apart":[],"nested":[],)"
      R"("trees":[]})");
  ASSERT_TRUE(parsed) << parsed.error().text();
  EXPECT_TRUE(parsed->protect.empty() && parsed->ends.empty());
}

TEST_F(ReviewFolder, DamagedManifestsAreErrors) {
  for (const char* text : {"", "{}", "[]", R"({"version":2})", R"({"version":1,"name":"a"})",
                           R"({"version":1,"name":"%f"})"})
    EXPECT_FALSE(parse_review(text)) << text;
  std::string text = encode(of("a", "/w", 1));
  for (size_t cut = 0; cut + 2 < text.size(); cut++)
    EXPECT_FALSE(parse_review(text.substr(0, cut)));
}

TEST_F(ReviewFolder, ALayerIsANumberAndATreeIsAbsolute) {
  Review review = of("a", "/w", 1);
  review.trees[0].layer = "../x";
  EXPECT_FALSE(parse_review(encode(review)));
  review = of("a", "/w", 1);
  review.trees[0].path = "w";
  EXPECT_FALSE(parse_review(encode(review)));
}

TEST_F(ReviewFolder, IsMadeOnceAndRemovedWhole) {
  ASSERT_TRUE(make_review(reviews_, of("app-1", "/w", 1)));
  EXPECT_FALSE(make_review(reviews_, of("app-1", "/w", 1)));
  EXPECT_TRUE(has_review(reviews_, "app-1"));
  EXPECT_TRUE(file::exists(reviews_ + "/app-1/0/upper"));
  // As overlayfs leaves it.
  ASSERT_EQ(mkdir((reviews_ + "/app-1/0/work/work").c_str(), 0), 0);
  Status removed = remove_review(reviews_, "app-1");
  EXPECT_TRUE(removed) << removed.error().text();
  EXPECT_FALSE(has_review(reviews_, "app-1"));
  EXPECT_FALSE(file::exists(reviews_ + "/app-1"));
}

TEST_F(ReviewFolder, NamesLeadNowhereElse) {
  ASSERT_TRUE(make_review(reviews_, of("app-1", "/w", 1)));
  for (const char* name : {"", ".", "..", "../reviews/app-1", "app-2"})
    EXPECT_FALSE(open_review(reviews_, name)) << name;
}

TEST_F(ReviewFolder, TheNewestOfTheFolderIsMeant) {
  EXPECT_FALSE(choose_review(reviews_, "", "/w"));
  ASSERT_TRUE(make_review(reviews_, of("b", "/w", 2)));
  EXPECT_EQ(choose_review(reviews_, "", "/w")->name, "b");
  EXPECT_FALSE(choose_review(reviews_, "", "/elsewhere"));
  ASSERT_TRUE(make_review(reviews_, of("a", "/w", 1)));
  ASSERT_TRUE(make_review(reviews_, of("c", "/v", 3)));
  EXPECT_EQ(choose_review(reviews_, "", "/w/src")->name, "b");
  EXPECT_EQ(choose_review(reviews_, "", "/v")->name, "c");
  EXPECT_EQ(choose_review(reviews_, "a", "/v")->name, "a");
  EXPECT_FALSE(choose_review(reviews_, "", "/elsewhere"));
}

}  // namespace
}  // namespace ringwall::review
