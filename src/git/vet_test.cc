#include "git/vet.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/file.h"
#include "base/text.h"
#include "git/config_judge.h"
#include "git/interrupted.h"

namespace ringwall::git {
namespace {

const std::vector<std::string> kTrees = {"/ws", "/other"};
GitPlace at(const std::string& folder) { return {folder, kTrees}; }

std::string refused_key(std::string_view config, const std::string& folder = "/ws/new/.git") {
  auto judged = judge_new_config(config, at(folder));
  return judged ? "" : judged.error().what;
}

TEST(GitVet, ConfigsOfAWorktreeAloneLeadNowhere) {
  auto judge = [](std::string_view text) {
    auto judged = judge_worktree_config(text, at("/ws/.git"));
    return judged ? "" : judged.error().what;
  };
  EXPECT_EQ(judge("[core]\nsparseCheckout = true\nbare = false\n[index]\nsparse = true\n"), "");
  EXPECT_EQ(judge("[user]\nemail = a@example.org\n"), "");
  EXPECT_EQ(judge("[core]\nfsmonitor = x\n"), "core.fsmonitor");
  EXPECT_EQ(judge("[remote \"origin\"]\npushurl = https://example.org/x\n"),
            "remote.origin.pushurl");
  EXPECT_EQ(judge("[branch \"main\"]\nmerge = refs/heads/x\n"), "branch.main.merge");
  EXPECT_EQ(judge("[push]\ndefault = current\n"), "push.default");
}

TEST(GitVet, GitFilesLeadToNoPlaceWhereNobodyLooks) {
  for (const char* folder : {"/ws/.git/objects/a.git/modules/x", "/ws/.git/lfs/a.git/worktrees/x",
                             "/ws/.git/modules/a/.git/objects/b.git/modules/x"})
    EXPECT_FALSE(judge_git_file("gitdir: " + std::string(folder) + "\n", at("/ws/sub"))) << folder;
  EXPECT_TRUE(judge_git_file("gitdir: /ws/.git/modules/objects\n", at("/ws/sub")));
}

TEST(GitVet, NewConfigs) {
  EXPECT_EQ(refused_key(""), "");
  EXPECT_EQ(refused_key("[core]\nbare = true\nfilemode = false\n"), "");
  EXPECT_EQ(refused_key("[core]\nfsmonitor = x\n"), "core.fsmonitor");
  EXPECT_EQ(refused_key("[core]\nhooksPath = x\n"), "core.hookspath");
  EXPECT_EQ(refused_key("[include]\npath = x\n"), "include.path");
  EXPECT_EQ(refused_key("[extensions]\nworktreeConfig = true\n"), "");
  EXPECT_EQ(refused_key("[extensions]\nworktreeConfig = 1\n"), "extensions.worktreeconfig");
  EXPECT_EQ(refused_key("[extensions]\nobjectformat = sha256\n"), "");
  EXPECT_EQ(refused_key("[remote \"o\"]\nurl = ext::sh\n"), "remote.o.url");
  EXPECT_EQ(refused_key("[remote \"o\"]\nurl = /ws/a\nuploadpack = x\n"), "remote.o.uploadpack");
  EXPECT_EQ(refused_key("[remote \"o\"]\nurl = /ws/a\n"), "");
  EXPECT_EQ(refused_key("[remote \"o\"]\nurl = /state/homes/x/up.git\n"), "remote.o.url");
  EXPECT_EQ(refused_key("[branch \"m\"]\nremote = o\n"), "branch.m.remote");
  EXPECT_EQ(refused_key("[core\n"), "config");
}

TEST(GitVet, RemotesOnOtherMachinesAreToldOf) {
  auto judged = judge_new_config(
      "[remote \"o\"]\nurl = https://example.org/a\npushurl = git@example.org:b\n"
      "[remote \"p\"]\nurl = /ws/a\n[submodule \"s\"]\nurl = https://example.org/s\n",
      at("/ws/new/.git"));
  ASSERT_TRUE(judged);
  ASSERT_EQ(judged->remotes.size(), 2u);
  EXPECT_EQ(judged->remotes[0].name, "o");
  EXPECT_EQ(judged->remotes[0].address, "https://example.org/a");
  EXPECT_EQ(judged->remotes[1].address, "git@example.org:b");
}

TEST(GitVet, WhoReadsASecondConfigSaysSo) {
  EXPECT_FALSE(judge_new_config("[core]\nbare = false\n", at("/ws/.git"))->reads_worktree_config);
  EXPECT_TRUE(judge_new_config("[EXTENSIONS]\nWorktreeConfig = true\n", at("/ws/.git"))
                  ->reads_worktree_config);
}

TEST(GitVet, WhatGitSubmoduleTakesForThatOfASubmodule) {
  EXPECT_TRUE(is_of_submodule("/ws/.git/modules/a"));
  EXPECT_TRUE(is_of_submodule("/ws/.git/worktrees/w/modules/a/b"));
  EXPECT_FALSE(is_of_submodule("/ws/.git"));
  EXPECT_FALSE(is_of_submodule("/ws/modules/a/.git"));
}

TEST(GitVet, APartialCloneComesFromElsewhere) {
  const std::string lines = "promisor = true\npartialclonefilter = blob:none\n";
  EXPECT_EQ(refused_key("[remote \"o\"]\nurl = https://example.org/a\n" + lines), "");
  EXPECT_EQ(refused_key("[remote \"o\"]\nurl = /ws/a\n" + lines), "remote.o.promisor");
  EXPECT_EQ(refused_key("[remote \"o\"]\nurl = file:///ws/a\n" + lines), "remote.o.promisor");
  EXPECT_EQ(refused_key("[remote \"o\"]\n" + lines), "remote.o.promisor");
}

TEST(GitVet, AWorkingTreeStaysInTheWorkspace) {
  const std::string module = "/ws/.git/modules/a/b";
  EXPECT_EQ(judge_new_config("[core]\nworktree = ../../../../a/b\n", at(module))->worktree,
            "/ws/a/b");
  EXPECT_EQ(refused_key("[core]\nworktree = ../../../../../home\n", module), "core.worktree");
  EXPECT_EQ(refused_key("[core]\nworktree = ../../../..\n", module), "core.worktree");
  EXPECT_EQ(refused_key("[core]\nworktree = ../../../hooks\n", module), "core.worktree");
  EXPECT_EQ(refused_key("[core]\nworktree = /home\n", module), "core.worktree");
  EXPECT_EQ(refused_key("[core]\nworktree = ../x\n", "/ws/new/.git"), "core.worktree");
}

TEST(GitVet, Hooks) {
  for (const char* name : {"pre-commit.sample", "update.sample", "README", ".gitkeep"})
    EXPECT_FALSE(judge_hook(name)) << name;
  for (const char* name : {"pre-commit", "post-checkout", "reference-transaction", "a-new-one",
                           "pre-commit.exe", "pre-commit.sample ", "d/x.sample", "", "update"})
    EXPECT_TRUE(judge_hook(name)) << name;
}

TEST(GitVet, GitFiles) {
  EXPECT_EQ(judge_git_file("gitdir: ../.git/modules/lib\n", at("/ws/lib")).value(),
            "/ws/.git/modules/lib");
  EXPECT_EQ(judge_git_file("gitdir: /other/.git/worktrees/x\r\n", at("/ws")).value(),
            "/other/.git/worktrees/x");
  EXPECT_EQ(judge_git_file("gitdir: ../a.git/worktrees/x", at("/ws/x")).value(),
            "/ws/a.git/worktrees/x");
  for (std::string_view text : std::vector<std::string_view>{
           "", "gitdir:", "gitdir: ", "gitdir: \n", "gitdir:../.git/modules/x", "../.git/modules/x",
           "gitdir: ../../.git/modules/x", "gitdir: /home/.git/modules/x", "gitdir: ../evil",
           "gitdir: ../.git/modules", "gitdir: ../.git/modules/../../evil", "gitdir: ../modules/x",
           "gitdir: ../.git/modules/x\n../y", "gitdir: ../.git/modules/x\x1b",
           std::string_view("gitdir: ../.git/modules/x\0y", 27)})
    EXPECT_FALSE(judge_git_file(text, at("/ws/lib"))) << testing::PrintToString(text);
}

TEST(GitVet, CommonFoldersAndWorktrees) {
  EXPECT_FALSE(judge_commondir("../..\n", at("/ws/.git/worktrees/x")));
  EXPECT_TRUE(judge_commondir("../..\n", at("/ws/.git")));
  EXPECT_TRUE(judge_commondir("../../../evil\n", at("/ws/.git/worktrees/x")));
  EXPECT_TRUE(judge_commondir("/ws/evil\n", at("/ws/.git/worktrees/x")));
  EXPECT_TRUE(judge_commondir("../..\n", at("/home/worktrees/x")));
  GitPlace place = at("/ws/.git/worktrees/x");
  EXPECT_EQ(judge_worktree_gitdir("/ws/x/.git\n", place).value(), "/ws/x/.git");
  for (const char* text : {"/home/x/.git\n", "/ws/x\n", "", "../../../../home/.git",
                           "/ws/.git/worktrees/y/.git", "/ws/../home/.git"})
    EXPECT_FALSE(judge_worktree_gitdir(text, place)) << text;
}

// What the installed git writes in a fresh folder.
class WithRealGit : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "git-vet-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    top_ = std::filesystem::canonical(name);
    std::filesystem::create_directory(top_ + "/home");
    git("config --global user.name A");
    git("config --global user.email a@example.org");
    git("config --global protocol.file.allow always");
    git("config --global init.defaultBranch main");
    git("init -q a");
    git("-C a commit -q --allow-empty -m 1");
    git("-C a commit -q --allow-empty -m 2");
  }
  void TearDown() override { std::filesystem::remove_all(top_); }

