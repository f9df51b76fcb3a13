#include "review/runs_outside.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "review/layer_changes.h"
#include "review/overlay_lab.h"

namespace ringwall::review {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfig =
    "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = https://a/b\n";

class Outside : public ::testing::Test {
 protected:
  // Both sides are written by hand: what the kernel makes of it is tested with the layers.
  void real(const std::string& path, const std::string& text) { put(lab_.real(path), text); }
  void layer(const std::string& path, const std::string& text) { put(lab_.upper(path), text); }

  // "!path" for what is protected, "path" for what runs later.
  std::string words(const std::vector<std::string>& protect = {},
                    const std::vector<std::string>& unprotect = {}) {
    Fd upper = lab_.open("upper"), real = lab_.open("real");
    auto found = read_layer(upper.get(), real.get(), {});
    auto names = files::ProtectedNames::compile(protect, unprotect);
    EXPECT_TRUE(found && names);
    std::vector<std::string> trees = {lab_.top() + "/real"};
    std::vector<std::string> out;
    why_.clear();
    for (const RunsOutside& one :
         find_runs_outside(found->changes, {upper.get(), real.get(), trees[0], trees}, *names)) {
      out.push_back((one.is_protected ? "!" : "") + found->changes[one.change].path);
      why_ += one.why + "\n";
      EXPECT_FALSE(one.why.empty());
    }
    return text::join(out, " ");
  }

  void make_repository(const std::string& folder) {
    real(folder + "/HEAD", "ref: refs/heads/main\n");
    real(folder + "/config", kConfig);
    fs::create_directories(lab_.real(folder + "/objects"));
    fs::create_directories(lab_.real(folder + "/refs"));
  }

  OverlayLab lab_;
  std::string why_;

 private:
  static void put(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(path).parent_path());
    write_text(path, text);
  }
};

TEST_F(Outside, LinksInGitFoldersAreHeld) {
  make_repository(".git");
  fs::create_directories(lab_.upper(".git/logs"));
  fs::create_symlink("/home/ann/.bashrc", lab_.upper(".git/COMMIT_EDITMSG"));
  fs::create_symlink("../config", lab_.upper(".git/logs/HEAD"));
  fs::create_directories(lab_.upper(".git/refs"));
  fs::create_symlink("refs/heads/main", lab_.upper(".git/refs/HEAD"));
  EXPECT_EQ(words(), "!.git/COMMIT_EDITMSG !.git/logs/HEAD");
}

TEST_F(Outside, LinksOutOfTheTreeAreTold) {
  layer("src/a", "x");
  fs::create_symlink("src/a", lab_.upper("fine"));
  fs::create_symlink("/usr/bin/python3", lab_.upper("python"));
  fs::create_symlink("/home/ann/.bashrc", lab_.upper("README.md"));
  fs::create_symlink("src/../../x", lab_.upper("winding"));
  fs::create_symlink(".git/lfs/f", lab_.upper("into"));
  EXPECT_EQ(words(), "README.md !into winding");
}

TEST_F(Outside, SettingsInPackagesThatALinkNamesAreHeld) {
  layer("node_modules/f/.npmrc", "script-shell=./x");
  layer("node_modules/g/.npmrc", "x");
  fs::create_symlink("node_modules/f", lab_.upper("frontend"));
  EXPECT_EQ(words(), "!node_modules/f/.npmrc");
}

TEST_F(Outside, OrdinaryWorkIsNotTold) {
  real("src/a.cc", "1");
  layer("src/a.cc", "2");
  layer("README.md", "x");
  layer("src/make.cc", "x");
  EXPECT_EQ(words(), "");
}

TEST_F(Outside, WhatBuildsAndServersRunIsTold) {
  for (const char* path : {"Makefile", "sub/rules.mk", ".github/workflows/ci.yml", "setup.py",
                           "tools/hooks/run", "Jenkinsfile", "build.rs", "a/Dockerfile"})
    layer(path, "x");
  EXPECT_EQ(words(),
            ".github/workflows/ci.yml Jenkinsfile Makefile a/Dockerfile build.rs setup.py "
            "sub/rules.mk tools/hooks/run");
}

TEST_F(Outside, OnlyOtherContentOrANewExecutableBitCounts) {
  for (const char* path : {"Makefile", "CMakeLists.txt", "configure", "tox.ini"})
    real(path, "same");
  layer("Makefile", "same");
  chmod(lab_.upper("Makefile").c_str(), 0600);
  layer("CMakeLists.txt", "ever");
  layer("configure", "same");
  chmod(lab_.upper("configure").c_str(), 0755);
  EXPECT_EQ(words(), "CMakeLists.txt configure");
}

