#include "git/named_files.h"

#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "git/config.h"

namespace ringwall::git {
namespace {

using Patterns = std::vector<std::string>;
namespace fs = std::filesystem;

class GitNamedFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "ringwall-named.XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    top_ = pattern;
  }
  void TearDown() override { fs::remove_all(top_); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories(fs::path(top_) / fs::path(name).parent_path());
    std::ofstream(fs::path(top_) / name) << text;
  }
  static Patterns of(const std::string& tree, const std::string& home) {
    auto named = files_named_by_git({tree}, {tree + "/.git"}, home);
    EXPECT_TRUE(named) << named.error().what;
    return named.value_or(NamedFiles{}).patterns;
  }
  Patterns named(const std::string& config) {
    write(".git/config", config);
    return of(top_, fs::path(top_).parent_path());
  }

  std::string top_;
};

TEST_F(GitNamedFiles, NothingIsNamedByOrdinarySettings) {
  write("status", "");
  write("Body", "");
  EXPECT_EQ(named("[core]\n\tbare = false\n[user]\n\tname = Some Body\n[alias]\n\tst = status\n"
                  "[remote \"origin\"]\n\turl = ../other/repository\n"),
            Patterns{});
  EXPECT_EQ(of(top_ + "/no-repository", "/"), Patterns{});
}

TEST_F(GitNamedFiles, FoldersOfHooks) {
  EXPECT_EQ(named("[core]\n\thooksPath = tools/hooks\n"), Patterns{"/tools/hooks/"});
  EXPECT_EQ(named("[core]\n\thooksPath = " + top_ + "/a/../b\n"), Patterns{"/b/"});
  std::string in_home = "~/" + fs::path(top_).filename().string() + "/hooks";
  EXPECT_EQ(named("[core]\n\thooksPath = " + in_home + "\n"), Patterns{"/hooks/"});
  for (const char* outside : {"/etc/hooks", "~/hooks", "../hooks", ".git/hooks"})
    EXPECT_EQ(named(std::string("[core]\n\thooksPath = ") + outside + "\n"), Patterns{}) << outside;
}

TEST_F(GitNamedFiles, FoldersInSomebodysHome) {
  const passwd* account = getpwuid(geteuid());
  ASSERT_NE(account, nullptr);
  std::string up = fs::relative("/", account->pw_dir);
  std::string named_so = "~" + std::string(account->pw_name) + "/" + up + top_ + "/hooks";
  EXPECT_EQ(named("[core]\n\thooksPath = " + named_so + "\n"), Patterns{"/hooks/"});
  EXPECT_EQ(named("[filter \"f\"]\n\tclean = " + named_so + "/x\n"), Patterns{"/hooks/x"});
  EXPECT_EQ(named("[core]\n\thooksPath = ~nobody-of-this-name/hooks\n"),
            Patterns{"/~nobody-of-this-name/hooks/"})
      << "git gives up; nothing is lost by keeping what a shell would take";
}

TEST_F(GitNamedFiles, TheTopAsFolderOfHooks) {
  Patterns hooks = named("[core]\n\thooksPath = .\n");
  EXPECT_TRUE(std::ranges::find(hooks, "/pre-commit") != hooks.end());
  EXPECT_TRUE(std::ranges::find(hooks, "/src") == hooks.end());
}

TEST_F(GitNamedFiles, ByALinkFromElsewhere) {
  write("tree/.git/config", "[core]\n\thooksPath = " + top_ + "/link/hooks\n");
  fs::create_directory_symlink(top_ + "/tree", top_ + "/link");
  EXPECT_EQ(of(top_ + "/tree", "/"), Patterns{"/hooks/"});
}

TEST_F(GitNamedFiles, OptionalPaths) {
  EXPECT_EQ(named("[core]\n\thooksPath = :(optional)hooks\n"), Patterns{"/hooks/"});
}

TEST_F(GitNamedFiles, APointerThatCannotBeReadStopsTheRun) {
  write("tree/.git", "gitdir: " + top_ + "/elsewhere" + std::string(9000, '\n'));
  write("elsewhere/config", "[core]\n\thooksPath = hooks\n");
  EXPECT_EQ(of(top_ + "/tree", "/"), Patterns{"/hooks/"}) << "git takes it";
  write("tree/.git", "gitdir: " + top_ + "/elsewhere" + std::string(1 << 20, '\n'));
  EXPECT_FALSE(files_named_by_git({top_ + "/tree"}, {top_ + "/tree/.git"}, "/"));
}

