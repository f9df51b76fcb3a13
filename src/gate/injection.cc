#include "gate/injection.h"

#include <algorithm>

#include "base/text.h"
#include "policy/variables.h"

namespace ringwall::gate {
namespace {

using policy::VariableKind;

constexpr std::string_view kHarmless[] = {"LANG",
                                          "LC_*",
                                          "TZ",
                                          "NODE_ENV",
                                          "CI",
                                          "NO_COLOR",
                                          "FORCE_COLOR",
                                          "COLUMNS",
                                          "LINES",
                                          "TERM",
                                          "DEBUG",
                                          "RUST_BACKTRACE",
                                          "RUST_LOG",
                                          "VERBOSE",
                                          "LOG_LEVEL",
                                          "PYTHONUNBUFFERED",
                                          "PYTHONHASHSEED",
                                          "PYTHONDONTWRITEBYTECODE",
                                          "CGO_ENABLED",
                                          "GOOS",
                                          "GOARCH",
                                          "CLICOLOR",
                                          "CLICOLOR_FORCE",
                                          "TEST_*",
                                          "GIT_TERMINAL_PROMPT"};

// Name programs, and these are only pagers and editors that do nothing.
constexpr std::string_view kTamePrograms[] = {"",
                                              "cat",
                                              "less",
                                              "more",
                                              "true",
                                              ":",
                                              "vim",
                                              "vi",
                                              "nano",
                                              "less -R",
                                              "less -FRX",
                                              "/bin/true",
                                              "/usr/bin/true",
                                              "/bin/cat",
                                              "echo",
                                              "code --wait"};

// Variables that name a program, and are set every day to one that does nothing.
bool names_program(std::string_view name) {
  return name.ends_with("PAGER") || name.ends_with("EDITOR") || name == "VISUAL" ||
         name == "BROWSER";
}

// Of git's, those that only say where and how loud.
constexpr std::string_view kPlainGit[] = {"GIT_TRACE*",
                                          "GIT_MERGE_AUTOEDIT",
                                          "GIT_OPTIONAL_LOCKS",
                                          "GIT_LFS_SKIP_SMUDGE",
                                          "GIT_ADVICE",
                                          "GIT_PROGRESS_DELAY",
                                          "GIT_CEILING_DIRECTORIES",
                                          "GIT_DISCOVERY_ACROSS_FILESYSTEM"};

// Folders of the work itself.
bool is_own_path(std::string_view value) {
  std::vector<std::string_view> parts = text::split_in_place(value, ':');
  return std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
    return !part.starts_with('/') && part.find("..") == part.npos;
  });
}

// Options for node or the JVM that only set sizes.
bool loads_code(std::string_view options) {
  for (std::string_view word :
       {"-r", "--require", "--import", "--loader", "--experimental-loader", "--inspect",
        "-javaagent", "-agentlib", "-agentpath", "-Xbootclasspath", "--eval", "-e", "--env-file",
        "--openssl-config", "-XX:OnError", "-XX:OnOutOfMemoryError", "--patch-module", "-cp",
        "@"}) {
    size_t at = options.find(word);
    while (at != options.npos) {
      bool begins = at == 0 || options[at - 1] == ' ';
      if (begins) return true;
      at = options.find(word, at + 1);
    }
  }
  return false;
}

bool is_tame(std::string_view name, const shell::Word& value) {
  if (!value.gaps.empty()) return false;
  const std::string& text = value.text;
  if (names_program(name)) {
    return std::find(std::begin(kTamePrograms), std::end(kTamePrograms), text) !=
           std::end(kTamePrograms);
  }
  if (name == "PYTHONPATH" || name == "NODE_PATH" || name == "RUBYLIB" || name == "PERL5LIB" ||
      name == "CLASSPATH")
    return is_own_path(text);
  if (name == "NODE_OPTIONS" || name.ends_with("_JAVA_OPTIONS") || name == "JAVA_TOOL_OPTIONS" ||
      name == "RUBYOPT")
    return !loads_code(text);
  if (name == "PYTHONWARNINGS" || name == "PYTHONOPTIMIZE" || name == "PYTHONASYNCIODEBUG" ||
      name == "PYTHONNOUSERSITE" || name == "PYTHONDEVMODE" || name == "PYTHONTRACEMALLOC" ||
      name == "PYTHONVERBOSE" || name == "PYTHONSAFEPATH")
    return true;
  return std::any_of(std::begin(kPlainGit), std::end(kPlainGit),
                     [&](std::string_view plain) { return text::matches(name, plain); });
}

// Besides those of policy/variables.h: what a person may set for a run is not what a command may
// change under a program's feet.
constexpr std::string_view kSearched[] = {"PATH",
                                          "CDPATH",
                                          "SHELL",
                                          "HOME",
                                          "MAKEFLAGS",
                                          "GOFLAGS",
                                          "SSH_ASKPASS",
                                          "SUDO_ASKPASS",
                                          "CODEX_HOME",
                                          "CLAUDE_CONFIG_DIR",
                                          "ANTHROPIC_BASE_URL",
                                          "OPENAI_BASE_URL",
                                          "XDG_CONFIG_HOME",
                                          "MANPAGER",
                                          "MANOPT",
                                          "LESS",
                                          "CARGO_BUILD_RUSTC_WRAPPER"};

bool is_searched(std::string_view name) {
  return std::find(std::begin(kSearched), std::end(kSearched), name) != std::end(kSearched);
}

}  // namespace

Ruling judge_assignment(const shell::Assignment& assignment) {
  std::string_view name = assignment.name;
  const policy::KnownVariable* known = policy::known_variable(name);
  bool injects = known != nullptr && known->kind == VariableKind::injects;
  bool is_program = names_program(name);
  if ((!injects && !is_program && !is_searched(name)) || is_tame(name, assignment.value)) return {};
  std::string why = known != nullptr ? std::string(known->reason) : "programs obey it";
  if (is_program) why = "programs run what it names";
  if (name == "PATH") why = "other programs than the usual ones may run";
  return ask_because("the command sets " + text::quote(name) + ": " + why,
                     "run it without, or set it for one program that the person knows");
}

bool is_harmless_variable(std::string_view name) {
  return std::any_of(std::begin(kHarmless), std::end(kHarmless),
                     [&](std::string_view known) { return text::matches(name, known); });
}

}  // namespace ringwall::gate