TEST_F(Outside, PackagesAreNotLookedThrough) {
  layer("node_modules/p/Makefile", "x");
  layer("node_modules/p/package.json", R"({"scripts": {"install": "x"}})");
  layer("vendor/p/Makefile", "x");
  EXPECT_EQ(words(), "vendor/p/Makefile");
}

TEST_F(Outside, OfAPackageItsScriptsCount) {
  real("a/package.json", R"({"scripts": {"test": "x"}, "version": "1"})");
  layer("a/package.json", R"({"version": "2", "scripts": {"test": "x"}})");
  EXPECT_EQ(words(), "");
  layer("a/package.json", R"({"scripts": {"test": "y"}})");
  EXPECT_EQ(words(), "a/package.json");
  layer("a/package.json", R"({"scripts": )");
  EXPECT_EQ(words(), "a/package.json");
  layer("a/package.json", R"({"bin": "x"})");
  EXPECT_EQ(words(), "a/package.json");
  layer("a/package.json", R"({"dependencies": {}})");
  EXPECT_EQ(words(), "");
}

TEST_F(Outside, RightsOfAnOwnerAreTold) {
  layer("tool", "x");
  chmod(lab_.upper("tool").c_str(), 04755);
  EXPECT_EQ(words(), "tool");
}

TEST_F(Outside, WhatIsProtectedIsTold) {
  layer(".vscode/tasks.json", "{}");
  layer("sub/.envrc", "x");
  layer(".claude/settings.json", "{}");
  ASSERT_EQ(symlink("elsewhere", lab_.upper(".husky").c_str()), 0);
  layer("mine", "x");
  EXPECT_EQ(words(), "!.claude/settings.json !.husky !.vscode !.vscode/tasks.json !sub/.envrc");
  EXPECT_EQ(words({"mine"}, {".vscode/", "**/.envrc"}), "!.claude/settings.json !.husky !mine");
}

TEST_F(Outside, AProtectedFileThatIsGoneIsTold) {
  write_text(lab_.real(".envrc"), "x");
  ASSERT_TRUE(lab_.work([] { return unlink(".envrc") == 0; }));
  EXPECT_EQ(words(), "!.envrc");
}

TEST_F(Outside, WherePushesGoIsTold) {
  make_repository(".git");
  std::filesystem::create_directories(lab_.real(".git/refs/heads"));
  write_text(lab_.real(".git/refs/heads/mine"), "x");
  layer(".git/config", std::string(kConfig) + "[branch \"mine\"]\n\tremote = origin\n");
  EXPECT_EQ(words(), "!.git/config");
  EXPECT_NE(why_.find("remote of the branch mine"), std::string::npos) << why_;
  layer(".git/config", std::string(kConfig) + "[remote \"up\"]\n\turl = https://example.org/up\n");
  EXPECT_EQ(words(), "!.git/config");
  EXPECT_NE(why_.find("adds the git remote up: https://example.org/up"), std::string::npos) << why_;
}

// Its head, and the SHA-1 of that.
constexpr std::string_view kEmptyIndex(
    "DIRC\0\0\0\2\0\0\0\0"
    "\071\330\220\023\236\345\065\154\176\365"
    "\162\041\154\353\315\047\252\101\371\337",
    32);

TEST_F(Outside, AnIndexThatGitCannotHaveWrittenIsTold) {
  make_repository(".git");
  layer(".git/index", "x");
  EXPECT_EQ(words(), "!.git/index");
}

TEST_F(Outside, GitsOwnWorkPasses) {
  make_repository(".git");
  std::filesystem::create_directories(lab_.real(".git/refs/heads"));
  layer(".git/index", std::string(kEmptyIndex));
  layer(".git/objects/aa/bb", "x");
  layer(".git/refs/heads/new", "x");
  layer(".git/config",
        std::string(kConfig) + "[branch \"new\"]\n\tremote = origin\n\tmerge = refs/heads/new\n");
  layer(".git/hooks/pre-commit.sample", "x");
  layer(".git/rebase-merge/git-rebase-todo", "pick 1234567 words\n");
  EXPECT_EQ(words(), "") << why_;
}

