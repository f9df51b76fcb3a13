#include "files/protected_content.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/text.h"
#include "files/name_pattern.h"

namespace ringwall::files {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

// Of words with blanks between them; a star stands for the rest of a name.
bool is_one_of(std::string_view name, std::string_view words) {
  for (std::string_view word : text::split_in_place(words, ' ')) {
    if (word.ends_with('*') ? name.starts_with(word.substr(0, word.size() - 1)) : name == word)
      return true;
  }
  return false;
}

// Variables that programs of every day obey by running or loading something.
constexpr std::string_view kRunning =
    "PATH LD_* DYLD_* GCONV_PATH LOCPATH NLSPATH BASH_* SHELLOPTS BASHOPTS PROMPT_COMMAND PS0 "
    "PS1 PS2 PS3 PS4 ZDOTDIR FPATH IFS SHELL HOME CDPATH XDG_CONFIG_HOME XDG_CONFIG_DIRS "
    "XDG_DATA_HOME XDG_DATA_DIRS EDITOR VISUAL PAGER MANPAGER BROWSER LESSOPEN LESSCLOSE "
    "LESSKEYIN TERMINFO JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_HOME MAVEN_OPTS "
    "MAVEN_ARGS GRADLE_OPTS GRADLE_USER_HOME NODE_PATH NODE_REPL_EXTERNAL_MODULE NPM_CONFIG_* "
    "npm_config_* PNPM_* YARN_* COREPACK_* BUN_OPTIONS BUN_INSTALL DENO_DIR PERL5LIB PERL5OPT "
    "PERL5DB PERLLIB "
    "RUBYOPT RUBYLIB GEM_HOME GEM_PATH BUNDLE_* IRBRC R_PROFILE* R_ENVIRON* R_LIBS* R_HOME JULIA_* "
    "LUA_INIT* LUA_PATH* "
    "LUA_CPATH* PHPRC PHP_INI_SCAN_DIR ERL_* ELIXIR_ERL_OPTIONS DOTNET_STARTUP_HOOKS "
    "CORECLR_* COR_* MAKEFLAGS GNUMAKEFLAGS MAKEFILES CARGO_* RUSTC* RUSTUP_* RUSTFLAGS "
    "GOFLAGS GOROOT GOTOOLCHAIN GOENV CC CXX PIP_* UV_INDEX* UV_PYTHON* UV_CONFIG_FILE "
    "UV_DEFAULT_INDEX UV_EXTRA_INDEX_URL POETRY_* PIPENV_* CONDA_* "
    "SSH_ASKPASS* SUDO_ASKPASS GNUPGHOME KUBECONFIG DOCKER_CONFIG DOCKER_HOST AWS_CONFIG_FILE "
    "OPENSSL_CONF OPENSSL_ENGINES OPENSSL_MODULES DIRENV_* MISE_* ASDF_* CODEX_HOME "
    "CLAUDE_CONFIG_DIR VIMINIT EXINIT MYVIMRC INPUTRC GDBHISTFILE PSQLRC SYSTEMD_PAGER";

// Of git's variables, those that applications give to builds; it obeys none of them.
constexpr std::string_view kOfBuilds =
    "GIT_SHA GIT_COMMIT GIT_BRANCH GIT_TAG GIT_REVISION GIT_REF GIT_HASH GIT_REPO "
    "GIT_REPOSITORY GIT_URL GIT_TOKEN GIT_VERSION GIT_USERNAME GIT_PASSWORD GIT_AUTHOR_NAME "
    "GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL";

// Of Python's, those that only say how it works.
constexpr std::string_view kOfPython =
    "PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONIOENCODING PYTHONUTF8 PYTHONHASHSEED "
    "PYTHONFAULTHANDLER PYTHONASYNCIODEBUG PYTHONOPTIMIZE PYTHONTRACEMALLOC PYTHONDEVMODE "
    "PYTHON_VERSION PYTHON_ENV";

// ENV names a script for sh; applications have it say where they run.
constexpr std::string_view kStages =
    "production development prod dev test testing staging stage local ci preview qa uat debug "
    "release";

constexpr std::string_view kNodeFlags =
    "--max-* --stack-trace-limit* --enable-source-maps* --no-warnings* --no-deprecation* --trace-* "
    "--unhandled-rejections* --dns-result-order* --use-openssl-ca* --use-system-ca* "
    "--openssl-legacy-provider* --experimental-vm-modules*";

std::string_view without_quotes(std::string_view value) {
  value = text::trim(value);
  bool is_quoted = value.size() > 1 && (value.front() == '"' || value.front() == '\'') &&
                   value.back() == value.front();
  return is_quoted ? text::trim(value.substr(1, value.size() - 2)) : value;
}

bool only_tunes_node(std::string_view value) {
  for (std::string_view word : text::split_in_place(without_quotes(value), ' ')) {
    if (!word.empty() && !is_one_of(word, kNodeFlags)) return false;
  }
  return true;
}

bool is_running(std::string_view name, std::string_view value) {
  if (name == "ENV") {
    std::string_view stage = without_quotes(value);
    return !stage.empty() && !is_one_of(stage, kStages);
  }
  if (name == "BROWSER" && without_quotes(value) == "none") return false;  // of react-scripts
  if (name == "NODE_OPTIONS") return !only_tunes_node(value);
  if (name.starts_with("GIT_")) return !is_one_of(name, kOfBuilds);
  if (name.starts_with("PYTHON")) return !is_one_of(name, kOfPython);
  return is_one_of(name, kRunning);
}

// Line by line, whatever a shell makes of the quotes: readers of such files differ.
std::string find_running_variable(std::string_view text) {
  for (std::string_view line : text::split_in_place(text, '\n')) {
    for (std::string_view part : text::split_in_place(line, '\r')) {
      std::string_view rest = text::trim(part);
      for (std::string_view before :
           {"export ", "export\t", "set ", "declare -x ", "typeset -x "}) {
        if (rest.starts_with(before)) rest = text::trim(rest.substr(before.size()));
      }
      auto end = std::find_if_not(rest.begin(), rest.end(), is_name_part);
      std::string_view name = rest.substr(0, static_cast<size_t>(end - rest.begin()));
      std::string_view value = rest.substr(name.size());
      while (!value.empty() && (value[0] == ' ' || value[0] == '\t' || value[0] == '+'))
        value.remove_prefix(1);
      if (name.empty() || value.empty() || (value[0] != '=' && value[0] != ':')) continue;
      if (is_running(name, value.substr(1))) return std::string(name);
    }
  }
  return "";
}

// What a shell that runs the file would run besides setting variables. People also write values
// with blanks and no quotes ("NAME=My App"), for readers that are no shells: a word that no program
// is called like does no harm there.
class ShellReading {
 public:
  explicit ShellReading(std::string_view text) : text_(text) {}

