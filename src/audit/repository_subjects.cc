#include "audit/repository_subjects.h"

#include "base/text.h"

namespace ringwall::audit {
namespace {

constexpr size_t kSettings = 4u << 20;
constexpr size_t kText = 1u << 20;
constexpr size_t kLock = 16u << 20;
constexpr size_t kData = 4u << 20;

// Makefile, LICENSE, CODEOWNERS, bin/tool: they have no ending to be told by.
constexpr Subject kNameless{"", check_characters, kData, ""};

constexpr Subject kSubjects[] = {
    {".claude/settings*.json .claude.json .claude/launch.json .mcp.json .claude-plugin/*.json "
     ".claude/hooks/hooks.json hooks/hooks.json .cursor/*.json .vscode/mcp.json "
     ".gemini/settings.json .qwen/settings.json gemini-extension.json .codex/hooks.json "
     "opencode.json opencode.jsonc .amazonq/*.json .amazonq/cli-agents/*.json "
     ".kiro/settings/*.json .kiro/agents/*.json .windsurf/*.json .roo/mcp.json "
     ".github/hooks/*.json .github/mcp.json .github/copilot/*.json .junie/mcp/*.json crush.json "
     ".crush.json .zed/settings.json .kilocode/*.json .factory/*.json .trae/*.json .amp/*.json "
     ".continue/config.json .continue/mcpServers/*.json .continuerc.json",
     check_agent_json, kSettings, "RW216", false, true},
    {".codex/config.toml .codex/*.config.toml", check_agent_toml, kSettings, "RW216", false, true},
    {".claude/commands/**/*.md .claude/skills/**/*.md .claude/agents/**/*.md "
     ".agents/skills/**/*.md .github/skills/**/*.md .github/prompts/*.md .cursor/commands/**/*.md "
     ".opencode/command/**/*.md .opencode/commands/**/*.md .opencode/agent/**/*.md "
     ".github/agents/*.md .github/chatmodes/*.md .gemini/agents/*.md SKILL.md",
     check_agent_command, kText, "RW216", false, true},
    {".opencode/plugin/*.js .opencode/plugin/*.ts .opencode/plugins/*.js .opencode/plugins/*.ts "
     ".opencode/tool/*.ts .opencode/tool/*.js .pi/extensions/*.ts",
     check_agent_plugin, kText, "RW216", false, true},
    {".gemini/commands/**/*.toml .qwen/commands/**/*.toml", check_gemini_command, kText, "RW216",
     false, true},
    {".codex/rules/*.rules", check_codex_rules, kText, "RW216", false, true},
    {".clinerules/hooks/*", check_hook_program, kText, "RW216", false, true},
    {".cursor/environment.json .cursor/worktrees.json", check_agent_setup, kText, "RW216", false,
     true},
    {".aider.conf.yml", check_aider, kText, "RW216", false, true},
    {".continue/config.yaml .continue/mcpServers/*.yaml .continue/assistants/*.yaml "
     ".continue/agents/*.yaml",
     check_agent_yaml, kText, "RW216", false, true},
    {".lsp.json", check_language_servers, kText, "RW216", false, true},
    {".env .env.local .env.development .env.production", check_variables, kText},
    {"CLAUDE.md CLAUDE.local.md AGENTS.md AGENTS.override.md AGENT.md GEMINI.md QWEN.md CRUSH.md "
     ".cursorrules .windsurfrules .clinerules .goosehints .roorules .rules "
     ".github/copilot-instructions.md .github/instructions/**/*.md .continue/rules/**/*.md "
     ".cursor/rules/**/*.mdc .cursor/rules/**/*.md .windsurf/rules/**/*.md .clinerules/**/*.md "
     ".roo/rules/**/*.md .kiro/steering/**/*.md .claude/rules/**/*.md .claude/CLAUDE.md "
     ".junie/guidelines.md .amazonq/rules/**/*.md llms.txt llms-full.txt",
     check_instructions, kText, "RW216", false, true},
    {"*.md *.mdx *.rst *.adoc *.html *.htm *.txt *.svg README CONTRIBUTING", check_text, kText, "",
     true},
    {"*.c *.h *.cc *.cpp *.hpp *.cs *.go *.java *.js *.jsx *.ts *.tsx *.mjs *.cjs *.kt *.php *.py "
     "*.rb *.rs *.scala *.sh *.sol *.sql *.swift *.vue *.svelte *.lua *.pl *.dart *.ex *.zig",
     check_source, kText, ""},
    {"*.json *.jsonc *.json5 *.yml *.yaml *.toml *.ipynb *.xml *.csv *.tsv *.po *.org *.tex *.log "
     "*.tf *.proto *.patch *.diff *.ps1 *.bat *.cmd *.ini *.cfg *.conf *.properties *.gradle "
     "*.cmake "
     "*.mk *.nix *.graphql *.css *.scss *.j2 *.tmpl *.mdc *.prompt *.snap *.bash *.zsh *.fish "
     "Dockerfile.* .env .env.* .envrc .npmrc .editorconfig .gitattributes .gitignore .dockerignore",
     check_characters, kData, ""},
    {"*.docx *.docm *.odt *.odp *.ods *.pptx *.pptm *.xlsx *.xlsm", check_document, 32u << 20,
     "RW228"},

    {".gitmodules", check_git_modules, kText, "RW246"},

    {".vscode/settings.json *.code-workspace", check_editor_json},
    {".vscode/tasks.json", check_editor_tasks},
    {".exrc .vimrc .nvimrc .nvim.lua .lvimrc .dir-locals.el .dir-locals-2.el .idea/startup.xml "
     ".idea/workspace.xml .helix/languages.toml .vim/coc-settings.json",
     check_editor_script, kText},
    {".devcontainer/devcontainer.json .devcontainer.json .devcontainer/*/devcontainer.json",
     check_devcontainer},
    {".envrc", check_entering, kText},
    {"mise.toml .mise.toml mise.local.toml .config/mise.toml .mise/config.toml",
     check_entering_toml, kText},

    {"package.json", check_package_json},
    {"package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock poetry.lock uv.lock "
     "pdm.lock Pipfile.lock Cargo.lock Gemfile.lock composer.lock flake.lock "
     "gradle-wrapper.properties maven-wrapper.properties",
     check_lock_file, kLock, ""},
    {"requirements*.txt constraints*.txt requirements/*.txt", check_requirements, kText, ""},
    {"go.mod", check_go_mod, kText, ""},
    {".yarnrc", check_yarn1_rc, kText},
    {".pnpmfile.cjs .pnpmfile.mjs .mvn/extensions.xml", check_loaded_program, kText, ""},
    {".mvn/jvm.config .mvn/maven.config gradle.properties", check_java_options, kText, ""},
    {"rust-toolchain rust-toolchain.toml", check_rust_toolchain, kText, ""},
    {"bunfig.toml .bunfig.toml", check_bunfig, kText},
    {".pre-commit-config.yaml lefthook.yml lefthook.yaml .lefthook.yml", check_hook_commands, kText,
     ""},
    {".npmrc .pip/pip.conf pip.conf pip.ini .pypirc", check_package_rc, kText},
    {".yarnrc.yml", check_yarn_rc, kText},
    {".cargo/config.toml .cargo/config", check_cargo_config, kText},
    {"sitecustomize.py usercustomize.py *.pth", check_python_start, kText, ""},
    {"setup.py binding.gyp build.rs conftest.py .pnp.cjs", check_build_script, kText, ""},
    {".husky/pre-commit .husky/pre-push .husky/commit-msg .husky/post-merge .husky/post-checkout "
     ".husky/prepare-commit-msg .githooks/pre-commit .githooks/post-checkout .githooks/post-merge",
     check_build_script, kText, ""},

    {".github/workflows/*.yml .github/workflows/*.yaml .github/actions/**/action.yml "
     "action.yml action.yaml",
     check_workflow},
    {".gitlab-ci.yml .gitlab-ci.yaml .gitlab/ci/*.yml .gitlab/duo/flows/*.yaml", check_gitlab},
};

}  // namespace

std::span<const Subject> repository_subjects() { return kSubjects; }

const Subject* subject_without_ending(std::string_view path) {
  return files::last_name(path).contains('.') ? nullptr : &kNameless;
}

SubjectNames::SubjectNames() {
  for (const Subject& subject : kSubjects) {
    for (std::string_view pattern : text::split_in_place(subject.patterns, ' ')) {
      names_.add(files::NamePattern::parse_table(pattern));
      subject_of_.push_back(&subject);
    }
  }
}

}  // namespace ringwall::audit
