#include "files/link_judge.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "files/vet.h"

namespace ringwall::files {
namespace {

namespace fs = std::filesystem;
using Kind = LinkVerdict::Kind;

const LinkRules kRules{
    {"/home/ann"}, {"/home/ann/.local/state/ringwall"}, {"/home/ann/.pyenv/versions/3.11"}};
const std::vector<std::string> kTrees = {"/home/ann/w", "/srv/shared"};

Kind end_of(const std::string& end, const std::string& link = "a/link") {
  return judge_link_end(kTrees, kRules, link, end).kind;
}

TEST(LinkJudge, LinksWithinTheTreesAreFine) {
  for (const char* end :
       {"/home/ann/w", "/home/ann/w/src/a.cc", "/srv/shared/lib", "/usr/bin/python3",
        "/nix/store/x", "/opt/tool", "/etc/ssl/certs", "/dev/null"})
    EXPECT_EQ(end_of(end), Kind::fine) << end;
  EXPECT_EQ(end_of("/home/ann/w/.git/annex/objects/a/b"), Kind::fine);
}

TEST(LinkJudge, WhatAProgramOutsideWouldWriteToHasToGo) {
  for (const char* end :
       {"/home/ann/.bashrc", "/home/ann/.ssh/id_x", "/home/ann/.config/git/config",
        "/home/ann/bin/tool", "/home/ann/.cargo/bin/cargo", "/home/ann", "/home", "/",
        "/proc/self/root/home/ann/.bashrc", "/home/ann/.local/state/ringwall/homes/w/state/x",
        "/home/ann/.local/share/systemd/user", "/home/ann/w/.git", "/home/ann/w/.git/config",
        "/home/ann/w/.git/lfs/f"})
    EXPECT_EQ(end_of(end), Kind::culprit) << end;
}

TEST(LinkJudge, OtherWaysOutAreTold) {
  for (const char* end : {"/home/ann/other/Makefile", "/tmp/x", "/home/ann/.cache/bazel/x",
                          "/home/ann/.local/share/uv/python", "/mnt/data"})
    EXPECT_EQ(end_of(end), Kind::leads_out) << end;
  EXPECT_EQ(end_of("/home/ann/.pyenv/versions/3.11/bin/python3.11"), Kind::fine);
}

TEST(LinkJudge, PackagesAreJudgedByTheNameOfALinkToThem) {
  EXPECT_EQ(end_of("/home/ann/w/node_modules/f"), Kind::renames);
  EXPECT_EQ(end_of("/home/ann/w/node_modules/f", "sub/node_modules"), Kind::fine);
  EXPECT_EQ(end_of("/home/ann/w/node_modules/.pnpm/f", "node_modules/f"), Kind::fine);
  EXPECT_EQ(end_of("/home/ann/w/packages/f", "node_modules/f"), Kind::fine);
}

TEST(LinkJudge, GitItselfMakesRefsThatStandForOthers) {
  EXPECT_EQ(judge_link_in_git(".git/HEAD", "refs/heads/main"), "");
  EXPECT_EQ(judge_link_in_git(".git/refs/remotes/origin/HEAD", "refs/remotes/origin/main"), "");
  EXPECT_EQ(judge_link_in_git(".git/tXa3b9Z", "testing"), "");
  EXPECT_NE(judge_link_in_git(".git/index", "testing"), "");
  EXPECT_NE(judge_link_in_git(".git/HEAD", "refs/../config"), "");
  EXPECT_NE(judge_link_in_git(".git/HEAD", "/home/ann/.bashrc"), "");
  EXPECT_NE(judge_link_in_git(".git/COMMIT_EDITMSG", "config"), "");
  EXPECT_NE(judge_link_in_git(".git/logs/HEAD", "../config"), "");
}

class LinkJudging : public ::testing::Test {
 protected:
  LinkJudging() {
    char name[] = "/tmp/ringwall-links-XXXXXX";
    top_ = fs::canonical(mkdtemp(name));
    trees_.push_back({*file::open(top_, O_RDONLY | O_DIRECTORY), top_});
    rules_.homes = {"/home/ann"};
  }
  ~LinkJudging() override { fs::remove_all(top_); }

  void link(const std::string& path, const std::string& target) {
    fs::create_directories(fs::path(top_ + "/" + path).parent_path());
    fs::create_symlink(target, top_ + "/" + path);
  }
  void put(const std::string& path) {
    fs::create_directories(fs::path(top_ + "/" + path).parent_path());
    std::ofstream(top_ + "/" + path) << "x";
  }
  std::set<std::string> culprits() {
    auto names = ProtectedNames::compile({}, {});
    Vetter vetter(*names, trees_, {}, rules_);
    std::vector<Culprit> found;
    vetter.look(0, "", found);
    std::set<std::string> paths;
    for (const Culprit& each : found)
      paths.insert(each.path);
    return paths;
  }

  using Paths = std::set<std::string>;
  std::string top_;
  std::vector<WatchedTree> trees_;
  LinkRules rules_;
};

TEST_F(LinkJudging, InGitFoldersOfAnyName) {
  link(".git/COMMIT_EDITMSG", "/home/ann/.bashrc");
  link(".git/logs/HEAD", "/home/ann/.profile");
  link(".git/modules/a/FETCH_HEAD", "x");
  link(".git/HEAD", "refs/heads/main");
  mkfifo((top_ + "/.git/SQUASH_MSG").c_str(), 0600);
  for (const char* part : {"bare/HEAD", "bare/objects/x", "bare/refs/x"})
    put(part);
  link("bare/logs/HEAD", "../config");
  EXPECT_EQ(culprits(), (Paths{".git/COMMIT_EDITMSG", ".git/SQUASH_MSG", ".git/logs/HEAD",
                               ".git/modules/a/FETCH_HEAD", "bare/logs/HEAD"}));
}

TEST_F(LinkJudging, ThroughOtherLinksOfTheTree) {
  put("deep/er/x");
  link("a", "deep/er");
  link("up", "a/../x");  // deep/x
  link("out", "a/../../../../home/ann/.bashrc");
  link("root", "/");
  EXPECT_EQ(culprits(), (Paths{"out", "root"}));
}

TEST_F(LinkJudging, KnownOnesStayUnlessTheyLeadElsewhere) {
  link("rc", "/home/ann/.bashrc");
  link(".git/index", "/home/ann/idx");
  rules_.known = {{top_ + "/rc", "/home/ann/.bashrc"}, {top_ + "/.git/index", "/home/ann/old"}};
  EXPECT_EQ(culprits(), (Paths{".git/index"}));
}

TEST_F(LinkJudging, SettingsInPackagesThatALinkNames) {
  put("node_modules/f/.npmrc");
  put("node_modules/g/.npmrc");
  link("frontend", "node_modules/f");
  link("node_modules/f/self", ".");
  EXPECT_EQ(culprits(), (Paths{"node_modules/f/.npmrc"}));
}

TEST_F(LinkJudging, OrdinaryWorkStays) {
  put("packages/a/index.js");
  link("node_modules/a", "../packages/a");
  link("node_modules/.bin/a", "../a/index.js");
  link("env/bin/python", "/usr/bin/python3");
  link("lib/libx.so", "libx.so.1");
  link("CLAUDE.local", "packages/a/index.js");
  link(".git/tool/worktree/link", "other");
  EXPECT_EQ(culprits(), Paths());
}

}  // namespace
}  // namespace ringwall::files