  bool runs_something() {
    bool at_command = true;
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (c == '#' && begins_word()) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '\n' || c == ';' || c == '&' || c == '|' || c == '(' || c == '{') {
        at_command = true;
        at_++;
      } else if (c == ' ' || c == '\t' || c == '\r') {
        at_++;
      } else if (at_command && (c == ')' || c == '}')) {
        at_++;
      } else if (!read_word(at_command)) {
        return true;
      }
    }
    return false;
  }

 private:
  bool begins_word() const {
    return at_ == 0 || std::string_view(" \t\r\n;&|(").contains(text_[at_ - 1]);
  }

  // False: it runs something. Behind an assignment comes a command, or another one.
  bool read_word(bool& at_command) {
    size_t begin = at_;
    if (!skip_word()) return false;
    std::string_view word = text_.substr(begin, at_ - begin);
    if (!at_command) return true;
    auto name_end = std::find_if_not(
        word.begin(), word.end(), [](char c) { return is_name_part(c) || c == '.' || c == '-'; });
    bool is_assignment = name_end != word.begin() && name_end != word.end() &&
                         (*name_end == '=' || *name_end == ':' ||
                          (*name_end == '+' && name_end + 1 != word.end() && name_end[1] == '='));
    if (is_assignment) return true;
    if (word == "export") {
      at_command = true;
      return true;
    }
    at_command = false;
    return !may_be_program(word);
  }

  static bool may_be_program(std::string_view word) {
    bool is_of_text = !word.empty() &&
                      ((word[0] >= 'A' && word[0] <= 'Z') || (word[0] >= '0' && word[0] <= '9') ||
                       static_cast<unsigned char>(word[0]) >= 0x80);
    return !is_of_text || word.contains('/') || word.contains('$');
  }

  // To its end, through quotes. False: a substitution is in it.
  bool skip_word() {
    while (at_ < text_.size() && !std::string_view(" \t\r\n;&|(").contains(text_[at_])) {
      char c = text_[at_];
      if (c == '`' || (c == '$' && next() == '(') || ((c == '<' || c == '>') && next() == '('))
        return false;
      if (c == '\\') at_++;
      if (c == '\'') at_ = std::min(text_.find('\'', at_ + 1), text_.size());
      if (c == '"' && !skip_double_quotes()) return false;
      at_ = std::min(at_ + 1, text_.size());
    }
    return true;
  }

  bool skip_double_quotes() {
    for (at_++; at_ < text_.size() && text_[at_] != '"'; at_++) {
      if (text_[at_] == '`' || (text_[at_] == '$' && next() == '(')) return false;
      if (text_[at_] == '\\') at_++;
    }
    return true;
  }

  char next() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\0'; }

  std::string_view text_;
  size_t at_ = 0;
};

