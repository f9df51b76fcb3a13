#include "broker/unswept.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "base/tree.h"

namespace ringwall::broker {
namespace {

class Unswept : public testing::Test {
 protected:
  Unswept() {
    std::string pattern = path::join(testing::TempDir(), "unsweptXXXXXX");
    path_ = mkdtemp(pattern.data());
    folder_ = Fd(open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  ~Unswept() override {
    Fd parent(open(path::parent(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    EXPECT_TRUE(tree::remove_at(parent.get(), std::string(path::basename(path_))));
  }

  std::vector<std::string> sweep(const Status& outcome = {}, const std::string& alive = {}) const {
    std::vector<std::string> runs;
    Status swept = for_each_unswept(
        path_, [&](const std::string& run) { return run == alive; },
        [&](const GuardList& list) {
          runs.push_back(list.run);
          return outcome;
        });
    EXPECT_EQ(swept.has_value(), outcome.has_value() || runs.empty());
    return runs;
  }

  std::string path_;
  Fd folder_;
};

TEST_F(Unswept, AListComesBackAsItWas) {
  GuardList list{"run-1",
                 {"/a b", "/c\nd"},
                 {"/a b/.git/config", "/c\nd/.envrc"},
                 {{"/a b/l", "x y"}, {"/c\nd/p", ""}}};
  auto back = decode_guard_list(encode_guard_list(list, "run-1.7"), "run-1.7");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->run, list.run);
  EXPECT_EQ(back->trees, list.trees);
  EXPECT_EQ(back->kept, list.kept);
  EXPECT_EQ(back->links, list.links);
}

TEST_F(Unswept, OneThatWasCutOffNamesNoTree) {
  std::string whole = encode_guard_list({"r", {"/t"}, {"/t/x"}}, "r.1");
  for (size_t length = 0; length < whole.size(); length++) {
    auto list = decode_guard_list(std::string_view(whole).substr(0, length), "r.1");
    ASSERT_TRUE(list) << length;
    EXPECT_TRUE(list->trees.empty()) << length;
  }
}

TEST_F(Unswept, WhatIsNoListIsAnError) {
  std::string start = "ringwall guards 2", end = std::string(1, '\0') + "end r.1";
  EXPECT_FALSE(decode_guard_list(start + '\0' + "Xodd" + end, "r.1"));
  EXPECT_FALSE(decode_guard_list(start + '\0' + "Trelative" + end, "r.1"));
  EXPECT_FALSE(decode_guard_list(start + '\0' + end, "r.1"));
}

TEST_F(Unswept, OnlyThatOfARunThatIsGoneIsSwept) {
  ASSERT_TRUE(UnsweptList::write(folder_.get(), {"a.b", {"/t"}, {}}));
  EXPECT_TRUE(sweep({}, "a.b").empty());
  EXPECT_EQ(sweep(), std::vector<std::string>{"a.b"});
  EXPECT_TRUE(sweep().empty());
}

TEST_F(Unswept, WhatCannotBeSweptStays) {
  ASSERT_TRUE(UnsweptList::write(folder_.get(), {"killed", {"/t"}, {}}));
  EXPECT_EQ(sweep(fail("no")).size(), 1u);
  EXPECT_EQ(sweep().size(), 1u);
}

TEST_F(Unswept, ARunThatWasLookedAtLeavesNone) {
  auto mine = UnsweptList::write(folder_.get(), {"done", {"/t"}, {}});
  ASSERT_TRUE(mine);
  mine->remove();
  EXPECT_TRUE(sweep().empty());
}

TEST_F(Unswept, TheFileOfARunThatWasLookedAtServesTheNext) {
  for (const char* tree : {"/a/longer/tree", "/t"}) {
    auto mine = UnsweptList::write(folder_.get(), {"done", {tree}, {}});
    ASSERT_TRUE(mine);
    mine->remove();
  }
  ASSERT_TRUE(UnsweptList::write(folder_.get(), {"killed", {"/u"}, {}}));
  auto names = file::list(folder_.get());
  ASSERT_TRUE(names);
  EXPECT_EQ(names->size(), 1u);
  EXPECT_EQ(sweep(), std::vector<std::string>{"killed"});
}

TEST_F(Unswept, OneThatWasNotWrittenOverIsNotTakenForTheRunThatHasItsFile) {
  std::string whole = encode_guard_list({"r", {"/t"}, {"/t/x"}}, "r.1");
  auto list = decode_guard_list(whole, "r.2");
  ASSERT_TRUE(list);
  EXPECT_TRUE(list->trees.empty());
  // Nor one of which the end of a longer one before is left.
  std::string shorter = encode_guard_list({"r", {"/t"}, {}}, "r.2");
  list = decode_guard_list(shorter + whole.substr(shorter.size()), "r.2");
  ASSERT_TRUE(list);
  EXPECT_TRUE(list->trees.empty());
}

}  // namespace
}  // namespace ringwall::broker