  void git(const std::string& arguments, const std::string& setting = "A=") {
    std::vector<std::string> words = text::split("git -C " + top_ + " " + arguments, ' ');
    std::vector<std::string> settings = {"HOME=" + top_ + "/home", "GIT_CONFIG_NOSYSTEM=1",
                                         std::string("PATH=") + getenv("PATH"), setting};
    std::vector<char*> argv, environment;
    for (std::string& word : words)
      argv.push_back(word.data());
    for (std::string& one : settings)
      environment.push_back(one.data());
    argv.push_back(nullptr);
    environment.push_back(nullptr);
    posix_spawn_file_actions_t silent;
    posix_spawn_file_actions_init(&silent);
    for (int output : {1, 2})
      posix_spawn_file_actions_addopen(&silent, output, "/dev/null", O_WRONLY, 0);
    pid_t child = -1;
    int status = -1;
    ASSERT_EQ(posix_spawnp(&child, "git", &silent, nullptr, argv.data(), environment.data()), 0);
    posix_spawn_file_actions_destroy(&silent);
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << arguments;
  }
  std::string content(const std::string& name) { return file::read(top_ + "/" + name).value(); }
  GitPlace place(const std::string& folder) const { return {top_ + "/" + folder, trees_}; }

  void expect_vetted(const std::string& folder) {
    auto judged = judge_new_config(content(folder + "/config"), place(folder));
    EXPECT_TRUE(judged.has_value()) << folder << ": " << judged.error().text();
    for (auto& hook : std::filesystem::directory_iterator(top_ + "/" + folder + "/hooks"))
      EXPECT_FALSE(judge_hook(hook.path().filename().string())) << hook.path();
  }

