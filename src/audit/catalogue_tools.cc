// Checks of a repository: editors, shells, packages, continuous integration, names.
#include "audit/catalogue.h"

namespace ringwall::audit {
namespace {

using enum Severity;

constexpr std::string_view kEditors = "Repository: editors and entering the folder";
constexpr std::string_view kPackages = "Repository: packages";
constexpr std::string_view kCi = "Repository: continuous integration";
constexpr std::string_view kNames = "Repository: names and odd entries";

constexpr Check kChecks[] = {
    {"RW250", critical, kEditors, "a command that fetches code and runs it, or sends data away",
     "It runs by itself when the folder is opened, entered, built or installed.",
     "Nx s1ngularity and Shai-Hulud: install scripts that took credentials",
     "do not open or install it; remove the command"},
    {"RW231", high, kEditors, "a task runs when the folder is opened",
     "The editor starts it as soon as the folder is trusted.",
     "Contagious Interview: tasks.json with runOn folderOpen", "remove runOptions.runOn"},
    {"RW232", high, kEditors, "editor settings name a program or its start-up",
     "Opening a file, a terminal or a source-control view runs it.",
     "Cursor CVE-2026-73217: an interpreter in the workspace", "remove the setting"},
    {"RW233", high, kEditors, "a devcontainer runs a command on the host",
     "initializeCommand runs outside of the container, before it is built.",
     "the class of CVE-2025-53773: opening a folder runs code", "remove initializeCommand"},
    {"RW234", high, kEditors, "a devcontainer is given the host",
     "A privileged container, the docker socket or folders of the home are the host itself.",
     "SandboxEscapeBench: privileged containers and docker.sock", "remove the option or mount"},
    {"RW235", info, kEditors, "a devcontainer runs commands in the container",
     "They run when the container is made.", "", "read them"},
    {"RW236", info, kEditors, "a file runs when the folder is entered",
     "direnv, mise and editors run it once it is allowed.", "", "read it before you allow it"},
    {"RW237", high, kEditors, "a script of an editor is in the folder",
     "Editors that obey files of a project run it when a file is opened.",
     "CVE-2019-12735 and other modelines; evaluated .dir-locals.el", "remove the file"},
    {"RW239", medium, kEditors, "editor settings lead its traffic elsewhere",
     "Whoever runs that host reads what the editor and its assistants send.", "",
     "remove the setting"},
    {"RW238", medium, kEditors, "a devcontainer is given a secret of this machine",
     "Whatever runs in the container, also what its packages bring along, can read it.", "",
     "remove the variable; log in within the container"},

    {"RW261", info, kPackages, "scripts run when packages are installed",
     "The package manager runs them with all rights of the person.", "",
     "read them; install with --ignore-scripts, or behind walls: ringwall run"},
    {"RW262", high, kPackages, "a lock file takes a package from elsewhere",
     "The name says one package, the address another one.", "lock-file poisoning (2019 to 2026)",
     "make the lock file anew, and compare"},
    {"RW263", high, kPackages, "a package manager runs a program of the repository",
     "Already asking for its version runs it.",
     "CVE-2025-59828, CVE-2025-65099: yarn --version loaded yarnPath and plugins before trust",
     "remove the setting"},
    {"RW264", info, kPackages, "the repository brings its package manager along",
     "yarn keeps its own release and plugins in .yarn.", "",
     "compare its checksum with the release"},
    {"RW265", medium, kPackages, "packages come from another registry",
     "Whoever runs it decides what every install brings.", "dependency confusion (2021)",
     "remove it unless it is your company's"},
    {"RW266", high, kPackages, "settings of a build tool name a program that runs",
     "Each build, test or install starts it.", "planted .cargo/config.toml and .npmrc",
     "remove the setting"},
    {"RW267", medium, kPackages, "a program of the repository is loaded into a build tool",
     "It runs at each install or build, also where scripts of packages are switched off.", "",
     "read it as you would a program"},
    {"RW269", low, kPackages, "a lock file that cannot be read",
     "What one reader refuses another may obey: nobody can say which packages it takes.", "",
     "make the lock file anew"},
    {"RW268", medium, kPackages, "a file that Python runs at every start",
     "Any Python that has this folder on its path runs it.",
     "malicious .pth files in packages (2025, 2026)", "remove the file"},

    {"RW271", critical, kCi, "an agent reads text of strangers, with rights to write or secrets",
     "Whoever can open an issue or a pull request tells the agent what to do with the token.",
     "PromptPwnd, Clinejection, Comment and Control; claude-code-action before 1.0.94",
     "run it only for labels or people you chose, with permissions: contents: read, and no "
     "secrets"},
    {"RW272", high, kCi, "code of a pull request runs with the repository's rights",
     "pull_request_target has secrets and a token that writes; the code that is checked out is a "
     "stranger's.",
     "hackerbot-claw: pwn requests in 2026", "use pull_request, or do not check out its head"},
    {"RW273", high, kCi, "text of strangers is put into a shell",
     "A title or branch name with $(…) in it is run.",
     "Clinejection: an issue title became a command; Codex: branch names (BeyondTrust)",
     "hand it over by env: and quote the variable"},
    {"RW274", medium, kCi, "a job that strangers can start has a token that may write all",
     "What is taken over in it can push and release.", "the tj-actions breach of 2025-03",
     "permissions: contents: read, and more only for the job that needs it"},
    {"RW275", high, kCi, "an agent runs without asking and without limits",
     "All that its text says is done.",
     "Nx s1ngularity: agents started with flags that skip asking",
     "name the tools that it may use, or run it behind walls: ringwall run"},

    {"RW281", high, kNames, "a name that a terminal misreads",
     "What is shown in a listing is not the name: escapes, text that turns around, characters "
     "without width.",
     "CVE-2021-42574 for names; escape sequences in file names", "rename or remove it"},
    {"RW282", medium, kNames, "a name that is a command for a careless script",
     "Put into a shell unquoted, it runs something.",
     "Codex: branch names (BeyondTrust); the Phantom file names of 2025", "rename or remove it"},
    {"RW283", high, kNames, "a name that looks like a file that agents obey",
     "A reader takes it for the real one, or the real one for it.", "look-alike letters in names",
     "rename or remove it"},
    {"RW291", low, kNames, "something that is no file, folder or link",
     "Who reads it waits for ever, or talks to a program.", "", "remove it"},
    {"RW292", info, kNames, "something could not be looked at",
     "It is closed, or more than the audit looks at.", "", "look at it yourself"},
    {"RW293", medium, kNames, "not all of the repository was looked at",
     "It is larger than an audit looks at, or took too long: what is in the rest is not known.", "",
     "audit its parts: ringwall audit repo DIR"},
};

}  // namespace

std::span<const Check> tool_checks() { return kChecks; }

}  // namespace ringwall::audit