TEST_F(GitNamedFiles, IncludedSettingsAndWhatTheyName) {
  write("team/settings", "[core]\n\thooksPath = team/hooks\n[include]\n\tpath = more\n");
  write("team/more", "[include]\n\tpath = settings\n");  // a circle
  Patterns wanted{"/team/hooks/", "/team/more", "/team/settings"};
  EXPECT_EQ(named("[include]\n\tpath = ../team/settings\n"), wanted);
  EXPECT_EQ(named("[includeIf \"onbranch:x\"]\n\tpath = ../team/settings\n"), wanted);
}

TEST_F(GitNamedFiles, ProgramsOfCommands) {
  write("tidy.py", "");
  write("src/a.c", "");
  EXPECT_EQ(named("[filter \"f\"]\n\tclean = python3 tidy.py %f\n"), Patterns{"/tidy.py"});
  EXPECT_EQ(named("[filter \"f\"]\n\tclean = './tools/later.sh' %f\n"),
            Patterns{"/tools/later.sh"});
  EXPECT_EQ(named("[alias]\n\tx = \"!sh tools/x\"\n"), Patterns{"/tools/x"});
  EXPECT_EQ(named("[core]\n\tfsmonitor = tools/watch\n"), Patterns{"/tools/watch"});
  EXPECT_EQ(named("[alias]\n\tx = !ls src/\n"), Patterns{}) << "a folder is no program";
}

TEST_F(GitNamedFiles, ProgramsOfSeldomCommands) {
  for (const char* setting :
       {"[tar \"x.gz\"]\n\tcommand", "[imap]\n\ttunnel", "[guitool \"x\"]\n\tcmd",
        "[man \"x\"]\n\tpath", "[browser \"x\"]\n\tcmd", "[instaweb]\n\thttpd",
        "[lfs \"customtransfer.x\"]\n\tpath", "[lfs \"extension.x\"]\n\tclean"})
    EXPECT_EQ(named(std::string(setting) + " = tools/x\n"), Patterns{"/tools/x"}) << setting;
  EXPECT_EQ(named("[lfs]\n\turl = https://host.example/a/b\n"), Patterns{});
}

TEST_F(GitNamedFiles, SettingsOfThePerson) {
  write("home/.gitconfig", "[core]\n\thooksPath = ci/hooks\n[include]\n\tpath = more\n");
  write("home/.config/git/config", "[alias]\n\tlint = !sh ./ci/lint\n");
  write("tree/.git/config", "");
  EXPECT_EQ(of(top_ + "/tree", top_ + "/home"), (Patterns{"/ci/hooks/", "/ci/lint"}));
}

TEST_F(GitNamedFiles, SettingsOfAWorktreeLieElsewhere) {
  write("main/.git/config", "[core]\n\thooksPath = hooks\n");
  write("main/.git/worktrees/w/commondir", "../..\n");
  write("main/.git/worktrees/w/config.worktree", "[core]\n\tfsmonitor = tools/watch\n");
  write("w/.git", "gitdir: ../main/.git/worktrees/w\n");
  EXPECT_EQ(of(top_ + "/w", "/"), (Patterns{"/hooks/", "/tools/watch"}));
}

TEST_F(GitNamedFiles, RepositoriesBelowTheTopAndInOtherTrees) {
  write("tree/sub/.git/config", "[core]\n\thooksPath = hooks\n");
  write("tree/bare/config", "[core]\n\thooksPath = mine\n");
  write("tree/.git/config", "[core]\n\thooksPath = " + top_ + "/other/hooks\n");
  std::string tree = top_ + "/tree";
  auto patterns =
      files_named_by_git({tree, top_ + "/other"},
                         {tree + "/.git", tree + "/sub/.git", tree + "/bare"}, top_ + "/home");
  ASSERT_TRUE(patterns);
  EXPECT_EQ(patterns->patterns, (Patterns{"/bare/mine/", "/hooks/", "/sub/hooks/"}));
}

TEST_F(GitNamedFiles, SettingsOfThePersonInOtherPlaces) {
  write("tree/.git/config", "");
  write("elsewhere/git/config", "[core]\n\thooksPath = tools/hooks\n");
  write("mine", "[core]\n\tfsmonitor = tools/watch\n");
  auto others = git_settings_elsewhere((top_ + "/elsewhere").c_str(), (top_ + "/./mine").c_str(),
                                       "/dev/null");
  EXPECT_EQ(others, (Patterns{top_ + "/elsewhere/git/config", top_ + "/mine", "/dev/null"}));
  auto patterns =
      files_named_by_git({top_ + "/tree"}, {top_ + "/tree/.git"}, top_ + "/home", others);
  ASSERT_TRUE(patterns) << patterns.error().what;
  EXPECT_EQ(patterns->patterns, (Patterns{"/tools/hooks/", "/tools/watch"}));
  EXPECT_EQ(git_settings_elsewhere(nullptr, "", "relative"), Patterns{});
}