// Keys at the top of pnpm-workspace.yaml that choose which packages and versions are installed, and
// where: what agents write. The others name programs, registries and folders.
constexpr std::string_view kPnpmKeys =
    "packages catalog catalogs catalogMode cleanupUnusedCatalogs overrides packageExtensions "
    "peerDependencyRules allowedDeprecatedVersions patchedDependencies allowUnusedPatches "
    "allowNonAppliedPatches ignorePatchFailures updateConfig auditConfig auditLevel "
    "ignoredOptionalDependencies supportedArchitectures onlyBuiltDependencies "
    "neverBuiltDependencies ignoredBuiltDependencies allowBuilds strictDepBuilds "
    "linkWorkspacePackages preferWorkspacePackages sharedWorkspaceLockfile "
    "saveWorkspaceProtocol includeWorkspaceRoot ignoreWorkspaceCycles disallowWorkspaceCycles "
    "injectWorkspacePackages syncInjectedDepsAfterScripts dedupeInjectedDeps "
    "dedupePeerDependents dedupeDirectDeps dedupePeers hoist hoistPattern publicHoistPattern "
    "shamefullyHoist hoistWorkspacePackages nodeLinker symlink autoInstallPeers "
    "strictPeerDependencies resolvePeersFromWorkspaceRoot resolutionMode preferFrozenLockfile "
    "lockfile lockfileIncludeTarballUrl gitBranchLockfile "
    "mergeGitBranchLockfilesBranchPattern peersSuffixMaxLength engineStrict saveExact "
    "savePrefix minimumReleaseAge minimumReleaseAgeExclude minimumReleaseAgeIgnoreMissingTime "
    "minimumReleaseAgeStrict trustPolicy trustPolicyExclude blockExoticSubdeps "
    "packageImportMethod sideEffectsCache optimisticRepeatInstall excludeLinksFromLockfile "
    "deployAllFiles forceLegacyDeploy requiredScripts enablePrePostScripts ignoreScripts "
    "color loglevel failIfNoMatch tag";

// The key that stands at the beginning of such a line; nothing: it is none that everybody reads so.
std::optional<std::string_view> plain_key(std::string_view line) {
  char quote = line[0] == '"' || line[0] == '\'' ? line[0] : '\0';
  std::string_view rest = quote == '\0' ? line : line.substr(1);
  auto end = std::find_if_not(rest.begin(), rest.end(), is_name_part);
  std::string_view key = rest.substr(0, static_cast<size_t>(end - rest.begin()));
  rest = rest.substr(key.size());
  if (quote != '\0') {
    if (!rest.starts_with(quote)) return std::nullopt;
    rest.remove_prefix(1);
  }
  bool is_key = !key.empty() && rest.starts_with(':') &&
                (rest.size() == 1 || rest[1] == ' ' || rest[1] == '\t');
  return is_key ? std::optional(key) : std::nullopt;
}

std::string_view without_mark(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

}  // namespace

std::string judge_env(std::string_view text) {
  text = without_mark(text);
  std::string variable = find_running_variable(text);
  if (!variable.empty())
    return "it sets " + variable + ", by which programs outside run or load something";
  if (ShellReading(text).runs_something())
    return "a shell that reads it would run a command in it; quote values that hold blanks or $(";
  return "";
}

std::string judge_tool_versions(std::string_view text) {
  for (std::string_view line : text::split_in_place(text, '\n')) {
    line = text::trim(line.substr(0, line.find('#')));
    size_t blank = std::min(line.find_first_of(" \t"), line.size());
    std::string_view versions = line.substr(blank);
    bool leads_to_files = versions.contains("path:") || versions.contains('/') ||
                          versions.contains('~') || versions.contains('\\');
    if (leads_to_files || line.contains("{{") || line.contains("{%"))
      return "it has a folder, and no installed version, be where a tool is run from";
  }
  return "";
}

std::string judge_pnpm_workspace(std::string_view text) {
  constexpr std::string_view kOdd = "it cannot be seen which settings of pnpm it holds";
  bool has_key = false;
  for (std::string_view line : text::split_in_place(without_mark(text), '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.contains('\r')) return std::string(kOdd);  // a line end to some
    std::string_view content = text::trim(line);
    if (content.empty() || content[0] == '#' || (line == "---" && !has_key)) continue;
    bool is_inner = line[0] == ' ' || line[0] == '\t' || line.starts_with("- ") || line == "-";
    if (is_inner && has_key) continue;
    auto key = is_inner ? std::nullopt : plain_key(line);
    if (!key) return std::string(kOdd);
    if (!is_one_of(*key, kPnpmKeys))
      return "it sets " + std::string(*key) + ", by which pnpm may run or fetch something";
    has_key = true;
  }
  return "";
}

}  // namespace ringwall::files
