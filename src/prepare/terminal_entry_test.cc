#include "prepare/terminal_entry.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/path.h"

namespace ringwall::prepare {
namespace {

constexpr const char* kTerm = "ringwall-unit-terminal";
const std::string kBytes("\x1a\x01 what it can do", 18);

class TerminalEntry : public testing::Test {
 protected:
  TerminalEntry() {
    std::string pattern = path::join(testing::TempDir(), "terminfoXXXXXX");
    home_ = mkdtemp(pattern.data());
  }
  ~TerminalEntry() override { std::filesystem::remove_all(home_); }

  void describe(const std::string& place, const std::string& bytes = kBytes) const {
    std::string name = path::join(home_, place + "/" + kTerm);
    std::filesystem::create_directories(path::parent(name));
    std::ofstream(name) << bytes;
  }
  std::optional<sandbox::MadeFile> find(const std::string& term = kTerm) const {
    return find_terminal_entry({term, home_ + "/own", home_ + "/a:" + home_ + "/b", home_});
  }

  std::string home_;
};

TEST_F(TerminalEntry, IsFoundInEachOfThePersonsFolders) {
  EXPECT_FALSE(find());
  for (const char* place : {"own/r", ".terminfo/r", "b/r", "a/72"}) {
    describe(place);
    auto found = find();
    ASSERT_TRUE(found) << place;
    EXPECT_EQ(found->target, home_ + "/.terminfo/r/" + kTerm);
    EXPECT_EQ(found->content, kBytes);
    std::filesystem::remove_all(home_ + "/" + place);
  }
}

TEST_F(TerminalEntry, NothingElseIsTakenForOne) {
  describe(".terminfo/r", "a secret");
  EXPECT_FALSE(find());
  describe(".terminfo/r");
  EXPECT_TRUE(find());
  for (const char* term : {"", "../r/ringwall-unit-terminal", "r/x", ".", "a b"})
    EXPECT_FALSE(find(term)) << term;
}

TEST_F(TerminalEntry, IsNotMadeTwice) {
  describe(".terminfo/r");
  std::vector<sandbox::MadeFile> made;
  for (int i = 0; i < 2; i++)
    add_terminal_entry({kTerm, "", "", home_}, made);
  EXPECT_EQ(made.size(), 1u);
}

}  // namespace
}  // namespace ringwall::prepare
