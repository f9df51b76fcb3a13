#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "broker/vet.h"

namespace ringwall::broker {
namespace {

namespace fs = std::filesystem;

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
    auto names = files::ProtectedNames::compile({}, {});
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
  std::vector<files::WatchedTree> trees_;
  files::LinkRules rules_;
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
}  // namespace ringwall::broker
