#include "review/later_reference.h"

#include <vector>

#include "base/text.h"
#include "review/runs_outside.h"

namespace ringwall::review {
namespace {

constexpr std::string_view kIntroduction =
    "# What runs outside later\n\n"
    "Made by `make docs` from `src/review/later_entries.cc`, by which the program decides as well; "
    "change that, not this page.\n\n"
    "An agent is asked to write source code, and source code runs when somebody means to run it. "
    "These files run, or are obeyed, because of their name: by a build, a test, an installation, a "
    "server after a push. Under review they stand on top of what `ringwall diff` and the end of "
    "the "
    "run show, and `ringwall apply` takes them over only if they are named, as it does with "
    "[protected files](protected-files.md).\n\n"
    "A file counts if its content is new, or if it became executable. In folders that package "
    "managers fill, such as `node_modules`, only protected files count. A `package.json` counts if "
    "its `scripts`, `bin`, `husky`, `lint-staged`, `pre-commit`, `simple-git-hooks`, `gypfile` or "
    "`packageManager` changed, or if it cannot be read; a file that gained a setuid or setgid bit "
    "counts whatever its name.\n\n"
    "A name fits at any depth: `NAME` is a file or a link, `NAME/` a folder with all that lies in "
    "it, `*` any characters within one name. Capital and small letters are the same.\n\n"
    "| name | who runs it |\n|---|---|\n";

}  // namespace

std::string runs_later_page() {
  std::string page(kIntroduction);
  for (const LaterEntry& entry : later_entries()) {
    std::vector<std::string> names;
    for (const std::string& pattern : text::split(entry.patterns, ' '))
      names.push_back("`" + pattern + "`");
    page += "| " + text::join(names, ", ") + " | " + std::string(entry.why) + " |\n";
  }
  return page;
}

}  // namespace ringwall::review
