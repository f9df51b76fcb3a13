#include "broker/held_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/path.h"
#include "base/tree.h"

namespace ringwall::broker {
namespace {

constexpr int64_t kMillisecond = 1'000'000;

class HeldFilesTest : public testing::Test {
 protected:
  HeldFilesTest() {
    std::string pattern = path::join(testing::TempDir(), "heldXXXXXX");
    top_ = mkdtemp(pattern.data());
    Fd folder(open(top_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    trees_.push_back({std::move(folder), top_});
  }
  ~HeldFilesTest() override {
    Fd parent(open(path::parent(top_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    EXPECT_TRUE(tree::remove_at(parent.get(), std::string(path::basename(top_))));
  }

  std::string write(const std::string& name, const std::string& text) {
    std::string whole = path::join(top_, name);
    std::ofstream(whole) << text;
    return whole;
  }

  static std::string said(const HeldFiles& held, const std::string& path, int64_t now) {
    const FileCopy* last = held.last(path, now);
    return last != nullptr ? last->text : "nothing";
  }

  std::string top_;
  std::vector<files::WatchedTree> trees_;
};

TEST_F(HeldFilesTest, SmallOrdinaryFilesAreHeld) {
  std::string small = write("small", "mine");
  std::string large = write("large", std::string(100'000, 'x'));
  std::string link = path::join(top_, "link");
  ASSERT_EQ(symlink("small", link.c_str()), 0);
  HeldFiles held = HeldFiles::of(trees_, {small, large, link, top_, "/elsewhere/file"});
  EXPECT_EQ(held.places().size(), 1u);
  EXPECT_TRUE(held.has(small) && held.lie_in(top_) && !held.lie_in("/elsewhere"));
  EXPECT_EQ(said(held, small, 0), "mine");
  EXPECT_EQ(said(held, large, 0), "nothing");
}

// Who writes into the old file while another comes to its name is told of before that one.
TEST_F(HeldFilesTest, WhatIsWrittenCountsAfterAMoment) {
  std::string file = write("file", "first");
  HeldFiles held = HeldFiles::of(trees_, {file});
  write("file", "second");
  held.written(trees_[0], file, 0);
  EXPECT_EQ(said(held, file, 50 * kMillisecond), "first");
  EXPECT_EQ(said(held, file, 200 * kMillisecond), "second");
  write("file", "third");
  held.written(trees_[0], file, 300 * kMillisecond);
  EXPECT_EQ(said(held, file, 350 * kMillisecond), "second");
  EXPECT_EQ(said(held, file, 450 * kMillisecond), "third");
}

TEST_F(HeldFilesTest, WhatWasPutThereCountsAtOnce) {
  std::string file = write("file", "first");
  HeldFiles held = HeldFiles::of(trees_, {file});
  write("file", "planted");
  held.written(trees_[0], file, 0);
  held.replace(file, {"saved"});
  EXPECT_EQ(said(held, file, 200 * kMillisecond), "saved");
  held.replace(path::join(top_, "other"), {"x"});
  EXPECT_FALSE(held.has(path::join(top_, "other")));
}

}  // namespace
}  // namespace ringwall::broker
