#include "prepare/profile_choice.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "state/homes.h"

namespace ringwall::prepare {
namespace {

namespace fs = std::filesystem;

class ProfileChoiceTest : public testing::Test {
 protected:
  ProfileChoiceTest() {
    fs::remove_all(root);
    fs::create_directories(root + "/home");
    fs::create_directories(root + "/repo");
    caller.uid = getuid();
    caller.home = caller.home_as_named = root + "/home";
    places = state::find_places(caller, nullptr, nullptr);
  }
  ~ProfileChoiceTest() override { fs::remove_all(root); }

  // An executable file, with the folders above it.
  std::string make(const std::string& below, const std::string& interpreter = "/bin/sh") {
    fs::create_directories(fs::path(root + below).parent_path());
    std::ofstream(root + below) << "#!" << interpreter << "\n";
    chmod((root + below).c_str(), 0755);
    return root + below;
  }
  void link(const std::string& below, const std::string& target) {
    fs::create_directories(fs::path(root + below).parent_path());
    fs::create_symlink(target, root + below);
  }

  std::string choose(const std::string& program, const std::string& path = "/home/bin") {
    const policy::Profile* profile = profile_of_program({.program = program,
                                                         .search_path = root + path,
                                                         .working_folder = root + "/repo",
                                                         .writable = {root + "/repo"},
                                                         .places = places});
    return profile == nullptr ? "" : std::string(profile->name);
  }

  std::string root =
      fs::canonical(testing::TempDir()).string() + "/choice-" + std::to_string(getpid());
  state::Caller caller;
  state::Places places;
};

}  // namespace

TEST_F(ProfileChoiceTest, ByTheNameOfTheProgram) {
  make("/home/bin/claude");
  make("/home/bin/claudette");
  EXPECT_EQ(choose("claude"), "claude");
  EXPECT_EQ(choose(root + "/home/bin/claude"), "claude");
  EXPECT_EQ(choose("claudette"), "");
  EXPECT_EQ(choose("codex"), "");  // not there
}

TEST_F(ProfileChoiceTest, ByTheNamesOnTheWay) {
  make("/home/versions/2.1.0");
  link("/home/bin/claude", "../versions/2.1.0");
  link("/home/bin/c", "claude");
  EXPECT_EQ(choose("claude"), "claude");
  EXPECT_EQ(choose("c"), "claude");
}

TEST_F(ProfileChoiceTest, ByThePackage) {
  make("/home/lib/node_modules/@openai/codex/bin/start.js");
  link("/home/bin/cx", "../lib/node_modules/@openai/codex/bin/start.js");
  EXPECT_EQ(choose("cx"), "codex");
}

TEST_F(ProfileChoiceTest, AProgramOfTheWorkspaceGetsNothing) {
  make("/repo/node_modules/.bin/claude");
  make("/repo/bin/claude");
  EXPECT_EQ(choose("claude", "/repo/node_modules/.bin"), "");
  EXPECT_EQ(choose("claude", "/repo/bin"), "");
  EXPECT_EQ(choose("./bin/claude"), "");
  // A link from outside leads to what the agent can change.
  link("/home/bin/claude", "../../repo/bin/claude");
  EXPECT_EQ(choose("claude"), "");
  // A link in the workspace to the true program could lead elsewhere the next time.
  make("/home/true/codex");
  link("/repo/bin/codex", "../../home/true/codex");
  EXPECT_EQ(choose("codex", "/repo/bin"), "");
  EXPECT_EQ(choose("codex", "/home/true"), "codex");
}

TEST_F(ProfileChoiceTest, AnInterpreterInTheWorkspaceGetsNothing) {
  make("/repo/.venv/bin/python");
  make("/home/tools/python");
  make("/home/bin/aider", root + "/repo/.venv/bin/python");
  EXPECT_EQ(choose("aider"), "");
  make("/home/bin/aider", root + "/home/tools/python");
  EXPECT_EQ(choose("aider"), "aider");
  // By another script, and by a link.
  make("/home/tools/wrapper", root + "/repo/.venv/bin/python");
  make("/home/bin/claude", root + "/home/tools/wrapper -x");
  EXPECT_EQ(choose("claude"), "");
  link("/home/tools/linked", root + "/repo/.venv/bin/python");
  make("/home/bin/codex", root + "/home/tools/linked");
  EXPECT_EQ(choose("codex"), "");
  // By its name alone.
  make("/home/bin/gemini", "/usr/bin/env -S python");
  EXPECT_EQ(choose("gemini", "/repo/.venv/bin:" + root + "/home/bin"), "");
  EXPECT_EQ(choose("gemini", "/home/tools:" + root + "/home/bin"), "gemini");
}

TEST_F(ProfileChoiceTest, AProgramOfAnEarlierWorkspaceGetsNothing) {
  make("/other/bin/claude");
  EXPECT_EQ(choose("claude", "/other/bin"), "claude");
  ASSERT_TRUE(state::note_workspace(root + "/other", places));
  EXPECT_EQ(choose("claude", "/other/bin"), "");
}

TEST_F(ProfileChoiceTest, AProjectsOwnInstallationGetsNothing) {
  make("/elsewhere/node_modules/@anthropic-ai/claude-code/cli");
  link("/elsewhere/node_modules/.bin/claude", "../@anthropic-ai/claude-code/cli");
  EXPECT_EQ(choose("claude", "/elsewhere/node_modules/.bin"), "");
}

TEST_F(ProfileChoiceTest, WhatRunsKeptGetsNothing) {
  make("/home/.local/state/ringwall/homes/x/state/bin/claude");
  EXPECT_EQ(choose("claude", "/home/.local/state/ringwall/homes/x/state/bin"), "");
}

}  // namespace ringwall::prepare
