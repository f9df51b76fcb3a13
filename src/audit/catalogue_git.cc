// Checks of a repository: what git obeys.
#include "audit/catalogue.h"

namespace ringwall::audit {
namespace {

using enum Severity;

constexpr std::string_view kGit = "Repository: git";

constexpr Check kChecks[] = {
    {"RW241", critical, kGit, "git's settings run a program",
     "The next git command in this folder, also one that an editor or agent makes by itself, runs "
     "it.",
     "GitSpawn and Beltdown: core.fsmonitor and gpg.program; CVE-2026-55607",
     "git config --file FILE --unset-all KEY, or clone it anew from where it came"},
    {"RW242", critical, kGit, "a git repository lies hidden in the tree",
     "Git takes a folder of this form for a repository and obeys its settings and hooks, whatever "
     "its name.",
     "nested bare repositories: Copilot CLI CVE-2026-45033",
     "remove the folder; git config --global safe.bareRepository explicit"},
    {"RW243", critical, kGit, "git's working tree or its settings lie elsewhere",
     "A checkout overwrites files outside of this folder, or another repository's settings hold.",
     "CVE-2026-40068: commondir spoofed a trusted path", "clone it anew from where it came"},
    {"RW244", high, kGit, "a hook of git is set up", "Git runs it at commits, checkouts or merges.",
     "Cursor CVE-2026-26268: planted .git/hooks", "read it; remove it if you did not put it there"},
    {"RW245", info, kGit, "a hook of a known tool is set up",
     "Git LFS, pre-commit and lefthook put these there, line by line.", "",
     "nothing, if you use the tool"},
    {"RW246", critical, kGit, "a submodule with an address or path that git misread",
     "Cloning with submodules runs a program, or writes into the git folder.",
     "CVE-2018-17456, CVE-2018-11235, CVE-2024-32002, CVE-2025-48384",
     "do not clone it with --recurse-submodules; remove the entry"},
    {"RW247", high, kGit, "a link leads to where secrets or settings lie",
     "Who reads or writes it here reads or writes it there; an agent's rules see only the name "
     "here.",
     "CVE-2025-59829, CVE-2026-39861, Codex CVE-2025-55345: links around deny rules",
     "remove the link"},
    {"RW248", info, kGit, "a link leads out of the repository",
     "What it shows depends on this machine.", "", "nothing, if you know why"},
    {"RW249", high, kGit, "a .git file leads to a git folder of others",
     "Git obeys the settings and hooks that lie there.", "CVE-2026-55607: a worktree named .git",
     "remove the file, or clone it anew"},
    {"RW251", high, kGit, "a name that some filesystems take for .git",
     "On a Mac, on Windows or in a casefolded folder this is the git folder itself.",
     "CVE-2014-9390, CVE-2024-32002", "rename or remove it"},
    {"RW252", medium, kGit, "git's settings cannot be read as git reads them",
     "Settings that two readers understand differently hide what is in force.",
     "CVE-2025-48384: a carriage return at the end of a value", "clone it anew from where it came"},
    {"RW253", medium, kGit, "objects are borrowed from another repository",
     "Git reads commits from a place outside of this folder.",
     "CVE-2022-39253: objects by links and alternates", "clone it anew without --shared"},
    {"RW254", high, kGit, "git's settings lead fetches and pushes elsewhere, or past their checks",
     "Code comes from another place than its address says, or a third one reads it and the token.",
     "interception of fetches and tokens",
     "git config --file FILE --unset-all KEY, or set it for yourself alone: git config --global"},
};

}  // namespace

std::span<const Check> git_checks() { return kChecks; }

}  // namespace ringwall::audit
