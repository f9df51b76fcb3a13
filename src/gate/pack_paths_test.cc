// Where the answer depends on what lies in a folder.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "gate/decide.h"

namespace ringwall::gate {
namespace {

class PackPaths : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "/pack-paths-XXXXXX";
    home_ = std::filesystem::canonical(mkdtemp(name.data()));
    app_ = home_ + "/app";
    std::filesystem::create_directories(app_ + "/tests/fixtures");
    std::filesystem::create_directories(home_ + "/.ssh");
  }
  void TearDown() override { std::filesystem::remove_all(home_); }

  void make(const std::string& path) { std::ofstream(path) << "x"; }

  Answer answer(const std::string& command) {
    auto rules = compile_rules({});
    EXPECT_TRUE(rules);
    ToolCall call{"Bash", true, {{"command", command}}, app_};
    return decide(*rules, call, {home_, app_}).answer;
  }

  std::string home_;
  std::string app_;
};

TEST_F(PackPaths, AGlobIsAskedAboutWhereThereIsSuchAFile) {
  EXPECT_EQ(answer("cat vault*"), Answer::open);
  make(app_ + "/vault.kdbx");
  EXPECT_EQ(answer("cat vault*"), Answer::ask);
  EXPECT_EQ(answer("cat ./vaul?.*"), Answer::ask);
  EXPECT_EQ(answer("cat README*"), Answer::open);
}

TEST_F(PackPaths, AKeyAmongFixturesIsNobodys) {
  make(app_ + "/tests/fixtures/id_rsa");
  EXPECT_EQ(answer("cat tests/fixtures/id_rsa"), Answer::open);
  EXPECT_EQ(answer("cat tests/id_rsa"), Answer::deny);
}

TEST_F(PackPaths, ALinkAmongFixturesIsWhatItLeadsTo) {
  make(home_ + "/.ssh/id_rsa");
  std::filesystem::create_symlink(home_ + "/.ssh/id_rsa", app_ + "/tests/fixtures/id_rsa");
  EXPECT_EQ(answer("cat tests/fixtures/id_rsa"), Answer::deny);
}

TEST_F(PackPaths, WhatIsCopiedIntoAFolderIsAFileThere) {
  EXPECT_EQ(answer("cp authorized_keys ~/.ssh"), Answer::deny);
  EXPECT_EQ(answer("cp -t ~/.ssh a authorized_keys"), Answer::deny);
  EXPECT_EQ(answer("cp --target-directory=.claude settings.json"), Answer::deny);
  EXPECT_EQ(answer("cp authorized_keys keys"), Answer::open);
}

}  // namespace
}  // namespace ringwall::gate
