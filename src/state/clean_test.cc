#include "state/clean.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "base/fd.h"
#include "base/file.h"
#include "state/registry.h"
#include "undo/kept_run.h"

namespace ringwall::state {
namespace {

using Kind = Leftover::Kind;

// The number of a process that has ended.
pid_t dead_pid() {
  pid_t pid = fork();
  if (pid == 0) _exit(0);
  waitpid(pid, nullptr, 0);
  return pid;
}

class Clean : public testing::Test {
 protected:
  Clean() {
    std::string pattern = testing::TempDir() + "/cleanXXXXXX";
    top_ = mkdtemp(pattern.data());
    places_ = {top_ + "/state", {top_ + "/runs", top_ + "/other"}, top_ + "/tmp"};
    for (const char* name : {"state", "runs", "other", "tmp", "state/homes"})
      make_folder(name);
    dead_ = std::to_string(dead_pid());
  }
  ~Clean() override {
    Fd dir(open(testing::TempDir().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    EXPECT_TRUE(tree::remove_at(dir.get(), top_.substr(testing::TempDir().size() + 1)));
  }

  std::string at(const std::string& name) const { return top_ + "/" + name; }
  bool exists(const std::string& name) const {
    struct stat facts;
    return lstat(at(name).c_str(), &facts) == 0;
  }
  void make_folder(const std::string& name) const {
    ASSERT_TRUE(file::make_dirs(at(name))) << name;
  }
  void make_file(const std::string& name, const std::string& text = "text") const {
    Fd fd(open(at(name).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    ASSERT_TRUE(fd) << name;
    ASSERT_TRUE(file::write_all(fd.get(), text));
  }
  void make_home(const std::string& name, const std::string& workspace) const {
    make_folder("state/homes/" + name + "/state/.cache");
    make_file("state/homes/" + name + "/workspace", workspace);
  }

  // Kinds and names of what was found, sorted; fails on errors.
  std::vector<std::string> found(const CleanRequest& request) const {
    CleanReport report = clean(request, places_);
    for (const Error& error : report.errors)
      ADD_FAILURE() << error.text();
    std::vector<std::string> paths;
    for (const Leftover& leftover : report.leftovers) {
      EXPECT_EQ(leftover.removed, !request.only_look);
      paths.push_back(leftover.path.substr(top_.size() + 1));
    }
    std::ranges::sort(paths);
    return paths;
  }

  using Names = std::vector<std::string>;
  std::string top_;
  std::string dead_;
  CleanPlaces places_;
};

}  // namespace

TEST_F(Clean, EntriesOfDeadRunsInEveryRegistry) {
  make_folder("runs/dead");
  make_file("runs/dead/control");
  make_folder("other/.new-" + dead_);
  make_folder("other/.new-" + std::to_string(getpid()));
  Names expected = {"other/.new-" + dead_, "runs/dead"};
  EXPECT_EQ(found({.only_look = true}), expected);
  EXPECT_TRUE(exists("runs/dead/control"));
  EXPECT_EQ(found({}), expected);
  EXPECT_FALSE(exists("runs"));
  EXPECT_TRUE(exists("other/.new-" + std::to_string(getpid())));
  EXPECT_EQ(found({}), Names());
}

TEST_F(Clean, RunsThatGoOnAreNotTouched) {
  auto run = register_run(places_.registries[0], "going", "/w");
  ASSERT_TRUE(run);
  make_folder("other/dead");
  EXPECT_EQ(found({}), Names{"other/dead"});
  EXPECT_TRUE(exists("runs/going"));
}

TEST_F(Clean, ARegistryOfOthersIsLeftAlone) {
  make_folder("runs/dead");
  ASSERT_EQ(chmod(at("runs").c_str(), 0770), 0);
  ASSERT_EQ(rmdir(at("other").c_str()), 0);
  ASSERT_EQ(symlink("state", at("other").c_str()), 0);
  EXPECT_EQ(found({}), Names());
  EXPECT_TRUE(exists("runs/dead"));
}

TEST_F(Clean, AnEmptyRegistryIsTold) {
  EXPECT_EQ(found({.only_look = true}), (Names{"other", "runs"}));
  EXPECT_EQ(found({}), (Names{"other", "runs"}));
  EXPECT_FALSE(exists("runs"));
}

TEST_F(Clean, FilesOfInterruptedWrites) {
  make_folder("runs/.new-1");
  make_folder("other/.new-1");  // pid 1 lives, so both stay and the registries with them
  make_home("a", top_);
  make_file("state/.x." + dead_);
  make_file("state/homes/a/.workspace." + dead_);
  Names kept = {"state/.x." + std::to_string(getpid()), "state/x." + dead_, "state/." + dead_,
                "state/.x.", "state/homes/a/state/.x." + dead_};
  for (const std::string& name : kept)
    make_file(name);
  make_folder("state/.folder." + dead_);
  ASSERT_EQ(symlink("homes", at("state/.link." + dead_).c_str()), 0);
  EXPECT_EQ(found({}), (Names{"state/.x." + dead_, "state/homes/a/.workspace." + dead_}));
  for (const std::string& name : kept)
    EXPECT_TRUE(exists(name)) << name;
  EXPECT_TRUE(exists("state/.folder." + dead_) && exists("state/.link." + dead_));
}

TEST_F(Clean, HomesOfWorkspacesThatAreGone) {
  places_.registries.clear();
  make_home("there", top_);
  make_home("gone", at("nowhere"));
  make_home("below-a-file", at("state/homes/there/workspace/x"));
  make_home("relative", "nowhere");
  make_folder("state/homes/named/state");
  ASSERT_EQ(symlink("gone", at("state/homes/link").c_str()), 0);
  EXPECT_EQ(found({}), Names());
  Names expected = {"state/homes/below-a-file", "state/homes/gone"};
  EXPECT_EQ(found({.homes = true, .only_look = true}), expected);
  EXPECT_EQ(found({.homes = true}), expected);
  EXPECT_FALSE(exists("state/homes/gone"));
  for (const char* name : {"there", "relative", "named", "link"})
    EXPECT_TRUE(exists(std::string("state/homes/") + name)) << name;
}

TEST_F(Clean, AHomeByName) {
  places_.registries.clear();
  make_folder("state/homes/named/state");
  make_home("there", top_);
  EXPECT_EQ(found({.named = {"named"}}), Names{"state/homes/named"});
  EXPECT_EQ(found({.named = {"there"}}), Names{"state/homes/there"});
  EXPECT_TRUE(exists("state/homes/there/workspace"));  // that it was a workspace stays known
  EXPECT_FALSE(exists("state/homes/there/state"));
  make_folder("state/homes/tries");
  for (const char* name : {"there", "trie", "../homes/tries", ".", "..", "", "tries/"}) {
    CleanReport report = clean({.named = {name}}, places_);
    EXPECT_EQ(report.errors.size(), 1u) << name;
    EXPECT_TRUE(report.leftovers.empty()) << name;
  }
  EXPECT_TRUE(exists("state/homes/tries"));
}

TEST_F(Clean, ARunThatDoesNotAnswerKeepsEveryHome) {
  auto run = register_run(places_.registries[0], "silent", "/w");
  make_folder("other/keep");
  Fd keep(open(at("other/keep").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_EQ(flock(keep.get(), LOCK_EX), 0);
  make_home("gone", at("nowhere"));
  CleanReport report = clean({.homes = true}, places_);
  EXPECT_TRUE(report.leftovers.empty());
  ASSERT_EQ(report.errors.size(), 1u);
  EXPECT_NE(report.errors[0].what.find("does not say"), std::string::npos);
  EXPECT_TRUE(exists("state/homes/gone/workspace"));
}

TEST_F(Clean, LayersThatNobodyUses) {
  places_.registries.clear();
  for (const char* cache : {"npm", "pip", "go"})
    make_folder("state/homes/a/layers/" + std::string(cache) + "/x/work/work");
  make_file("state/homes/a/layers/npm/x/work/work/#1");
  make_file("state/homes/a/layers/pip/x/work/work/#1");
  for (const char* cache : {"npm", "pip", "go"}) {
    std::string work = at("state/homes/a/layers/" + std::string(cache) + "/x/work/work");
    ASSERT_EQ(chmod(work.c_str(), 0000), 0);
  }
  Fd used(open(at("state/homes/a/layers/pip").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_EQ(flock(used.get(), LOCK_EX), 0);
  Names expected = {"state/homes/a/layers/npm/x/work"};
  EXPECT_EQ(found({.only_look = true}), expected);
  struct stat facts;
  ASSERT_EQ(stat(at("state/homes/a/layers/npm/x/work/work").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0u);
  EXPECT_EQ(found({}), expected);
  EXPECT_TRUE(exists("state/homes/a/layers/npm/x"));
  CleanReport report = clean({.named = {"a"}}, places_);
  ASSERT_EQ(report.errors.size(), 1u);
  EXPECT_TRUE(exists("state/homes/a/layers/pip/x/work"));
}

TEST_F(Clean, AnEmptyNoteIsNoNote) {
  places_.registries.clear();
  make_home("cut", "");
  EXPECT_EQ(found({}), Names{"state/homes/cut/workspace"});
  EXPECT_TRUE(exists("state/homes/cut/state/.cache"));
}

TEST_F(Clean, WhatVerifyPlanted) {
  places_.registries.clear();
  make_folder("state/verify-" + dead_);
  make_folder("state/homes/verify-" + dead_ + "-2");
  make_folder("state/homes/verify-" + dead_ + "0");  // a person's own, perhaps
  make_folder("state/verify-" + std::to_string(getpid()));
  make_folder("tmp/ringwall-verify-abcdef");  // too young to be a leftover
  make_folder("tmp/ringwall-verify-" + dead_ + "-abcdef");
  make_folder("tmp/ringwall-verify-" + std::to_string(getpid()) + "-abcdef");
  EXPECT_EQ(found({}), (Names{"state/homes/verify-" + dead_ + "-2", "state/verify-" + dead_,
                              "tmp/ringwall-verify-" + dead_ + "-abcdef"}));
}

TEST_F(Clean, TakesHalfWrittenContentsAndKeepsWhatIsKeptOfRuns) {
  std::string living = std::to_string(getpid());
  make_folder("state/undo/new");
  make_folder("state/undo/runs/killed@1");
  make_folder("state/undo/runs/whole@1");
  make_file("state/undo/new/" + dead_ + ".7");
  make_file("state/undo/new/" + living + ".7");
  undo::KeptRun whole{"whole@1", "whole", undo::KeptRun::Kind::run, "/work", {"sh"}, 1};
  make_file("state/undo/runs/whole@1/run", undo::encode(whole));
  make_folder("state/undo/runs/broken@1");
  make_file("state/undo/runs/broken@1/run");
  make_folder("state/undo/runs/.removed-gone@1");
  make_file("state/undo/runs/.removed-gone@1/outcome");
  make_file("state/undo/runs/whole@1/manifest");
  make_file("state/undo/runs/whole@1/.manifest." + dead_);
  CleanReport report = clean({}, places_);
  EXPECT_TRUE(report.errors.empty());
  EXPECT_FALSE(exists("state/undo/new/" + dead_ + ".7"));
  EXPECT_TRUE(exists("state/undo/new/" + living + ".7"));
  EXPECT_FALSE(exists("state/undo/runs/killed@1"));
  EXPECT_FALSE(exists("state/undo/runs/broken@1"));
  EXPECT_FALSE(exists("state/undo/runs/.removed-gone@1"));
  EXPECT_TRUE(exists("state/undo/runs/whole@1/manifest"));
  EXPECT_FALSE(exists("state/undo/runs/whole@1/.manifest." + dead_));
}

}  // namespace ringwall::state
