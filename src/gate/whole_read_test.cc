// A rule about a file, and programs that read the folder in which it lies.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "gate/decide.h"
#include "gate/translate.h"

namespace ringwall::gate {
namespace {

namespace json = boost::json;

class WholeRead : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "whole-read-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    top_ = std::filesystem::canonical(name).string();
    for (const char* folder : {"secret", "src", "deep/secret"})
      std::filesystem::create_directories(top_ + "/" + folder);
    for (const char* file : {"secret/a", "src/b", ".env", "deep/secret/c"})
      std::ofstream(top_ + "/" + file) << "x\n";
  }
  void TearDown() override { std::filesystem::remove_all(top_); }

  Answer answer(const char* rule, const std::string& tool, json::object input) {
    policy::Tools tools;
    tools.deny.push_back({rule});
    auto rules = compile_rules(tools);
    return decide(*rules, {tool, true, std::move(input), top_}, {"/home/u", top_}).answer;
  }
  Answer run(const std::string& command, const char* rule = "Read(./secret/**)") {
    return answer(rule, "Bash", {{"command", command}});
  }

  std::string top_;
};

TEST_F(WholeRead, DeniesWhatReadsAllThatLiesThere) {
  for (const char* command :
       {"cat secret/a", "cat secret/../secret/a", "cat src/../secret/a", "grep -r x .",
        "grep -rn x", "grep --recursive x ./", "cd src && grep -R x ..", "rg x", "rg x .",
        "find . -exec cat {} +", "find . -type f -exec grep x {} \\;", "find . -type f | xargs cat",
        "tar c .", "tar -czf /tmp/a.tgz .", "zip -r /tmp/a.zip .", "cp -r . /tmp/copy",
        "rsync -a ./ /tmp/copy"})
    EXPECT_EQ(run(command), Answer::deny) << command;
}

TEST_F(WholeRead, LeavesAloneWhatDoesNot) {
  for (const char* command : {"grep -r x src",
                              "rg x src",
                              "cd src && rg x",
                              "cat src/b | rg x",
                              "grep x src/b",
                              "grep -rl x .",
                              "rg -l x",
                              "rg --files",
                              "rg -t py x",
                              "grep -r --include=*.py x .",
                              "grep -r --exclude-dir=secret x .",
                              "grep -r --exclude-dir secret x .",
                              "rg -g '!secret' x",
                              "rg --glob='!secret/**' x",
                              "tar c --exclude=secret .",
                              "tar xf a.tar",
                              "tar c src",

                              "find . -type f",

                              "ls -R .",
                              "du -sh .",
                              "git add .",
                              "cp -r src /tmp/copy"})
    EXPECT_EQ(run(command), Answer::open) << command;
}

// A name that only find knows may be the denied one.
TEST_F(WholeRead, WhatMayBeAnyFileAsks) {
  for (const char* command :
       {"find . -name '*.py' -exec cat {} +", "find . -exec ls {} +", "find . | xargs ls"})
    EXPECT_EQ(run(command), Answer::ask) << command;
}

TEST_F(WholeRead, WhatIsNotThereIsNotRead) {
  EXPECT_EQ(run("grep -r x .", "Read(./absent/**)"), Answer::open);
  EXPECT_EQ(run("grep -r x .", "Read(//absent/**)"), Answer::open);
  EXPECT_EQ(run("grep -r x .", "Edit(./secret/**)"), Answer::open);
}

TEST_F(WholeRead, HiddenFilesAreReadByWhoLooksForThem) {
  EXPECT_EQ(run("grep -r x .", "Read(./.env)"), Answer::deny);
  EXPECT_EQ(run("grep -r x .", "Read(.env)"), Answer::deny);
  EXPECT_EQ(run("grep -r x .", "Read(**/.env)"), Answer::deny);
  EXPECT_EQ(run("rg x", "Read(./.env)"), Answer::open);
  EXPECT_EQ(run("rg --hidden x", "Read(./.env)"), Answer::deny);
  EXPECT_EQ(run("rg -uu x", "Read(./.env)"), Answer::deny);
}

TEST_F(WholeRead, NamesAtAnyDepthAreFoundInTheFolderThatIsRead) {
  EXPECT_EQ(run("grep -r x deep", "Read(secret/**)"), Answer::deny);
  EXPECT_EQ(run("grep -r x deep", "Read(./secret/**)"), Answer::open);
}

TEST_F(WholeRead, SearchesOfAgentsCount) {
  auto search = [&](json::object input) {
    input["pattern"] = "x";
    return answer("Read(./secret/**)", "Grep", std::move(input));
  };
  EXPECT_EQ(search({{"path", "."}, {"output_mode", "content"}}), Answer::deny);
  EXPECT_EQ(search({{"output_mode", "content"}}), Answer::deny);
  EXPECT_EQ(search({}), Answer::deny);
  EXPECT_EQ(search({{"path", "src"}, {"output_mode", "content"}}), Answer::open);
  EXPECT_EQ(search({{"output_mode", "files_with_matches"}}), Answer::open);
  EXPECT_EQ(search({{"output_mode", "content"}, {"glob", "!secret/**"}}), Answer::open);
  EXPECT_EQ(search({{"output_mode", "content"}, {"glob", "*.py"}}), Answer::open);
  EXPECT_EQ(search({{"output_mode", "content"}, {"type", "py"}}), Answer::open);
}

// It lists names if nobody says otherwise, as others do not.
TEST_F(WholeRead, ClaudesSearchHasADefault) {
  for (Agent agent : {Agent::claude, Agent::codex}) {
    auto calls = translate(dialect_of(agent), agent == Agent::claude ? "Grep" : "grep_files",
                           {{"pattern", "x"}}, top_);
    ASSERT_TRUE(calls && calls->size() == 1);
    EXPECT_EQ(answer("Read(./secret/**)", "Grep", (*calls)[0].input),
              agent == Agent::claude ? Answer::open : Answer::deny);
  }
}

}  // namespace
}  // namespace ringwall::gate