  std::string top_;
  std::span<const std::string> trees_{&top_, 1};
};

TEST_F(WithRealGit, InitAndClonePass) {
  git("init -q --shared b");
  git("init -q --bare c.git");
  git("clone -q a d");
  git("clone -q --mirror a e.git");
  git("clone -q --recurse-submodules --depth 1 a f");
  git("init -q --object-format=sha256 g");
  for (const char* folder : {"a/.git", "b/.git", "c.git", "d/.git", "e.git", "f/.git", "g/.git"})
    expect_vetted(folder);
}

TEST_F(WithRealGit, SettingsOfARepositoryForTestsPass) {
  for (const char* setting : {"commit.gpgSign false", "tag.gpgSign false", "core.autocrlf input",
                              "user.email t@example.org", "color.ui always", "gc.auto 0"})
    git("-C a config " + std::string(setting));
  expect_vetted("a/.git");
  git("-C a config commit.gpgSign true");
  EXPECT_FALSE(judge_new_config(content("a/.git/config"), place("a/.git")).has_value());
}

TEST_F(WithRealGit, SubmodulesAndWorktreesPass) {
  git("clone -q a b");
  git("-C b submodule add ../a libs/lib");
  expect_vetted("b/.git");
  expect_vetted("b/.git/modules/libs/lib");
  EXPECT_EQ(judge_git_file(content("b/libs/lib/.git"), place("b/libs/lib")).value(),
            top_ + "/b/.git/modules/libs/lib");
  git("-C b worktree add ../wt -b wt");
  EXPECT_EQ(judge_git_file(content("wt/.git"), place("wt")).value(), top_ + "/b/.git/worktrees/wt");
  GitPlace folder = place("b/.git/worktrees/wt");
  EXPECT_FALSE(judge_commondir(content("b/.git/worktrees/wt/commondir"), folder));
  EXPECT_EQ(judge_worktree_gitdir(content("b/.git/worktrees/wt/gitdir"), folder).value(),
            top_ + "/wt/.git");
}

