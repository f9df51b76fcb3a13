#include "machine_audit/page.h"

#include <algorithm>

#include "audit/catalogue.h"
#include "machine_audit/sources.h"

namespace ringwall::machine_audit {
namespace {

constexpr std::string_view kMachine = R"(
## This machine

`ringwall audit` looks at the settings of the agents (yours, those of the project around the current folder, and managed
ones), at MCP servers, hooks and plugins, editors, git, start files of shells, package managers, development containers,
container daemons, and credentials in reach. It needs no root, and as root it looks at root's own home.

- Outside, only names, owners and modes are looked at, and credentials for a sign of what they are (a passphrase, a token
  that never ends). What the files say is read in the same kind of sandbox as a repository: it is shown these files,
  read-only, and nothing else. In a run of Ringwall no second sandbox can be built; there a process reads that can open
  and say, and nothing else, and the report is of what can be seen there.
- What holds is told, not what one file says: where Claude Code lays its files over each other, so does the audit.
- Secrets are never shown, only where they are.
- A file that cannot be read (no UTF-8, no JSON, larger than 4 MB, a device behind a link) is a finding of its own: an
  agent that cannot read it goes by its defaults.

### `--fix`

Mends what can be mended safely, and shows the report of what is left. Safe is what takes a dangerous switch back to
what the guides name (of approvals: to asking), takes out an entry that allows anything, adds a denial, or takes a right
from others. A sandbox that a setting has switched off by name goes back on (Codex' `sandbox_mode` to `workspace-write`,
Cursor's `sandbox.mode` to `enabled`); one that an agent leaves off by itself, as Claude Code and Gemini CLI do, is not
switched on for you. Findings of severity `info` stay, and what needs a decision is only told: also the last of Claude
Code's `allowedDomains`, since an empty list of hosts has let everything through.

- Only files of your own in your home: those of a project are its authors' to change, managed ones root's. Links, files
  behind links or with a second name, files of others, and files with access lists are left alone, and it says so.
- The smallest part of a file changes; comments, layout, line ends and mode stay. Each change is tried on the text first:
  the file must read as before, without that finding and without a new one. Where that is not so (a comment beside an
  entry, on its line or between it and the next, may be about it) nothing is changed, and it says which finding was left
  and why.
- A copy of each file is kept below `~/.local/state/ringwall/audit/backups/`, in a folder for each time, and for each file
  the command is printed that brings the old one back. Without a copy nothing is changed. `--fix` a second time changes
  nothing.

### What is read

| whose settings | yours, below `~` | the project's | managed |
| --- | --- | --- | --- |
)";

std::string paths_of(std::string_view name, FileScope scope) {
  std::string paths;
  for (const MachineSource& source : machine_sources()) {
    if (source.scope != scope || name_of(source.topic) != name) continue;
    if (!paths.empty()) paths += ", ";
    paths +=
        "`" + std::string(scope == FileScope::managed ? "/" : "") + std::string(source.path) + "`";
  }
  return paths;
}

}  // namespace

std::string audit_page() {
  std::string page(kMachine);
  std::string told;
  for (const MachineSource& source : machine_sources()) {
    std::string name(name_of(source.topic));
    if (told.find("|" + name + "|") != std::string::npos) continue;
    told += "|" + name + "|";
    page += "| " + name + " | " + paths_of(name, FileScope::person) + " | " +
            paths_of(name, FileScope::project) + " | " + paths_of(name, FileScope::managed) +
            " |\n";
  }
  // Before the first table of checks.
  std::string checks = audit::catalogue_page();
  return checks.insert(std::min(checks.find("\n## "), checks.size()), page);
}

}  // namespace ringwall::machine_audit