TEST_F(GitNamedFiles, SettingsThatCannotBeUnderstoodAreAnError) {
  for (const std::string& text : {std::string("[core\n"), std::string("x = 1\n"),
                                  "[a]\n" + std::string(kMostGitConfigBytes, '#')}) {
    write(".git/config", text);
    auto patterns = files_named_by_git({top_}, {top_ + "/.git"}, "/");
    ASSERT_FALSE(patterns) << text.substr(0, 20);
    EXPECT_TRUE(patterns.error().what.contains("/.git/config")) << patterns.error().what;
  }
  write(".git/config", "[include]\n\tpath = ../broken\n");
  write("broken", "[");
  EXPECT_FALSE(files_named_by_git({top_}, {top_ + "/.git"}, "/"));
}

TEST_F(GitNamedFiles, AWordThatHappensToBeTheNameOfAFile) {
  write("test", "");
  EXPECT_EQ(named("[alias]\n\tt = !npm test\n"), Patterns{});
}

TEST_F(GitNamedFiles, WhatLiesInTheGitFolder) {
  EXPECT_EQ(named("[core]\n\thooksPath = .git/mine\n"), Patterns{"/.git/mine/"});
  EXPECT_EQ(named("[include]\n\tpath = extra.inc\n"), Patterns{"/.git/extra.inc"});
  EXPECT_EQ(named("[core]\n\tsshCommand = ssh -F .git/ssh_config\n"), Patterns{"/.git/ssh_config"});
  for (const char* written : {".git/index", ".git/HEAD", ".git/refs/heads/x", ".git/index.lock",
                              ".git/logs/HEAD", ".git/info/exclude", ".git/hooks/pre-commit"})
    EXPECT_EQ(named(std::string("[alias]\n\tx = !cat ") + written + "\n"), Patterns{}) << written;
  Patterns at_top = named("[core]\n\thooksPath = .git\n");
  EXPECT_TRUE(std::ranges::find(at_top, "/.git/pre-commit") != at_top.end());
  EXPECT_TRUE(std::ranges::find(at_top, "/.git/") == at_top.end());
}

TEST_F(GitNamedFiles, FilesBehindWhatAShellFillsIn) {
  auto alias = [&](const std::string& command) {
    std::string quoted;
    for (char c : command)
      quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
    return named("[alias]\n\tx = \"!" + quoted + "\"\n");
  };
  write("tools/l.sh", "");
  for (const char* command :
       {"$(git rev-parse --show-toplevel)/tools/l.sh",
        "\"$(git rev-parse --show-toplevel)\"/tools/l.sh", "cd tools && ./l.sh",
        "cd -- tools; sh l.sh", "$ROOT/tools/l.sh", "cd \"$R/tools\" && ./l.sh",
        "git -C tools x l.sh", "\"$R\"/tools/l.sh", "f() { tools/l.sh \"$@\"; }; f"}) {
    Patterns found = alias(command);
    EXPECT_TRUE(std::ranges::find(found, "/tools/l.sh") != found.end()) << command;
  }
  Patterns found = alias("cd later && ./x.sh");
  EXPECT_TRUE(std::ranges::find(found, "/later/x.sh") != found.end());
  EXPECT_EQ(alias("'/usr/bin/env' sh"), Patterns{}) << "an absolute path";
  write(".git/config", "[diff \"x\"]\n\ttextconv = ${GIT_DIR:-.git}/../tools/l.sh\n");
  found = of(top_, "/");
  EXPECT_TRUE(std::ranges::find(found, "/tools/l.sh") != found.end());
}

TEST_F(GitNamedFiles, WhatIsMeantInWorkingTreesThatAreMadeLater) {
  write("home/.gitconfig", "[core]\n\thooksPath = ci/hooks\n[alias]\n\ta = !/usr/bin/x\n");
  write("tree/.git/config",
        "[core]\n\thooksPath = .git/mine\n\tfsmonitor = ./tools/watch\n\tpager = ../up/x\n"
        "[alias]\n\tabsolute = !" +
            top_ + "/tree/tools/x\n");
  std::string tree = top_ + "/tree";
  auto found = files_named_by_git({tree}, {tree + "/.git"}, top_ + "/home");
  ASSERT_TRUE(found) << found.error().what;
  EXPECT_EQ(found->below_tops, Patterns{"ci/hooks/"});
  EXPECT_EQ(found->below_worktrees, Patterns{"tools/watch"});
}

TEST_F(GitNamedFiles, NamesAreWrittenAsPatterns) {
  EXPECT_EQ(named("[core]\n\thooksPath = \"a b/[c]*\"\n"), Patterns{"/a\\ b/\\[c\\]\\*/"});
}

}  // namespace
}  // namespace ringwall::git
