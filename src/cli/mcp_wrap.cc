#include "cli/mcp_wrap.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdio>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/options.h"
#include "cli/output.h"
#include "mcp/wrap_config.h"
#include "prepare/grants.h"

namespace ringwall::cli {
namespace {

constexpr const char* kHelp = R"(Examples:
  ringwall mcp wrap .mcp.json                   print it, each server run behind the walls
  ringwall mcp wrap .cursor/mcp.json --in-place write it back
  ringwall mcp wrap ~/.codex/config.toml        [mcp_servers.NAME] of Codex

Servers that are reached by a URL run elsewhere: they are left as they are, and named.
What a server needs beyond the workspace is granted in its args, before the --.)";

Result<std::string> read_config(const std::string& file) {
  TRY_ASSIGN(Fd fd, file::open(file, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  struct stat facts;
  if (fstat(fd.get(), &facts) < 0) return fail_errno("cannot look at " + text::quote(file));
  if (!S_ISREG(facts.st_mode)) return fail(text::quote(file) + " is not a file");
  return file::read_all(fd.get());
}

// With the mode that it had: such a file may hold keys.
Status write_back(const std::string& file, const std::string& text) {
  struct stat facts;
  if (lstat(file.c_str(), &facts) < 0) return fail_errno("cannot look at " + text::quote(file));
  if (!S_ISREG(facts.st_mode))
    return fail(text::quote(file) + " is no plain file", "name the file that it leads to");
  TRY_ASSIGN(Fd folder, file::open(path::parent(file), O_PATH | O_DIRECTORY));
  return file::replace_at(folder.get(), std::string(path::basename(file)), text,
                          facts.st_mode & 0777);
}

}  // namespace

Result<int> wrap_mcp_config(const std::vector<std::string>& arguments) {
  CommandLine line("Rewrites a list of MCP servers so that each runs behind the walls.", "mcp wrap",
                   "ringwall mcp wrap FILE [--in-place]");
  line.footer(kHelp);
  std::string named, program = "ringwall";
  bool in_place = false;
  line.add_option("FILE", named, ".mcp.json, .cursor/mcp.json, settings.json, config.toml")
      .required();
  line.add_flag("--in-place", in_place, "write it back, in place of printing it");
  line.add_option("--program", program, "how ringwall is started there").type_name("PATH");
  if (auto status = line.parse(arguments)) return *status;
  TRY_ASSIGN(std::string folder, prepare::read_working_folder());
  std::string file = path::absolute(named, folder);
  TRY_ASSIGN(std::string text, read_config(file));
  auto wrapped =
      file.ends_with(".toml") ? mcp::wrap_toml(text, program) : mcp::wrap_json(text, program);
  if (!wrapped) return fail(text::quote(named) + " " + wrapped.error().what, wrapped.error().hint);
  if (in_place) {
    if (!wrapped->servers.empty()) TRY(write_back(file, wrapped->text));
  } else {
    TRY(file::write_all(1, wrapped->text));
  }
  auto say = [](const char* what, const std::vector<std::string>& names) {
    for (const std::string& name : names)
      fprintf(stderr, "ringwall: %s %s\n", what, name.c_str());
  };
  say("wrapped", wrapped->servers);
  say("wrapped before:", wrapped->before);
  say("left as it is:", wrapped->left);
  return 0;
}

}  // namespace ringwall::cli
