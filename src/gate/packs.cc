#include "gate/packs.h"

#include <array>
#include <string>

#include "gate/pack_tables.h"
#include "gate/rules.h"

namespace ringwall::gate {
namespace {

// In the order of policy::tool_packs().
const std::array<Pack, 9> kAll = {kDestructiveFiles, kGitHistory,   kCredentials,
                                  kInfrastructure,   kPrivilege,    kPipeToShell,
                                  kPublishing,       kNestedAgents, kSelfModification};

std::string in_table(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

template <class Row>
std::string row_text(std::string_view what, const Row& row) {
  return "| `" + in_table(what) + "` | " + std::string(name_of(row.answer)) + " | " +
         std::string(row.reason) + " | " + std::string(row.hint) + " |\n";
}

std::string_view use_of(PackPath::Use use) {
  if (use == PackPath::Use::both) return "Read, Edit";
  return use == PackPath::Use::read ? "Read" : "Edit";
}

}  // namespace

std::span<const Pack> packs() { return kAll; }

std::string packs_page() {
  std::string page =
      "# Packs of rules for tools\n\n"
      "Made by `make docs` from the tables in `src/gate/`. All packs are on; `tools.no_packs` "
      "(`--no-pack NAME`) switches one off. They are a guard rail: the walls hold without them. "
      "A rule of your own in `tools.deny` or `tools.ask` comes on top, see "
      "[tools-rules.md](tools-rules.md).\n\n"
      "How a command is written: the program by the last part of its path, `|` between choices; "
      "the next words that are no options; `-r|--recursive` one of these options, alone, joined, "
      "long or shortened; `!-n` none of them is in force; `@home` an operand of this class, "
      "`^home` "
      "one but the last, `>home` where it puts something; `=main` an operand or an option's value "
      "that fits, `%main` a known operand, `~main` an operand in whatever letters; `&x=*` an "
      "option "
      "before "
      "the subcommand; `#3` at least three words; `<fetch` it runs what a downloader writes, "
      "`<any` "
      "what any program does, `<socket` what comes from a connection, `<unknown` code of which "
      "nothing is known.\n\n"
      "| class | operand |\n| --- | --- |\n"
      "| `root` | `/`, or everything in it |\n"
      "| `system` | beneath `/etc`, `/usr`, `/var` …, or a folder at the top |\n"
      "| `home` | a whole home |\n"
      "| `above` | a folder that holds the workspace |\n"
      "| `workspace` | the whole workspace |\n"
      "| `git` | a repository's `.git`, or what it cannot do without |\n"
      "| `agent` | a folder with settings of an agent, or of Ringwall |\n"
      "| `outside` | not in the workspace, and not in a folder for temporary files |\n"
      "| `device` | a disk or the like |\n"
      "| `unknown` | only the running shell knows |\n"
      "| `on-main` | nothing is named, and the branch is main or master |\n"
      "| `all-branches`, `all-files` | all that git knows, by a glob or a folder |\n"
      "| `every-process` | `-1`, which is not the signal |\n"
      "| `ringwall` | Ringwall's own processes |\n\n"
      "Where only an unknown word (`$X`, `$(…)`) could make a rule fit, the answer is ask.\n";
  for (const Pack& pack : packs()) {
    page += "\n## " + std::string(pack.name) + "\n\n" + std::string(pack.summary) + "\n\n" +
            "| command, file or code | answer | why | instead |\n| --- | --- | --- | --- |\n";
    for (const PackCommand& row : pack.commands)
      page += row_text(row.spec, row);
    for (const PackPath& row : pack.paths) {
      std::string what = std::string(use_of(row.use)) + "(" + std::string(row.pattern) + ")";
      if (!row.except.empty()) what += " but " + std::string(row.except);
      page += row_text(what, row);
    }
    for (const PackCode& row : pack.code)
      page += row_text(std::string(row.languages) + " code with " + std::string(row.needle), row);
  }
  return page;
}

}  // namespace ringwall::gate
