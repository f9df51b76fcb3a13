// ringwall import: the settings of another sandbox as a policy.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "learn/sensitive_places.h"
#include "policy/import_claude.h"
#include "policy/import_srt.h"
#include "policy/settings_file.h"
#include "prepare/grants.h"
#include "state/places.h"

namespace ringwall::cli {
namespace {

struct Tool {
  std::string_view name;
  const char* usual_file;  // below the home
  policy::Imported (*import)(std::string_view json, const policy::ImportSource& source);
};
constexpr Tool kTools[] = {
    {"claude", ".claude/settings.json", policy::import_claude},
    {"srt", ".srt-settings.json", policy::import_srt},
};

const Tool* find_tool(std::string_view name) {
  for (const Tool& tool : kTools) {
    if (tool.name == name) return &tool;
  }
  return nullptr;
}

Result<std::string> read_settings(const std::string& file) {
  TRY_ASSIGN(Fd fd, file::open(file, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  struct stat facts;
  if (fstat(fd.get(), &facts) < 0) return fail_errno("cannot look at " + text::quote(file));
  if (!S_ISREG(facts.st_mode)) return fail(text::quote(file) + " is not a file");
  auto text = file::read_all(fd.get(), policy::kMostSettings);
  if (!text) text.error().what = text::quote(file) + ": " + text.error().what;
  return text;
}

// A policy that others could write would be refused.
Status write_policy(const std::string& path, const std::string& toml, bool force) {
  std::string name(path::basename(path));
  TRY_ASSIGN(Fd folder, file::open(path::parent(path), O_PATH | O_DIRECTORY));
  if (force) return file::replace_at(folder.get(), name, toml);
  Fd fd(openat(folder.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd && errno == EEXIST)
    return fail(text::quote(path) + " is there already", "choose another, or add --force");
  if (!fd) return fail_errno("cannot make " + text::quote(path));
  return file::write_all(fd.get(), toml);
}

Status import(const Tool& tool, std::string file, const std::string& output, bool force) {
  TRY_ASSIGN(state::Caller caller, state::read_caller());
  TRY_ASSIGN(std::string folder, prepare::read_working_folder());
  file = file.empty() ? path::join(caller.home, tool.usual_file) : path::absolute(file, folder);
  TRY_ASSIGN(std::string json, read_settings(file));
  state::Places places = state::find_places(caller, getenv("XDG_RUNTIME_DIR"));
  TRY_ASSIGN(auto sensitive, learn::SensitivePlaces::collect(caller, places));
  policy::Imported imported = tool.import(
      json, {file, caller.home, file::exists,
             [&](const std::string& path, bool writes) { return sensitive.why(path, writes); }});
  if (imported.mistakes.size() == 1) {
    const policy::Diagnostic& mistake = imported.mistakes[0];
    return fail(mistake.place + ": " + mistake.what, mistake.hint);
  }
  for (const policy::Diagnostic& mistake : imported.mistakes)
    complain(mistake.place + ": " + mistake.what, mistake.hint);
  if (!imported.mistakes.empty()) return fail("nothing was imported");
  if (output.empty()) return file::write_all(STDOUT_FILENO, imported.toml);
  return write_policy(path::absolute(output, folder), imported.toml, force);
}

}  // namespace

int cmd_import(const Invocation& invocation) {
  CommandLine line("Writes the policy that comes nearest to the settings of another sandbox.",
                   "import", "ringwall import claude|srt [FILE] [-o FILE [--force]]");
  line.footer(
      "claude reads a settings.json of Claude Code: its permissions, sandbox and env;\n"
      "normally ~/.claude/settings.json. srt reads a settings file of Anthropic's\n"
      "sandbox-runtime, normally ~/.srt-settings.json. Comments in the policy say what\n"
      "has no equivalent, and what was weaker than it looked: read them first.\n\n"
      "Examples:\n"
      "  ringwall import claude\n"
      "  ringwall import claude .claude/settings.json -o ~/project.toml\n"
      "  ringwall import srt -o ~/srt.toml --force\n"
      "  ringwall run --policy ~/project.toml --explain -- claude");
  std::string tool_name, file, output;
  bool force = false;
  line.add_option("TOOL", tool_name, "claude or srt");
  line.add_option("FILE", file, "its settings file");
  line.add_option("-o,--output", output, "write there and not to standard output")
      .type_name("FILE");
  line.add_flag("--force", force, "replace that file if it is there");
  if (auto status = line.parse(invocation.arguments)) return *status;
  const Tool* tool = find_tool(tool_name);
  if (tool == nullptr) {
    complain(tool_name.empty() ? "which tool's settings?"
                               : "cannot import from " + text::quote(tool_name),
             "known are: claude, srt");
    return kUsageStatus;
  }
  Status done = import(*tool, file, output, force);
  if (done) return 0;
  complain(done.error());
  return kUsageStatus;
}

}  // namespace ringwall::cli
