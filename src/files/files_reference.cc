#include "files/files_reference.h"

#include <vector>

#include "base/text.h"
#include "files/hidden.h"
#include "files/protected.h"

namespace ringwall::files {
namespace {

// "a b" as `a`, `b`
std::string as_code(std::string_view patterns) {
  std::vector<std::string> names;
  for (const std::string& pattern : text::split(patterns, ' '))
    names.push_back("`" + pattern + "`");
  return text::join(names, ", ");
}

std::string cell(std::string_view text) { return " " + std::string(text) + " |"; }

constexpr std::string_view kPatterns =
    "A name of these tables fits at any depth: `NAME` is a file or a link, `NAME/` a folder with "
    "all "
    "that lies in it, `A/B` a name in a folder, `*` any characters within one name. Capital and "
    "small "
    "letters are the same, because on some file systems they are. Names in the policy are written "
    "as "
    "in `.gitignore` (see [policy.md](policy.md)): there `A/B` begins at the workspace's top, so "
    "write "
    "`**/A/B` for what stands here as `A/B`.";

constexpr std::string_view kProtectedIntroduction =
    "# Protected files\n\n"
    "Made by `make docs` from `src/files/protected_entries.cc`, by which the program decides as "
    "well; change that, not this page.\n\n"
    "Most escapes that were published are no holes in a kernel: the agent wrote a file, and "
    "something outside ran it later. These files can be read inside, but neither made nor changed: "
    "what is there at the start is mounted read-only; what appears is looked at, and stays only if "
    "it can run nothing.\n\n";

constexpr std::string_view kProtectedPolicy =
    "\n\n`files.protect` (`--protect`) adds names, `files.unprotect` (`--unprotect`) takes them "
    "out: a name of these tables, or a folder such as `tests/fixtures/` with all that lies in it. "
    "A "
    "folder of these tables is protected as a whole; nothing in it can be taken out alone.\n\n"
    "What git's settings, of a repository in a tree, your own or the host's, name in a tree is "
    "protected as well: the folder of core.hooksPath, files of include.path, programs of filters, "
    "aliases and the "
    "like; [git-settings.md](git-settings.md) has them all. Git outside runs or obeys them. A run "
    "is refused where such settings are there and cannot be understood. What they name relative to "
    "the top of a working tree is taken away in worktrees and repositories that a run makes too, "
    "unless it says what the same file at the workspace's top says.\n\n"
    "What the settings of agents and editors call is protected like them: files of the tree that "
    "are named by commands in the JSON files of the start, `.claude/settings.json`, `.mcp.json`, "
    "`.gemini/settings.json`, `.cursor/mcp.json`, `.vscode/tasks.json` and others of their kind. "
    "Those of them that can be written by mistake are read as far as they can be.\n\n"
    "A symbolic link is protected too where it would stand for a folder of these tables, or for "
    "one that holds a name of them.\n\n"
    "Where a link leads counts as well, since programs outside follow it with your rights. A link "
    "that appears in a git folder is taken away, unless git itself makes such (`HEAD` and refs "
    "that stand for others), and so is whatever is neither a file nor a folder there. Elsewhere a "
    "link is taken away that leads into a git folder, to Ringwall's own files, to `/proc`'s ways "
    "to anywhere, to your home folder as a whole, to a name in it that begins with a dot or to "
    "`~/bin`; not to "
    "the caches and installations of tools there. Other links that lead out of the granted folders "
    "stay, and one line at the end of the run names them; a review lists them on top. What lies in "
    "packages is judged by the name that a link elsewhere gives it.\n\n"
    "`GIT` is any git folder: one called `.git`, those below its `modules` and `worktrees`, and "
    "any "
    "other folder that holds `HEAD` with `objects` and `refs`, or `HEAD` with `commondir`. Git "
    "takes "
    "each of them for a repository when it is called there; nested ones were the way of Copilot "
    "CLI "
    "CVE-2026-45033.\n";

std::string_view in_words(Guard guard) {
  switch (guard) {
    case Guard::mount:
      return "";
    case Guard::vetted:
      return " (can be changed, looked at each time)";
    case Guard::folders:
      return " (each folder in it is a git folder)";
    case Guard::content:
      return " (can be made and changed, as long as nothing runs by what it says)";
  }
  return "";
}

constexpr std::string_view kHiddenIntroduction =
    "# Hidden files\n\n"
    "Made by `make docs` from `src/files/hidden_entries.cc`, by which the program decides as well; "
    "change that, not this page.\n\n"
    "Secrets that lie in the workspace cannot be read inside. Some are known by their name. The "
    "others are candidates by their name, and hidden if the secret is found in their first ";

constexpr std::string_view kHiddenPolicy =
    "\n\n`files.hide` (`--hide`) adds names, `files.show` (`--show`) takes them out; a folder "
    "means "
    "all that lies in it. Where a link with such a name leads within the granted folders, the file "
    "there is hidden. A key that only tests use cannot be told from another one: "
    "`--show tests/` shows it.\n\n";

}  // namespace

std::string protected_page() {
  std::string page =
      std::string(kProtectedIntroduction) + std::string(kPatterns) + std::string(kProtectedPolicy);
  std::string_view owner;
  for (const ProtectedEntry& entry : protected_entries()) {
    if (entry.owner != owner) {
      page += "\n## " + std::string(entry.owner) +
              "\n\n| name | run or obeyed by | the attack |\n| --- | --- | --- |\n";
      owner = entry.owner;
    }
    page += "|" + cell(as_code(entry.patterns) + std::string(in_words(entry.guard))) +
            cell(entry.runs) + cell(entry.attack) + "\n";
  }
  page +=
      "\n## What is not protected\n\nOrdinary work must go on. Left out is what agents are asked "
      "to "
      "write, and what runs only when somebody means to run it.\n\n| what | why |\n| --- | --- |\n";
  for (const LeftOut& left : left_unprotected())
    page += "|" + cell(left.what) + cell(left.why) + "\n";
  page +=
      "\nBelow these folders, which package managers and builds fill, only git's, Mercurial's and "
      "Ringwall's own names are protected, and those of `files.protect`: ";
  std::vector<std::string> folders;
  for (const PackageFolder& folder : package_folders())
    folders.push_back("`" + std::string(folder.name) + "/`");
  return page + text::join(folders, ", ") + ".\n";
}

std::string hidden_page() {
  std::string page = std::string(kHiddenIntroduction) + std::to_string(kMostLookedAt / 1024) +
                     " KiB.\n\n" + std::string(kPatterns) + std::string(kHiddenPolicy) +
                     "| name | but not | why it is hidden | decided by |\n"
                     "| --- | --- | --- | --- |\n";
  for (const HiddenEntry& entry : hidden_entries()) {
    page += "|" + cell(as_code(entry.patterns)) +
            cell(entry.except.empty() ? "" : as_code(entry.except)) + cell(entry.what) +
            cell(entry.found_by) + "\n";
  }
  page += "\n## What stays visible\n\n| what | why |\n| --- | --- |\n";
  for (const LeftVisible& left : left_visible())
    page += "|" + cell(left.what) + cell(left.why) + "\n";
  return page;
}

}  // namespace ringwall::files
