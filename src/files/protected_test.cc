#include "files/protected.h"

#include <gtest/gtest.h>

#include <set>

#include "base/text.h"

namespace ringwall::files {
namespace {

using Texts = std::vector<std::string>;

ProtectedNames names(const Texts& protect = {}, const Texts& unprotect = {}) {
  auto compiled = ProtectedNames::compile(protect, unprotect);
  EXPECT_TRUE(compiled) << compiled.error().text();
  return *compiled;
}

// Patterns of a table are not rewritten.
bool is_read_as_written(const std::string& pattern) {
  auto checked = NamePattern::parse(pattern);
  return checked && checked->parts() == NamePattern::parse_table(pattern).parts();
}

std::string refusal(const Texts& protect, const Texts& unprotect) {
  auto compiled = ProtectedNames::compile(protect, unprotect);
  return compiled ? "" : compiled.error().what + " (" + compiled.error().hint + ")";
}

std::string match(const ProtectedNames& table, std::string_view path, bool is_folder = false) {
  auto pattern = table.match(path, is_folder);
  if (pattern) {
    EXPECT_TRUE(table.may_match(path.substr(path.rfind('/') + 1))) << path;
  }
  return std::string(pattern.value_or(""));
}

std::string match_link(const ProtectedNames& table, std::string_view path) {
  auto pattern = table.match_link(path);
  if (pattern) {
    EXPECT_TRUE(table.may_match(path.substr(path.rfind('/') + 1))) << path;
  }
  return std::string(pattern.value_or(""));
}

}  // namespace

TEST(ProtectedEntries, EachHasAReasonAndPatternsThatAreRead) {
  std::set<std::string> seen;
  for (const ProtectedEntry& entry : protected_entries()) {
    EXPECT_FALSE(entry.owner.empty() || entry.runs.empty() || entry.attack.empty())
        << entry.patterns;
    for (const std::string& pattern : text::split(entry.patterns, ' ')) {
      EXPECT_TRUE(is_read_as_written(pattern)) << "'" << pattern << "'";
      EXPECT_TRUE(seen.insert(pattern).second) << pattern << " is there twice";
      bool outside = !pattern.starts_with("GIT/");
      EXPECT_TRUE(outside ? entry.guard == Guard::mount || entry.guard == Guard::content
                          : entry.in_packages)
          << pattern;
      EXPECT_EQ(entry.guard == Guard::content, entry.judge != nullptr) << pattern;
    }
  }
  for (const LeftOut& left : left_unprotected())
    EXPECT_FALSE(left.what.empty() || left.why.empty());
}

TEST(ProtectedNames, WhatRunsLaterIsFoundAtAnyDepth) {
  ProtectedNames table = names();
  EXPECT_EQ(match(table, ".mcp.json"), ".mcp.json");
  EXPECT_EQ(match(table, "a/b/.mcp.json"), ".mcp.json");
  EXPECT_EQ(match(table, ".claude/settings.json"), ".claude/settings*.json");
  EXPECT_EQ(match(table, ".claude/settings.local.json"), ".claude/settings*.json");
  EXPECT_EQ(match(table, "sub/.claude/commands", true), ".claude/commands/");
  EXPECT_EQ(match(table, ".vscode", true), ".vscode/");
  EXPECT_EQ(match(table, "x.code-workspace"), "*.code-workspace");
  EXPECT_EQ(match(table, ".cursor/mcp.json"), ".cursor/*.json");
  EXPECT_EQ(match(table, ".github/hooks", true), ".github/hooks/");
  EXPECT_EQ(match(table, "android/gradle/wrapper", true), "gradle/wrapper/");
  EXPECT_EQ(match(table, ".cargo/config.toml"), ".cargo/config.toml");
  EXPECT_EQ(match(table, "mise.local.toml"), "mise.*.toml");
  for (const char* name :
       {".envrc", ".npmrc", ".yarnrc.yml", ".pnpmfile.cjs", "bunfig.toml", ".bashrc", ".zshenv",
        ".profile", ".bazelrc", "lefthook.yml", ".pre-commit-config.yaml", ".devcontainer.json",
        ".ringwall.toml", "opencode.json"})
    EXPECT_NE(match(table, name), "") << name;
  for (const char* name :
       {".perldb", ".byebugrc", ".ghci", ".iex.exs", ".ocamlinit", ".Renviron", ".rdbgrc",
        ".latexmkrc", "a/.lintstagedrc.mjs", "lint-staged.config.js", ".commitlintrc.cjs",
        "commitlint.config.ts", ".autoenv.zsh", ".hg/hgrc-not-shared", "b/.jj/repo"})
    EXPECT_NE(match(table, name), "") << name;
  EXPECT_EQ(match(table, ".jj/repo", true), "");
  for (const char* name : {".helix", ".vim", ".bsp", ".shadowenv.d", ".kilocode", ".amp", ".trae",
                           ".openhands", ".claude-plugin"})
    EXPECT_NE(match(table, name, true), "") << name;
  for (const char* name : {".husky", ".idea", ".codex", ".gemini", ".opencode", ".devcontainer"})
    EXPECT_NE(match(table, name, true), "") << name;
}

TEST(ProtectedNames, OrdinaryWorkIsNotTouched) {
  ProtectedNames table = names();
  for (const char* path : {"package.json",
                           "Makefile",
                           "Cargo.toml",
                           "src/settings.json",
                           "CLAUDE.md",
                           "AGENTS.md",
                           ".claude/CLAUDE.md",
                           ".cursorrules",
                           ".cursor/rules/style.mdc",
                           ".github/workflows/ci.yml",
                           ".gitignore",
                           ".gitmodules",
                           "config",
                           "hooks/useThing.ts",
                           "src/hooks/index.ts",
                           "gradlew",
                           ".nvmrc",
                           "pyproject.toml",
                           "tsconfig.json",
                           "lefthook.go",
                           "bin/bazel",
                           "node_modules/.bin/tsc",
                           ".claude/worktrees/x/README.md"})
    EXPECT_EQ(match(table, path), "") << path;
  for (const char* path : {"src", "hooks", ".github", ".claude", ".claude/worktrees", ".git",
                           ".cursor/rules", "gradle", "tools/bazel", ".envrc"})
    EXPECT_EQ(match(table, path, true), "") << path;
  for (const char* name : {"Cargo.toml", "index.ts", "main.cc", "README.md", "src", "lib"})
    EXPECT_FALSE(table.may_match(name)) << name;
}

TEST(ProtectedNames, WhatOrdinaryWorkWritesIsJudgedByContent) {
  ProtectedNames table = names();
  for (const char* path : {".env", "a/.env", ".tool-versions", "pnpm-workspace.yaml"}) {
    std::string pattern = match(table, path);
    EXPECT_TRUE(table.is_by_content(pattern)) << path;
  }
  EXPECT_EQ(table.judge(".env", "A=b\n"), "");
  EXPECT_NE(table.judge(".env", "PATH=/x\n"), "");
  EXPECT_FALSE(table.is_by_content(".envrc"));
  EXPECT_EQ(match(table, ".env.local"), "");
  ProtectedNames by_person = names({".env"});
  EXPECT_EQ(match(by_person, "a/.env"), ".env");
  EXPECT_FALSE(by_person.is_by_content(".env")) << "the person protects it whatever it says";
  ProtectedNames at_top = names({"/sub/.env"});
  EXPECT_EQ(match(at_top, "sub/.env"), "/sub/.env");
  EXPECT_EQ(match(names({}, {".env"}), ".env"), "");
}

TEST(ProtectedNames, WhatStartsAlone) {
  ProtectedNames table = names();
  for (const char* path :
       {"mise/config.toml", ".direnv/flake-profile.rc", ".RData", "irb.rc", "_irbrc", "$irbrc",
        "kilo.json", ".pi/settings.json", ".corepack.env", ".github/lsp.json", ".lazygit.yml",
        ".git/lazygit.yml", "prek.toml", ".psysh.php", ".gvimrc", ".prototools",
        ".local-overcommit.yml", ".augment/settings.json", ".tmux.conf"})
    EXPECT_NE(match(table, path), "") << path;
  for (const char* path : {".kilo", ".pi/extensions", ".poetry/plugins", ".pdm-plugins",
                           ".config/nvim", ".emacs.d", ".direnv/bin"})
    EXPECT_NE(match(table, path, true), "") << path;
  for (const char* path : {"mise/tasks.toml", ".direnv/python-3.11", "global.json", "irb.rb",
                           ".pi/notes.md", "lsp.json", "data.RData.txt"})
    EXPECT_EQ(match(table, path), "") << path;
}

TEST(ProtectedNames, PackagesBringTheirAuthorsSettingsButNoRepository) {
  ProtectedNames table = names();
  EXPECT_EQ(match(table, "node_modules/x/.vscode", true), "");
  EXPECT_EQ(match(table, "a/node_modules/x/.npmrc"), "");
  EXPECT_EQ(match(table, "vendor/x/.pre-commit-config.yaml"), "");
  EXPECT_EQ(match(table, ".venv/lib/x/.mcp.json"), "");
  EXPECT_EQ(match(table, "go/pkg/mod/x/.envrc"), "");
  EXPECT_NE(match(table, "my_node_modules/x/.npmrc"), "");
  EXPECT_NE(match(table, "vendored/x/.npmrc"), "");
  EXPECT_EQ(match(table, "node_modules/x/.git"), ".git");
  EXPECT_EQ(match(table, "node_modules/x/.git/config"), "GIT/config");
  EXPECT_EQ(match(names({".x"}), "node_modules/.x"), ".x");  // what the person wrote
}

TEST(ProtectedNames, GitFoldersAreKnownByTheirName) {
  ProtectedNames table = names();
  EXPECT_EQ(match(table, ".git/config"), "GIT/config");
  EXPECT_EQ(match(table, ".git/hooks", true), "GIT/hooks/");
  EXPECT_EQ(match(table, "sub/.GIT/Config"), "GIT/config");
  EXPECT_EQ(match(table, ".git/commondir"), "GIT/commondir");
  EXPECT_EQ(match(table, ".git/worktrees/x/commondir"), "GIT/commondir");
  EXPECT_EQ(match(table, ".git/worktrees/x/config.worktree"), "GIT/config.worktree");
  EXPECT_EQ(match(table, ".git/modules/x/config"), "GIT/config");
  EXPECT_EQ(match(table, ".git/modules/lib/x/hooks", true), "GIT/hooks/");
  EXPECT_EQ(match(table, ".git/modules/a/modules/b/config"), "GIT/config");
  EXPECT_EQ(match(table, "sub/.git"), ".git");
  EXPECT_EQ(match(table, "x/.git/.git/config"), "GIT/config");  // a worktree called .git
}

TEST(ProtectedNames, GitsOwnWorkIsNotTouched) {
  ProtectedNames table = names();
  for (const char* path :
       {".git/HEAD", ".git/index", ".git/config.lock", ".git/refs/heads/config",
        ".git/refs/heads/mise.toml", ".git/logs/refs/heads/lefthook.yml", ".git/info/exclude",
        ".git/modules/x/refs/heads/config", ".git/modules/x/HEAD", ".git/worktrees/x/HEAD",
        ".git/rebase-merge/git-rebase-todo", ".git/objects/aa/config"})
    EXPECT_EQ(match(table, path), "") << path;
  EXPECT_EQ(match(table, ".git/modules", true), "");
  EXPECT_EQ(match(table, ".git/worktrees", true), "");
  EXPECT_NE(match(table, ".git/my-worktrees/x/.mcp.json"), "");
  EXPECT_NE(match(table, ".git/info/.envrc"), "");
  EXPECT_NE(match(table, ".git/rebase-merge/.dir-locals.el"), "");
}

TEST(ProtectedNames, EntriesOfAGitFolderSayHowTheyAreKept) {
  ProtectedNames table = names();
  EXPECT_EQ(table.match_in_git("config", false)->guard, Guard::mount);
  EXPECT_EQ(table.match_in_git("hooks", true)->pattern, "GIT/hooks/");
  EXPECT_EQ(table.match_in_git("modules", true)->guard, Guard::folders);
  EXPECT_EQ(table.match_in_git("rebase-merge/git-rebase-todo", false)->guard, Guard::vetted);
  EXPECT_EQ(table.match_in_git("refs/heads/config", false), nullptr);
  EXPECT_EQ(table.match_in_git("config", true), nullptr);
  EXPECT_GE(table.git_entries().size(), 8u);
}

TEST(ProtectedNames, AFolderThatGitWouldTakeForItsOwn) {
  EXPECT_TRUE(is_git_layout(true, true, true, false));
  EXPECT_TRUE(is_git_layout(true, false, false, true));
  EXPECT_FALSE(is_git_layout(true, true, false, false));
  EXPECT_FALSE(is_git_layout(false, true, true, true));
}

TEST(ProtectedNames, ALinkInThePlaceOfAFolderIsFound) {
  ProtectedNames table = names();
  EXPECT_EQ(match(table, ".vscode"), ".vscode/");
  EXPECT_EQ(match(table, ".claude"), "");
  EXPECT_NE(match_link(table, ".claude"), "");
  EXPECT_NE(match_link(table, "sub/.github"), "");
  EXPECT_NE(match_link(table, ".git"), "");
  EXPECT_NE(match_link(table, ".git/hooks"), "");
  EXPECT_NE(match_link(table, ".git/modules"), "");
  EXPECT_NE(match_link(table, ".git/rebase-merge"), "");
  EXPECT_NE(match_link(table, ".git/rebase-merge/git-rebase-todo"), "");
  EXPECT_EQ(match_link(table, ".git/refs"), "");
  EXPECT_EQ(match_link(table, "node_modules/.bin/x"), "");
  EXPECT_EQ(match_link(table, "src/current"), "");
  EXPECT_EQ(match_link(names({}, {".claude/"}), ".claude"), "");
}

TEST(ProtectedNames, ThePersonAddsNames) {
  ProtectedNames table = names({".tool/", "/ci.sh", "GIT/info/"});
  EXPECT_EQ(match(table, "a/.tool", true), ".tool/");
  EXPECT_EQ(match(table, "ci.sh"), "/ci.sh");
  EXPECT_EQ(match(table, "a/ci.sh"), "");
  EXPECT_EQ(match(table, ".git/info", true), "GIT/info/");
  EXPECT_NE(refusal({"a//b"}, {}).find("files.protect a//b has an empty part"), std::string::npos);
}

TEST(ProtectedNames, ThePersonsNamesMeanWhatTheyMeanToGit) {
  ProtectedNames table = names({"plain", "a/**/deep", "/top/*.rc", "GIT/lfs", "v[0-9]?"});
  EXPECT_EQ(match(table, "x/plain"), "plain");
  EXPECT_EQ(match(table, "x/plain", true), "plain");
  EXPECT_EQ(match(table, "a/b/c/deep", true), "a/**/deep");
  EXPECT_EQ(match(table, "b/a/deep"), "");
  EXPECT_EQ(match(table, ".git/lfs", true), "GIT/lfs");
  EXPECT_EQ(match(table, ".git/lfs"), "GIT/lfs");
  EXPECT_EQ(match(table, "V7x"), "v[0-9]?");
  // A link in the place of a folder that is named, but not of any folder on the way.
  EXPECT_EQ(match_link(table, "a"), "a/**/deep");
  EXPECT_EQ(match_link(table, "top"), "/top/*.rc");
  EXPECT_EQ(match_link(table, "a/b"), "");
  EXPECT_EQ(match_link(table, "x/top"), "");
  EXPECT_NE(refusal({"GIT/**/x"}, {}).find("files.protect 'GIT/**/x' has '**'"), std::string::npos);
}

TEST(ProtectedNames, ThePersonTakesNamesOut) {
  EXPECT_EQ(match(names({}, {".vscode/"}), "a/.vscode", true), "");
  EXPECT_EQ(match(names({}, {".vscode"}), ".vscode", true), "");
  EXPECT_EQ(match(names({}, {"/.envrc"}), ".envrc"), "");
  EXPECT_NE(match(names({}, {"/.envrc"}), "a/.envrc"), "");
  EXPECT_EQ(match(names({}, {".git/hooks/"}), ".git/hooks", true), "");
  EXPECT_NE(match(names({}, {".git/hooks/"}), "x/.git/hooks", true), "");
  EXPECT_EQ(match(names({}, {"GIT/hooks/"}), "x/.git/hooks", true), "");
  EXPECT_NE(match(names({}, {"GIT/hooks/"}), "x/.git/config"), "");
  EXPECT_EQ(match(names({}, {".claude/settings.local.json"}), ".claude/settings.local.json"), "");
  EXPECT_NE(match(names({}, {".claude/settings.local.json"}), ".claude/settings.json"), "");
  EXPECT_NE(match(names({}, {".claude/settings.json"}), "x/.claude/settings.json"), "");
  EXPECT_EQ(match(names({}, {"**/.claude/settings.json"}), "x/.claude/settings.json"), "");
}

TEST(ProtectedNames, AWholeFolderCanBeTakenOut) {
  ProtectedNames table = names({}, {"tests/fixtures/"});
  EXPECT_EQ(match(table, "tests/fixtures/a/.mcp.json"), "");
  EXPECT_EQ(match(table, "tests/fixtures/a/.git/config"), "");
  EXPECT_TRUE(table.is_unprotected("tests/fixtures/a/.git"));
  EXPECT_NE(match(table, "tests/.mcp.json"), "");
}

TEST(ProtectedNames, WhatCannotBeTakenOutIsSaid) {
  EXPECT_NE(refusal({}, {".npmr"}).find("did you mean .npmrc?"), std::string::npos);
  EXPECT_NE(refusal({}, {".hg/hgr"}).find("did you mean **/.hg/hgrc?"), std::string::npos);
  EXPECT_NE(refusal({}, {"README.md"}).find("is not protected"), std::string::npos);
  EXPECT_NE(refusal({}, {".vscode/settings.json"}).find("unprotect .vscode/"), std::string::npos);
  EXPECT_NE(refusal({"mine"}, {"mine/x/"}).find("lies in mine, which is protected as a whole"),
            std::string::npos);
  EXPECT_NE(refusal({}, {".git/hooks/pre-commit"}).find("GIT/hooks/"), std::string::npos);
  EXPECT_NE(refusal({}, {"GIT/nothing"}).find("GIT/hooks/, GIT/config"), std::string::npos);
  EXPECT_NE(refusal({}, {"a/../b"}).find("files.unprotect"), std::string::npos);
  EXPECT_EQ(refusal({}, {"*"}), "");
}

TEST(ProtectedNames, TheFingerprintFollowsTheRules) {
  std::set<std::string> prints = {names().fingerprint(), names({".x"}).fingerprint(),
                                  names({}, {".envrc"}).fingerprint(),
                                  names({}, {"GIT/hooks/"}).fingerprint()};
  EXPECT_EQ(prints.size(), 4u);
  EXPECT_EQ(names().fingerprint(), names().fingerprint());
}

TEST(ProtectedNames, HostileNamesAreOnlyNames) {
  ProtectedNames table = names();
  std::string long_name(4000, 'a');
  for (const std::string& path :
       {std::string(""), std::string("/"), std::string("//"), long_name, std::string("a\n\x1b[0m"),
        std::string("\xff\xfe"), std::string(".git/"), std::string(".git//config"),
        std::string(2000, '/'), std::string(".git/modules/"), std::string(".git/modules")}) {
    EXPECT_EQ(match(table, path), "") << path;
    table.match_link(path);
    table.may_match(path);
  }
}

}  // namespace ringwall::files
