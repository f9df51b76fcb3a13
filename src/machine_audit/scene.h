// What an audit of this machine has read, and where its checks put what they find. The checks are
// pure: they look at the scene and nothing else, so they run in the scanner's sandbox, and once
// more, over the person's own files, where --fix plans its changes.
#pragma once

#include <expected>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/finding.h"
#include "audit/settings.h"
#include "git/config.h"
#include "machine_audit/sources.h"

namespace ringwall::machine_audit {

using audit::Finding;
using audit::Setting;

// One file.
struct MachineFile {
  Topic topic = Topic::claude;
  FileScope scope = FileScope::person;
  FileFormat format = FileFormat::json;
  std::string path;  // on the host
  std::string text;
  Setting root;         // of json, toml and lines
  git::GitConfig git;   // of git
  std::string mistake;  // why it could not be read; nothing else counts then
  size_t mistake_line = 0;
};

// Reads by the document's format; a mistake is noted in it.
void read_document(MachineFile& document);

struct Scene {
  std::string home;
  std::string project;
  std::set<Topic> in_use;                // agents that have a folder in the home
  std::vector<std::string> credentials;  // files of the home that hold some: ".ssh", ".aws"
  std::vector<MachineFile> documents;    // of each topic, those first that count more

  // The first that says something about it, in the order of the documents.
  struct Said {
    const MachineFile* document = nullptr;
    const Setting* value = nullptr;
  };
  Said first(Topic topic, std::string_view way) const;
  bool uses(Topic topic) const;
  // The person's own file of a topic, where a change belongs; null if there is none.
  const MachineFile* own(Topic topic) const;

  // "~/x", "$HOME/x" and "/x" as a path, the rest below the project.
  std::string resolve(std::string_view path) const;
  // True of /, of folders that hold the home, and of the home itself.
  bool is_wide(std::string_view path) const;
};

// A change of bytes in a document, which makes one finding go.
struct TextEdit {
  size_t begin = 0, end = 0;
  std::string text;
};

// Or why a finding that --fix mends elsewhere is left here; empty where it never is.
using Edit = std::expected<TextEdit, std::string_view>;
inline std::unexpected<std::string_view> no_edit(std::string_view why = {}) {
  return std::unexpected(why);
}

// Findings, with the edit that mends each, if there is a safe one.
class MachineDesk {
 public:
  struct Entry {
    Finding finding;
    const MachineFile* document = nullptr;
    std::optional<TextEdit> edit;
    std::string_view why_not;  // see Edit
  };

  void add(std::string_view number, const MachineFile& document, size_t line, std::string_view seen,
           std::string_view fix = {}, const Edit& edit = no_edit());
  // About a file that is not there.
  void add_at(std::string_view number, const std::string& path, std::string_view seen,
              std::string_view fix = {});

  std::vector<Entry>& entries() { return entries_; }

 private:
  std::vector<Entry> entries_;
};

// Runs every check that looks at documents.
MachineDesk look_at_machine(const Scene& scene);

void look_at_rules(const Scene& scene, MachineDesk& desk);
void look_at_claude(const Scene& scene, MachineDesk& desk);
void look_at_claude_lists(const Scene& scene, MachineDesk& desk);
void look_at_codex(const Scene& scene, MachineDesk& desk);
void look_at_gemini(const Scene& scene, MachineDesk& desk);
void look_at_cursor(const Scene& scene, MachineDesk& desk);
void look_at_opencode(const Scene& scene, MachineDesk& desk);
void look_at_trust(const Scene& scene, MachineDesk& desk);
void look_at_editors(const Scene& scene, MachineDesk& desk);
void look_at_servers(const Scene& scene, MachineDesk& desk);
void look_at_hooks(const Scene& scene, MachineDesk& desk);
void look_at_git(const Scene& scene, MachineDesk& desk);
void look_at_shells(const Scene& scene, MachineDesk& desk);
void look_at_packages(const Scene& scene, MachineDesk& desk);
void look_at_devcontainers(const Scene& scene, MachineDesk& desk);
void look_at_reach(const Scene& scene, MachineDesk& desk);
void look_at_mistakes(const Scene& scene, MachineDesk& desk);

// Edits of the smallest part.
// `name` is the setting's own, without what leads to it.
Edit set_value(const MachineFile& document, const Setting& value, std::string_view name,
               std::string_view literal);
Edit remove_entry(const MachineFile& document, const Setting& list, size_t entry);
Edit add_member(const MachineFile& document, const Setting& object, std::string_view name,
                std::string_view literal);
Edit remove_line(const MachineFile& document, size_t line);

// "KEY = VALUE" lines of any of the usual forms, by section: "global.index-url".
Setting read_line_settings(std::string_view text);

// A text that fetches something and runs it: curl … | sh, base64 -d | bash, eval "$(curl …)",
// curl -o FILE … && sh FILE, python3 -c "exec(urlopen(…))".
bool runs_a_download(std::string_view command);

// Files that the lines of a script fetch, so that it is seen when a later one runs one of them.
class FetchedFiles {
 public:
  bool runs_one(std::string_view text);

 private:
  static constexpr size_t kMost = 50;
  std::vector<std::string> files_;
};
// In a folder that everybody may write into.
bool lies_in_the_open(std::string_view word);
// http:// that leads to another machine.
bool is_plain_address(std::string_view url);

}  // namespace ringwall::machine_audit