TEST_F(Outside, WhatGitWouldObeyIsTold) {
  make_repository(".git");
  layer(".git/config", std::string(kConfig) + "[alias]\n\tst = !evil\n");
  layer(".git/hooks/pre-commit", "x");
  layer(".git/rebase-merge/git-rebase-todo", "exec evil\n");
  layer(".git/commondir", "/elsewhere\n");
  layer("sub/.git", "gitdir: /elsewhere\n");
  EXPECT_EQ(words(),
            "!.git/commondir !.git/config !.git/hooks/pre-commit "
            "!.git/rebase-merge/git-rebase-todo !sub/.git");
}

TEST_F(Outside, LinksOnTheWayToWhatGitObeysAreTold) {
  make_repository(".git");
  make_repository("plain");
  for (std::string folder : {".git", "plain"}) {
    fs::create_directories(lab_.upper(folder));
    for (const char* name : {"hooks", "rebase-merge", "modules", "config", "logs"})
      ASSERT_EQ(symlink("/elsewhere", lab_.upper(folder + "/" + name).c_str()), 0);
  }
  EXPECT_EQ(words(),
            "!.git/config !.git/hooks !.git/logs !.git/modules !.git/rebase-merge "
            "!plain/config !plain/hooks !plain/logs !plain/modules !plain/rebase-merge");
}

TEST_F(Outside, WhatHooksCallIsTold) {
  make_repository(".git");
  make_repository("plain");
  layer(".git/hooks/lib/deep/x", "x");
  layer("plain/hooks/lib/deep/x", "x");
  EXPECT_EQ(words(), "!.git/hooks/lib/deep/x !plain/hooks/lib/deep/x");
}

TEST_F(Outside, AGitFolderOfAnyNameIsOne) {
  make_repository("plain");
  layer("plain/hooks/post-update", "x");
  layer("plain/hooks/update.sample", "x");
  layer("other/my-hooks/post-update", "x");
  EXPECT_EQ(words(), "other/my-hooks/post-update !plain/hooks/post-update");
}

TEST_F(Outside, AGitFolderThatExistsOnlyInTheResultIsOne) {
  real("a/HEAD", "ref: refs/heads/main\n");
  layer("a/objects/x", "");
  layer("a/refs/x", "");
  layer("a/config", "[core]\n\tfsmonitor = evil\n");
  layer("b/HEAD", "x");
  layer("b/config", "[core]\n\tfsmonitor = evil\n");
  EXPECT_EQ(words(), "!a/config");
}

TEST_F(Outside, WhatMakesAGitFolderOfAPreparedOneIsTold) {
  real("a/config", "[core]\n\tfsmonitor = evil\n");
  real("b/config", "[core]\n\tbare = true\n");
  for (std::string folder : {"a", "b"}) {
    layer(folder + "/HEAD", "ref: refs/heads/main\n");
    layer(folder + "/objects/x", "");
    layer(folder + "/refs/x", "");
  }
  EXPECT_EQ(words(), "!a/HEAD !a/objects !a/refs");
}

TEST_F(Outside, AWorktreesOwnFilesCanMakeAGitFolderToo) {
  for (std::string folder : {"a/worktrees/w", "b/worktrees/w"})
    real(folder + "/HEAD", "ref: refs/heads/main\n");
  real("a/worktrees/w/rebase-merge/strategy", "x/evil\n");
  layer("a/worktrees/w/commondir", "../..\n");
  layer("b/worktrees/w/commondir", "../..\n");
  std::string found = words();
  EXPECT_NE(found.find("!a/worktrees/w/commondir"), found.npos) << found;
  EXPECT_NE(why_.find("rebase-merge/strategy"), why_.npos) << why_;
}

TEST_F(Outside, RemovingARepositoryLeadsNobodyElsewhere) {
  make_repository("sub/.git");
  real("sub/.git/hooks/pre-commit", "x");
  make_repository(".git");
  real(".git/hooks/pre-commit", "x");
  ASSERT_TRUE(
      lab_.work([] { return fs::remove_all("sub") > 0 && unlink(".git/hooks/pre-commit") == 0; }));
  EXPECT_EQ(words(), "!.git/hooks/pre-commit");
}

TEST(LaterEntries, ArePatternsWithReasons) {
  for (const LaterEntry& entry : later_entries()) {
    EXPECT_FALSE(entry.why.empty());
    for (const std::string& pattern : text::split(entry.patterns, ' '))
      EXPECT_TRUE(files::NamePattern::parse(pattern)) << pattern;
  }
}

}  // namespace
}  // namespace ringwall::review
