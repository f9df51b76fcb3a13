#include "gate/injection.h"

#include <algorithm>

#include "base/path.h"
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

// A list of folders as it is written; what is not known is one of these.
constexpr std::string_view kUnknownPart = "\x01";

std::string with_gaps(const shell::Word& value) {
  std::string out;
  size_t at = 0;
  for (const shell::Word::Gap& gap : value.gaps) {
    out += value.text.substr(at, gap.at - at) + std::string(kUnknownPart);
    at = gap.at;
  }
  return out + value.text.substr(at);
}

// Every folder is one of these; an unknown one beside them is what the variable held before:
// "$PWD/src:$PYTHONPATH".
template <class IsGood>
bool lists_only(const shell::Word& value, IsGood is_good) {
  std::string text = with_gaps(value);
  std::vector<std::string_view> parts = text::split_in_place(text, ':');
  bool names_one = value.gaps.empty();
  for (std::string_view part : parts) {
    if (part == kUnknownPart) continue;
    if (part.find(kUnknownPart) != part.npos || !is_good(part)) return false;
    names_one = true;
  }
  return names_one;
}

// Folders of the work itself.
bool is_own_folder(std::string_view part, std::string_view workspace) {
  if (part.find("..") != part.npos) return false;
  return !part.starts_with('/') || (!workspace.empty() && path::is_beneath(part, workspace));
}

// Where programs are installed, for all, for the person, or for the project.
bool is_usual_folder(std::string_view part, const AssignedFor& where) {
  constexpr std::string_view kOfAll[] = {"/usr",  "/bin", "/sbin",          "/opt",
                                         "/snap", "/nix", "/home/linuxbrew"};
  constexpr std::string_view kOfPerson[] = {".cargo",  ".local",  "go",     ".bun",
                                            ".deno",   ".nvm",    ".pyenv", ".rbenv",
                                            ".asdf",   ".volta",  ".yarn",  ".npm-global",
                                            ".dotnet", ".sdkman", ".krew",  ".local/share/pnpm"};
  if (!part.starts_with('/') || part.find("..") != part.npos) return false;
  auto holds = [&](std::string_view folder) { return path::is_beneath(part, folder); };
  if (std::any_of(std::begin(kOfAll), std::end(kOfAll), holds)) return true;
  bool is_in_work = !where.workspace.empty() && path::is_beneath(part, where.workspace);
  if (is_in_work)
    return part.ends_with("/node_modules/.bin") || part.ends_with("/.venv/bin") ||
           part.ends_with("/venv/bin");
  return !where.home.empty() &&
         std::any_of(std::begin(kOfPerson), std::end(kOfPerson), [&](std::string_view folder) {
           return holds(std::string(where.home) + "/" + std::string(folder));
         });
}

// A program of the work, by its path: its libraries are the work's own, too.
bool is_own_program(const AssignedFor& where) {
  return where.program.find('/') != where.program.npos &&
         is_own_folder(where.program, where.workspace);
}

// Options for node or the JVM that only set sizes.
bool loads_code(std::string_view options) {
  constexpr std::string_view kLoading[] = {"-r",
                                           "--require",
                                           "--import",
                                           "--loader",
                                           "--experimental-loader",
                                           "--inspect",
                                           "-javaagent",
                                           "-agentlib",
                                           "-agentpath",
                                           "-Xbootclasspath",
                                           "--eval",
                                           "-e",
                                           "--env-file",
                                           "--openssl-config",
                                           "-XX:OnError",
                                           "-XX:OnOutOfMemoryError",
                                           "--patch-module",
                                           "-cp",
                                           "@"};
  std::string plain(options);
  std::replace_if(
      plain.begin(), plain.end(), [](char c) { return isspace(static_cast<unsigned char>(c)); },
      ' ');
  std::vector<std::string_view> words = text::split_in_place(plain, ' ');
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    // Without an address it listens for this machine alone.
    if (word == "--inspect" || word == "--inspect-brk") return false;
    return std::any_of(std::begin(kLoading), std::end(kLoading),
                       [&](std::string_view option) { return word.starts_with(option); });
  });
}

// How many at a time, and how loud.
bool are_plain_make_flags(std::string_view flags) {
  std::vector<std::string_view> words = text::split_in_place(flags, ' ');
  return std::all_of(words.begin(), words.end(), [](std::string_view word) {
    if (word.empty() || word == "-k" || word == "-s" || word == "--no-print-directory") return true;
    return word.starts_with("-j") && word.find_first_not_of("0123456789", 2) == word.npos;
  });
}

// Lists of folders, of which a part may be unknown.
bool is_tame_list(std::string_view name, const shell::Word& value, const AssignedFor& where) {
  auto is_own = [&](std::string_view part) { return is_own_folder(part, where.workspace); };
  if (name == "PYTHONPATH" || name == "NODE_PATH" || name == "RUBYLIB" || name == "PERL5LIB" ||
      name == "CLASSPATH")
    return lists_only(value, is_own);
  if (name == "LD_LIBRARY_PATH" || name == "DYLD_LIBRARY_PATH")
    return is_own_program(where) && lists_only(value, is_own);
  if (name == "PATH")
    return lists_only(value, [&](std::string_view part) { return is_usual_folder(part, where); });
  return false;
}

bool is_tame(std::string_view name, const shell::Word& value, const AssignedFor& where) {
  if (is_tame_list(name, value, where)) return true;
  // It holds for the builtin alone, which splits a line by it.
  if (name == "IFS")
    return where.program == "read" || where.program == "mapfile" || where.program == "readarray";
  if (!value.gaps.empty()) return false;
  const std::string& text = value.text;
  if (names_program(name)) {
    if (name == "BROWSER" && text == "none") return true;
    return std::find(std::begin(kTamePrograms), std::end(kTamePrograms), text) !=
           std::end(kTamePrograms);
  }
  if (name == "MAKEFLAGS") return are_plain_make_flags(text);
  if (name.ends_with("RUSTC_WRAPPER")) return text.empty() || text == "sccache" || text == "ccache";
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

Ruling judge_assignment(const shell::Assignment& assignment, const AssignedFor& where) {
  std::string_view name = assignment.name;
  const policy::KnownVariable* known = policy::known_variable(name);
  bool injects = known != nullptr && known->kind == VariableKind::injects;
  bool is_program = names_program(name);
  if ((!injects && !is_program && !is_searched(name)) || is_tame(name, assignment.value, where))
    return {};
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
