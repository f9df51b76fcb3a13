// The table of what is run later by its name.
#include "review/runs_outside.h"

namespace ringwall::review {
namespace {

constexpr LaterEntry kEntries[] = {
    {"hooks/ git-hooks/ githooks/ hooks.d/ *-hooks/", "a hook: run by whoever the folder serves"},
    {".github/workflows/ .github/actions/ action.yml action.yaml",
     "GitHub runs it after a push, with the repository's secrets"},
    {".gitlab-ci.yml *.gitlab-ci.yml .gitlab/ .gitlab-ci/",
     "GitLab runs it after a push, with its secrets"},
    {".gitea/workflows/ .forgejo/workflows/", "Gitea or Forgejo runs it after a push"},
    {".circleci/ .travis.yml .appveyor.* appveyor.yml appveyor.yaml .cirrus.* .drone.* "
     ".woodpecker.* .woodpecker/ .buildkite/ .semaphore/ azure-pipelines* .azure-pipelines/ "
     ".azuredevops/ .tekton/ .harness/ bitbucket-pipelines.yml buildspec.yml buildspec.yaml "
     "cloudbuild.yaml cloudbuild.yml .build.yml .builds/ codemagic.yaml bitrise.yml .teamcity/ "
     "wercker.yml ci_scripts/ .goreleaser.* .mergify.yml Jenkinsfile *.jenkinsfile",
     "a build server runs it after a push, with its secrets"},
    {"netlify.toml vercel.json firebase.json serverless.yml wrangler.toml fly.toml",
     "a deployment builds and runs by it"},
    {".github/dependabot.yml .github/dependabot.yaml renovate.json renovate.json5 .renovaterc "
     ".renovaterc.json",
     "names what a server brings into the repository by itself"},
    {"Makefile makefile GNUmakefile BSDmakefile *.mk *.mak Makefile.* Makefile.am", "make runs it"},
    {"CMakeLists.txt *.cmake CMakePresets.json CMakeUserPresets.json",
     "cmake runs it, also when an editor opens the folder"},
    {"meson.build meson_options.txt meson.options", "meson runs it"},
    {"configure configure.ac configure.in autogen.sh bootstrap.sh *.m4 *.ninja",
     "a build from source runs it"},
    {"BUILD BUILD.bazel WORKSPACE WORKSPACE.bazel MODULE.bazel .bazelrc *.bzl BUCK BUILD.gn .gn "
     "DEPS Kbuild",
     "bazel, buck, gn or the kernel's make runs it"},
    {"justfile Justfile .justfile *.just", "just runs it"},
    {"Taskfile.yml Taskfile.yaml taskfile.yml", "task runs it"},
    {"Rakefile rakefile *.rake Gemfile *.gemspec Guardfile Capfile Fastfile Vagrantfile Podfile "
     "Dangerfile Brewfile Thorfile config.ru .rspec .rubocop.yml",
     "ruby runs it: rake, bundle install and their like"},
    {"setup.py setup.cfg conftest.py noxfile.py tox.ini tasks.py fabfile.py dodo.py SConstruct "
     "SConscript wscript hatch_build.py build.py pytest.ini conanfile.py manage.py mypy.ini "
     ".flake8 .pylintrc .coveragerc docs/conf.py Snakefile",
     "python runs or obeys it when it builds, tests or installs"},
    {"pyproject.toml", "pip and test runners load what it names"},
    {"*.pth sitecustomize.py usercustomize.py", "python runs it at each start"},
    {"build.rs Cargo.toml", "cargo build runs it, also when an editor opens the folder"},
    {"build.gradle build.gradle.kts settings.gradle settings.gradle.kts init.gradle "
     "gradle.properties gradlew gradlew.bat gradle-wrapper.properties gradle-wrapper.jar *.gradle "
     "buildSrc/",
     "gradle runs it, also when an editor opens the folder"},
    {"pom.xml mvnw mvnw.cmd maven-wrapper.properties maven-wrapper.jar extensions.xml build.xml "
     "ivy.xml",
     "maven or ant runs it, also when an editor opens the folder"},
    {"build.sbt build.sc build.mill *.sbt project/*.scala project/build.properties .jvmopts "
     ".sbtopts",
     "sbt or mill runs it"},
    {"mix.exs rebar.config rebar.config.script project.clj deps.edn build.boot shadow-cljs.edn",
     "the build tool runs it"},
    {"*.csproj *.fsproj *.vbproj *.vcxproj Directory.Build.props Directory.Build.targets "
     "build.cake *.targets *.props",
     "msbuild runs it, also when an editor opens the folder"},
    {"Package.swift *.podspec project.pbxproj *.xcscheme", "Xcode or swift runs it"},
    {"build.zig dub.json dune dune-project Setup.hs Setup.lhs *.cabal package.yaml stack.yaml "
     "cabal.project xmake.lua premake5.lua Earthfile magefile.go Build.PL deps/build.jl "
     ".formatter.exs rector.php .php-cs-fixer.php",
     "the build tool runs it"},
    {"*.nix guix.scm devbox.json .flox/", "nix or its like evaluates and runs it"},
    {"Dockerfile Containerfile *.dockerfile Dockerfile.* docker-compose*.yml docker-compose*.yaml "
     "compose.yml compose.yaml compose.*.yml compose.*.yaml docker-bake.hcl docker-entrypoint.sh "
     "Tiltfile skaffold.yaml Procfile Procfile.*",
     "docker and its like run it"},
    {"*.tf *.tf.json terragrunt.hcl Pulumi.yaml Chart.yaml playbook.yml ansible.cfg",
     "a deployment runs or obeys it"},
    {"gulpfile.* Gruntfile.* webpack.config.* vite.config.* rollup.config.* next.config.* "
     "nuxt.config.* babel.config.* .babelrc .babelrc.* postcss.config.* tailwind.config.* "
     "jest.config.* vitest.config.* playwright.config.* cypress.config.* karma.conf.* "
     "eslint.config.* .eslintrc .eslintrc.* prettier.config.* .prettierrc.* stylelint.config.* "
     ".stylelintrc.* .mocharc.* ava.config.* vitest.workspace.* wdio.conf.* release.config.* "
     ".releaserc .releaserc.* rspack.config.* craco.config.* vue.config.* gatsby-*.js angular.json "
     ".storybook/ .pnp.cjs pnpm-workspace.yaml "
     "svelte.config.* astro.config.* metro.config.* esbuild.config.* tsup.config.* "
     "binding.gyp lerna.json nx.json turbo.json deno.json deno.jsonc",
     "node runs it when it builds, tests or lints"},
    {"composer.json", "composer install runs its scripts"},
    {".ycm_extra_conf.py .vimspector.json .nvim/ .neoconf.json *.sublime-project .clangd",
     "an editor runs or obeys it when it opens the folder"},
    {"*.service *.timer *.desktop crontab",
     "the system starts what it names, once it is installed"},
};

}  // namespace

std::span<const LaterEntry> later_entries() { return kEntries; }

}  // namespace ringwall::review
