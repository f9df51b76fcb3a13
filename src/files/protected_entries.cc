// The table of protected files. The line: what a program outside runs or obeys because somebody
// enters or opens a folder, or gives an ordinary daily command (git status, npm install, opening an
// editor or an agent), and what is not the source code that the agent is asked to write. A build
// script runs too, but a person who builds means to run the work; left_unprotected() says where
// that leaves out things that look alike.
#include "files/protected.h"
#include "files/protected_content.h"

namespace ringwall::files {
namespace {

constexpr std::string_view kGit = "git";
constexpr std::string_view kHooks = "Git hooks kept in the tree";
constexpr std::string_view kAgents = "Other agents";
constexpr std::string_view kEditors = "Other editors";
constexpr std::string_view kShells = "Shells and the login session";
constexpr std::string_view kNode = "npm, yarn, pnpm and bun";
constexpr std::string_view kBuilds = "Build tools";
constexpr std::string_view kPrompts = "Interpreters and debuggers";
constexpr std::string_view kEntering = "Entering a folder";

// "seen": shown with git 2.39 by planting it and giving the command outside.
constexpr ProtectedEntry kEntries[] = {
    {"GIT/hooks/", kGit, "git commit, checkout, merge, push, ...",
     "a hook written inside ran at the next commit outside: Cursor CVE-2026-26268", true},
    {"GIT/config", kGit, "every git command, also those of prompts, editors and agents",
     "core.fsmonitor ran at git status: GitSpawn, Goose CVE-2026-72718; also pagers, filters, "
     "aliases, hooksPath",
     true},
    {"GIT/config.worktree", kGit, "every git command, once extensions.worktreeConfig is set",
     "the same settings in a second file (seen)", true},
    {"GIT/commondir", kGit, "every git command",
     "leads to the config of a prepared folder (seen at git status); Claude Code CVE-2026-40068 by "
     "the same file",
     true},
    {"GIT/gitdir", kGit, "git worktree", "leads a worktree to another folder", true},
    {"GIT/modules/", kGit, "git status in the repository above",
     "the config of a submodule that was added inside ran (seen); git CVE-2024-32002", true,
     Guard::folders},
    {"GIT/worktrees/", kGit, "git commands in a worktree",
     "its commondir was obeyed (seen); Claude Code CVE-2026-55607", true, Guard::folders},
    {"GIT/rebase-merge/git-rebase-todo", kGit, "git rebase --continue",
     "an exec line ran (seen); git inside writes the same file", true, Guard::vetted},
    {"GIT/rebase-merge/strategy GIT/rebase-merge/strategy_opts GIT/rebase-merge/gpg_sign_opt "
     "GIT/sequencer/opts",
     kGit, "git rebase --continue, git cherry-pick --continue",
     "the name of a merge strategy is that of a program, x/evil ran from the tree; an option of "
     "octopus was run by the shell, one of resolve wrote a file (all seen)",
     true, Guard::vetted},
    {"GIT/rebase-apply/apply-opt", kGit, "git am --continue",
     "--build-fake-ancestor wrote ~/.ssh/authorized_keys (seen)", true, Guard::vetted},
    {"GIT/rebase-merge/msgnum GIT/rebase-merge/end GIT/rebase-apply/next GIT/rebase-apply/last",
     kGit, "entering the folder, where git's own prompt is on",
     "what should be a number ran when the prompt showed it (seen)", true, Guard::vetted},
    {"GIT/index GIT/sharedindex.*", kGit, "git checkout ., git restore ., git stash",
     "git writes whatever path it holds: .git/hooks/post-checkout, which then ran, and ../NAME "
     "above "
     "the workspace, while git status showed nothing (seen)",
     true, Guard::vetted},
    {"GIT/remotes/ GIT/branches/", kGit, "git push, git fetch",
     "the old form of a remote: origin led elsewhere (seen)", true},
    {"GIT/lazygit.yml .lazygit.yml", kGit, "starting lazygit in the folder or below it",
     "settings of the repository and of folders above it, which hold custom commands and pagers",
     true},
    {".git", kGit, "git status in the repository above, and any git command in the folder",
     "a file or link in the place of a git folder, pointing to a prepared one (seen)", true},
    {".gitconfig .config/git/", kGit, "every git command, when the tree is or feeds a home folder",
     "the settings of GIT/config, for all repositories", false},
    {".hg/hgrc .hg/hgrc-not-shared .hg/sharedpath .sl/config .jj/repo .jj/repo/config.toml",
     "Mercurial, Sapling and Jujutsu", "hg status, sl status, jj log",
     "hooks, extensions, pagers and diff tools, as with GIT/config; a file .jj/repo leads to a "
     "prepared repository",
     true},

    {".husky/ .githooks/ .git-hooks/ .lefthook/ .lefthook-local/", kHooks,
     "git commit and push, by core.hooksPath or a manager", "as GIT/hooks/, which only call these",
     false},
    {".huskyrc .huskyrc.json .huskyrc.yml .huskyrc.yaml .huskyrc.js .huskyrc.cjs husky.config.js "
     "husky.config.cjs .overcommit.yml .local-overcommit.yml hk.pkl captainhook.json grumphp.yml "
     "grumphp.yml.dist "
     ".simple-git-hooks.json .simple-git-hooks.js .simple-git-hooks.cjs simple-git-hooks.json "
     "simple-git-hooks.js simple-git-hooks.cjs",
     kHooks, "git commit and push", "names the commands of the hooks", false},
    {".gitlint", kHooks, "git commit, where a hook calls gitlint",
     "names a folder of rules, which are programs", false},
    {".lfsconfig", kHooks, "git push, by git lfs", "names the place that large files go to", false},
    {".pre-commit-config.yaml .pre-commit-config.yml prek.toml", kHooks,
     "git commit, by pre-commit or prek", "names repositories and commands that run", false},
    {"lefthook.yml lefthook.yaml lefthook.toml lefthook.json lefthook.jsonc "
     ".lefthook.yml .lefthook.yaml .lefthook.toml .lefthook.json .lefthook.jsonc "
     "lefthook-local.yml lefthook-local.yaml lefthook-local.toml lefthook-local.json "
     "lefthook-local.jsonc "
     ".lefthook-local.yml .lefthook-local.yaml .lefthook-local.toml .lefthook-local.json "
     ".lefthook-local.jsonc",
     kHooks, "git commit and push, by lefthook", "names the commands of the hooks", false},

    {".lintstagedrc .lintstagedrc.* lint-staged.config.*", kHooks,
     "git commit, where a hook calls lint-staged", "names the commands of the hook", false},
    {".commitlintrc .commitlintrc.* commitlint.config.*", kHooks,
     "git commit, where a hook calls commitlint", "programs and plugins that commitlint loads",
     false},

    {".claude/settings*.json", "Claude Code", "starting Claude Code in the folder",
     "hooks, helpers, env and permission mode: CVE-2026-25725 (the file was absent at the start), "
     "CVE-2025-59536, CVE-2026-21852, CVE-2026-33068",
     false},
    {".mcp.json", "Claude Code", "starting Claude Code or another agent in the folder",
     "names programs to start: CVE-2025-59536", false},
    {".claude/hooks/ .claude/*.sh", "Claude Code", "hooks and status line of the settings",
     "the settings stay and what they call is replaced: Cursor CVE-2026-48124", false},
    {".claude/commands/ .claude/agents/ .claude/skills/ .claude/plugins/", "Claude Code",
     "using the command, agent or skill",
     "they carry shell commands, hooks and granted tools; Anthropic's own sandbox keeps commands "
     "and agents read-only",
     false},
    {".claude/launch.json .claude.json", "Claude Code",
     "starting a preview; starting in a home folder", "names programs to start", false},

    {".claude-plugin/", "Claude Code",
     "adding the folder as a plugin or marketplace, or updating it",
     "names the plugin's hooks and MCP servers", false},

    {".codex/", "Codex", "starting Codex in the folder",
     "config.toml with an MCP command: CVE-2025-61260; also hooks and rules", false},
    {".agents/", "Codex", "using a skill, by Codex, Gemini CLI and others",
     "skills with scripts; Codex keeps it read-only itself", false},
    {".gemini/ .qwen/", "Gemini CLI", "starting Gemini CLI or Qwen Code in the folder",
     "settings were obeyed before any trust: CVE-2026-12537", false},
    {".cursor/*.json", "Cursor", "opening the folder in Cursor, starting its agent",
     "MCP servers (CVE-2025-54135, CVE-2025-54136), hooks, permissions, commands for new worktrees",
     false},
    {".cursor/hooks/ .cursor/commands/ .cursor/agents/ .cursor/skills/ .cursor/plugins/", "Cursor",
     "hooks of hooks.json; using the command, agent or skill",
     "what the settings call is replaced: CVE-2026-48124", false},
    {".github/hooks/ .github/agents/ .github/skills/ .github/copilot/ .github/mcp.json",
     "GitHub Copilot", "starting Copilot in the folder",
     "hooks run commands; agents name MCP servers: the class of CVE-2025-53773", false},
    {".github/lsp.json", "GitHub Copilot", "starting Copilot CLI in the folder",
     "names the commands of language servers; GitHub's documentation has them loaded at the start",
     false},
    {".copilot/", "GitHub Copilot", "starting Copilot with this folder as its home",
     "MCP servers, hooks and permissions", false},
    {"opencode.json opencode.jsonc .opencode/", "opencode", "starting opencode in the folder",
     "MCP and formatter commands; plugins are programs", false},
    {"kilo.json kilo.jsonc .kilo/", kAgents, "kilo mcp list, and starting Kilo in the folder",
     "an MCP command and a plugin ran (both seen)", false},
    {".pi/extensions/ .pi/settings*.json .pi/skills/ .pi/prompts/", kAgents,
     "pi --list-models, and starting pi in the folder", "an extension is a program, and ran (seen)",
     false},
    {".augment/settings*.json .augment/commands/ .augment/skills/", kAgents,
     "starting Auggie in the folder",
     "MCP servers, hooks and a script to start with; commands and skills as with Claude Code",
     false},
    {".amazonq/*.json .amazonq/cli-agents/ .kiro/settings/ .kiro/hooks/ .kiro/agents/", kAgents,
     "opening the folder in Amazon Q or Kiro", "MCP servers: CVE-2026-12957, CVE-2026-12958",
     false},
    {".windsurf/*.json .windsurf/workflows/ .windsurf/hooks/", kAgents,
     "opening the folder in Windsurf", "CVE-2026-30615", false},
    {".roo/mcp.json .clinerules/hooks/ .clinerules/workflows/ .continue/ .junie/mcp/ .factory/ "
     "crush.json .crush.json .aider.conf.yml .goose/ .kilocode/ .amp/ .trae/",
     kAgents, "starting that agent in the folder",
     "MCP servers, hooks, lint and test commands: the class of CVE-2025-54136", false},

    {".openhands/", kAgents, "starting OpenHands on the repository",
     "setup.sh and hooks are shell scripts", false},

    {".vscode/ *.code-workspace", "VS Code", "opening the folder; tasks, terminals, debuggers",
     "settings.json switched approval off: Copilot CVE-2025-53773; tasks.json runs on opening",
     false},
    {".idea/ .run/*.run.xml .fleet/", "JetBrains",
     "opening the folder; file watchers, run configurations",
     "startup tasks and paths of interpreters; peers keep .idea read-only", false},
    {".zed/ .exrc .vimrc .gvimrc .nvimrc .nvim.lua .lvimrc .dir-locals.el .dir-locals-2.el",
     kEditors, "opening a file of the folder",
     "settings that name programs, and scripts of the editor; the class of CVE-2025-53773", false},

    {".helix/ .vim/", kEditors, "opening a file of the folder in Helix, or in Vim with coc.nvim",
     "languages.toml and coc-settings.json name language servers to start; in a home folder .vim/ "
     "holds scripts",
     false},
    {".emacs .emacs.el .emacs.d/ .config/emacs/ .config/nvim/", kEditors,
     "starting Emacs or Neovim, when the tree is or feeds a home folder",
     "scripts of the editor, as with .vimrc", false},
    {".bsp/", kEditors, "opening the folder in Metals or IntelliJ",
     "names the program to start as build server", false},

    {".envrc", kEntering, "cd, by direnv",
     "a shell script; direnv asks again for new content, but not in folders that it was told to "
     "trust",
     false},
    {"mise.toml mise.*.toml .mise.toml .mise.*.toml .miserc.toml .mise/config.toml "
     ".mise/config.*.toml .mise/conf.d/ "
     ".config/mise.toml .config/mise/ mise/config.toml mise/config.*.toml",
     kEntering, "cd, by mise", "hooks, templates and environment; trust is given to the path",
     false},
    {".shadowenv.d/", kEntering, "cd, by shadowenv",
     "sets variables such as PATH; trust is given to the folder", false},
    {".direnv/*.rc .direnv/bin/", kEntering, "cd, by direnv with nix-direnv",
     "the shell code that it keeps for an allowed .envrc was run (seen); bin/ comes first in PATH",
     false},
    {".env", kEntering,
     "cd, by direnv's dotenv in an allowed .envrc and by plugins of shells; mise, docker compose",
     "PATH and GIT_SSH_COMMAND out of it ran programs of the tree, and $( ) in it a command (both "
     "seen); applications write it all day",
     false, Guard::content, judge_env},
    {".tool-versions", kEntering, "cd, by mise and asdf",
     "a version path:FOLDER put programs of the tree before those of the system, and git ran from "
     "there (seen)",
     false, Guard::content, judge_tool_versions},
    {".prototools", kEntering, "cd, by proto",
     "sets variables, and names plugins, which say where a tool's program lies", false},
    {".autoenv .autoenv.leave .autoenv.zsh .autoenv_leave.zsh", kEntering,
     "cd, by autoenv or zsh-autoenv", "shell scripts; both ask again for new content", false},
    {"rust-toolchain rust-toolchain.toml", kEntering,
     "cargo and rustc, also by prompts and editors",
     "its path key makes any folder the toolchain whose programs run", false},

    {".npmrc", kNode, "npm, pnpm and bun, any command",
     "registry, script-shell and git name what is fetched and run", false},
    {".yarnrc .yarnrc.yml .yarn/plugins/ .yarn/releases/ .yarn/sdks/", kNode,
     "yarn, even --version",
     "yarnPath and plugins ran before any trust: Claude Code CVE-2025-59828, CVE-2025-65099",
     false},
    {".pnpmfile.cjs .pnpmfile.mjs pnpmfile.js", kNode, "pnpm install, add, remove",
     "a program that pnpm loads", false},
    {"pnpm-workspace.yaml", kNode, "pnpm, any command",
     "pnpmfile named a program, which ran at pnpm list (seen); configDependencies, scriptShell and "
     "registries are settings in it too",
     false, Guard::content, judge_pnpm_workspace},
    {".corepack.env", kNode, "yarn and pnpm by corepack, even --version",
     "names the registry that the package manager is fetched from, and switches its check off "
     "(seen)",
     false},
    {"bunfig.toml .bunfig.toml", kNode, "bun, any command", "preload names programs", false},

    {".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv "
     ".zprofile .zlogin .zlogout "
     ".kshrc .mkshrc .cshrc .tcshrc .login .logout .config/fish/",
     kShells, "starting a shell, when the tree is or feeds a home folder",
     "Claude Code CVE-2026-55607 ended in ~/.zshenv; peers keep them read-only", false},
    {".xprofile .xinitrc .xsession .xsessionrc .pam_environment .config/autostart/ "
     ".config/systemd/ .config/environment.d/",
     kShells, "logging in, when the tree is or feeds a home folder",
     "the usual places to stay on a host", false},
    {".tmux.conf .config/tmux/", kShells, "tmux, when the tree is or feeds a home folder",
     "run-shell and default-command name programs", false},
    {".ssh/ .gnupg/", kShells, "ssh and gpg, when the tree is or feeds a home folder",
     "ProxyCommand, authorized keys, programs of the agent", false},

    {".devcontainer/ .devcontainer.json", "Dev containers", "opening the folder in a container",
     "initializeCommand runs on the host; mounts name its folders", false},
    {".cargo/config .cargo/config.toml", kBuilds, "cargo, any command, also by editors",
     "wrapper, linker and runner name programs; no build is needed", false},
    {"gradle/wrapper/ .mvn/", kBuilds, "gradlew, mvnw, and importing the project in an editor",
     "the wrapper downloads and runs what its properties say", false},
    {".bazelrc .bazelversion .bazeliskrc tools/bazel", kBuilds, "bazel, any command",
     "names the bazel to fetch, and programs to run in its place", false},
    {".poetry/plugins/ .pdm-plugins/", kBuilds, "poetry and pdm, any command",
     "plugins of the project, which are loaded before the command is looked at", false},
    {".latexmkrc latexmkrc", kBuilds, "latexmk, also by editors when a file is saved",
     "Perl that is read from the current folder", false},
    {".irbrc irb.rc _irbrc $irbrc .pryrc .pdbrc .Rprofile .octaverc .gdbinit .lldbinit", kPrompts,
     "starting irb, pry, pdb, R, octave, gdb or lldb in the folder",
     "scripts that are read from the current folder", false},
    {".perldb .byebugrc .ghci .iex.exs .ocamlinit", kPrompts,
     "starting perl -d, byebug, ghci, iex or ocaml in the folder",
     "scripts that are read from the current folder", false},
    {".Renviron", kPrompts, "starting R in the folder",
     "sets variables, R_PROFILE_USER among them, which names a script", false},
    {".RData", kPrompts, "starting R in the folder",
     "the saved workspace is loaded, and its .First runs (seen)", false},
    {".psysh.php", kPrompts, "starting psysh or artisan tinker in the folder",
     "PHP that is loaded as the settings of the project", false},
    {".rdbgrc .rdbgrc.rb", kPrompts,
     "starting Ruby's debugger, when the tree is or feeds a home folder",
     "commands of the debugger, and Ruby", false},

    {".ringwall.toml", "Ringwall", "the next run of Ringwall",
     "an agent that writes its own policy", true},
};

constexpr LeftOut kLeftOut[] = {
    {"package.json, Makefile, Cargo.toml, build.rs, conftest.py, Gemfile, justfile, "
     "CMakeLists.txt, gradlew, mvnw",
     "they are the work itself; whoever builds or tests means to run it: review first, or build "
     "inside"},
    {"configuration of linters and test runners (.eslintrc.js, .pylintrc, pyproject.toml)",
     "source that agents are asked to write; editors run it only in trusted folders"},
    {"node_modules, .venv, vendor and other folders of packages, .pnp.cjs",
     "installing writes all of it; it runs when the work is run"},
    {"CLAUDE.md, AGENTS.md, GEMINI.md, .cursorrules, .cursor/rules/, .github/instructions/",
     "text for a model, which its agent still guards; agents write it all the time"},
    {".github/workflows/, .gitlab-ci.yml, .circleci/", "runs elsewhere, after a push and a review"},
    {".gitmodules, .gitattributes",
     "git submodule add writes the first; neither runs anything without GIT/config"},
    {"GIT/info/attributes, GIT/sequencer/todo",
     "tried: the first runs nothing alone, the second takes no exec line"},
    {".nvmrc, .node-version, .python-version, .ruby-version, go.mod",
     "they choose a version among installed or published ones"},
    {".env.local, .env.production and the like",
     "frameworks read them, and take what is theirs; .env alone is what a cd reads"},
    {"Dockerfile, compose.yaml, Vagrantfile, flake.nix, devbox.json",
     "run when they are asked for by name"},
};

}  // namespace

std::span<const ProtectedEntry> protected_entries() { return kEntries; }
std::span<const LeftOut> left_unprotected() { return kLeftOut; }

}  // namespace ringwall::files