TEST_F(WithRealGit, RebaseListsPassUnlessTheyRunSomething) {
  TextJudge judge_todo = judge_of_interrupted("rebase-merge/git-rebase-todo");
  git("-C a commit -q --allow-empty -m 3");
  git("-C a branch other HEAD~1");
  std::string keep = "GIT_SEQUENCE_EDITOR=cp -t " + top_;
  git("-C a rebase -q -i --update-refs --keep-empty HEAD~2", keep);
  std::string list = content("git-rebase-todo");
  EXPECT_NE(list.find("update-ref"), std::string::npos);
  EXPECT_FALSE(judge_todo(list));
  git("-C a rebase -q -i --rebase-merges HEAD~2", keep);
  EXPECT_FALSE(judge_todo(content("git-rebase-todo")));
  git("-C a rebase -q -i -x true HEAD~2", keep);
  EXPECT_TRUE(judge_todo(content("git-rebase-todo")));
}

// Each step of an ordinary day changes the config, and each change is let through.
TEST_F(WithRealGit, UpdatesOfAnOrdinaryDayPass) {
  git("clone -q a b");
  git("init -q --bare c.git");
  GitConfig person = parse_git_config(content("b/.git/config")).value(), last = person;
  GitScene scene{place("b/.git"), {}, Branches{"main"}};
  for (const std::string& step : std::vector<std::string>{
           "remote add fork " + top_ + "/c.git", "push -q fork HEAD:refs/heads/x",
           "checkout -q -b new", "push -q -u fork new", "checkout -q -b t fork/x", "branch -m t t2",
           "config user.name B", "config color.ui never", "config core.abbrev 12",
           "config fetch.prune true", "config gc.auto 0", "config advice.detachedHead false",
           "submodule add ../a lib", "remote set-url fork " + top_ + "/d",
           "submodule deinit -f lib", "remote rename fork up", "branch --unset-upstream t2",
           "branch -D main", "remote remove up"}) {
    git("-C b " + step);
    GitConfig wanted = parse_git_config(content("b/.git/config")).value();
    auto update = judge_git_config(person, last, wanted, scene);
    ASSERT_TRUE(update.has_value()) << step << ": " << update.error().text();
    last = parse_git_config(update->text).value();
    EXPECT_EQ(keys_of(last), keys_of(wanted)) << step;
  }
}

}  // namespace
}  // namespace ringwall::git
