// ringwall learn: a command behind the walls, and what it missed.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "base/syscalls.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/learned_show.h"
#include "cli/output.h"
#include "cli/run_line.h"
#include "desks/risk_desk.h"
#include "prepare/grants.h"
#include "processes/forwarded_signals.h"
#include "sandbox/toolchain.h"
#include "session/run.h"
#include "verify/builtin.h"

namespace ringwall::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  ringwall learn -- cargo build              what does it miss here?
  ringwall learn --ro ~/data -- make         on top of what is granted already
  ringwall learn --write ~/make.toml -- make
  ringwall run --policy ~/make.toml -- make  with it, once you have read it
  ringwall learn --json -- pytest 2>found    as data

All walls stand as in `ringwall run`, and nothing is granted: what was refused
is counted, and the smallest additions that would give it are printed on stderr.
Credentials, sockets, private networks and the like are listed and left out.
Every call that names a file is traced, which costs time: 15 % for a small
compile, while `git status` takes three to four times as long.

Exit status: as of `ringwall run`.)";

int refuse(const Error& error, bool json) {
  tell(events::Refused{"", error.text(), error.hint}, json);
  return kUsageStatus;
}

// The real path of a file that is to be made.
Result<std::string> check_place(const std::string& name) {
  TRY_ASSIGN(std::string folder, prepare::read_working_folder());
  std::string path = path::absolute(name, folder);
  struct stat facts;
  if (lstat(path.c_str(), &facts) == 0)
    return fail(text::quote(path) + " is there already", "name a new file");
  std::string parent = sandbox::follow_links(path::parent(path)).end;
  if (access(parent.c_str(), W_OK | X_OK) < 0)
    return fail_errno("no file can be made in " + text::quote(parent), "name another folder");
  return path::join(parent, path::basename(path));
}

// New, and through no link that came meanwhile.
Status write_new(const std::string& path, const std::string& text) {
  open_how how{};
  how.flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  how.mode = 0600;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  Fd file(sys::openat2(AT_FDCWD, path.c_str(), how));
  if (!file) return fail_errno("cannot make " + text::quote(path));
  return file::write_all(file.get(), text);
}

// Our own words that a later `run` needs too.
std::vector<std::string> words_for_run(const std::vector<std::string>& own) {
  std::vector<std::string> kept;
  for (size_t i = 0; i < own.size(); i++) {
    if (own[i] == "--write") {
      i++;
    } else if (!own[i].starts_with("--write=") && own[i] != "--json") {
      kept.push_back(own[i]);
    }
  }
  return kept;
}

void show(const policy::Proposal& proposal, LearnedView view, const std::string& file, bool json,
          session::Listeners& listeners) {
  if (!file.empty() && !proposal.entries.empty()) {
    Status written = write_new(file, proposal.toml());
    if (written)
      view.written = file;
    else
      listeners.tell(events::Refused{"", written.error().text(), written.error().hint});
  }
  listeners.show(json ? learned_json(proposal, view) + "\n" : show_learned(proposal, view));
}

}  // namespace

int cmd_learn(const Invocation& invocation) {
  CommandLine line("Runs a command behind the walls and proposes what it missed.", "learn",
                   "ringwall learn [OPTIONS] [--] COMMAND [ARGUMENTS…]");
  line.footer(kExamples);
  RunOptions options;
  std::string file;
  prepare::RunRequest request;
  request.learn = true;
  PolicyFlags flags(line, invocation.arguments);
  add_run_options(line, options, request);
  line.add_option("--write", file, "write the proposal into a new file, for run --policy")
      .type_name("FILE");
  line.add_flag("--json", options.json, "messages and the proposal as JSON, one object a line");
  std::vector<std::string> own = split_command(line, invocation.arguments, options.command);
  if (auto status = line.parse(own)) return *status;
  if (options.command.empty()) {
    return refuse({"no command to learn from", 0,
                   "try: ringwall learn -- COMMAND, or: ringwall learn --help"},
                  options.json);
  }
  request.command = options.command;
  if (Status loaded = load_whole_policy(options, flags, request, true); !loaded)
    return refuse(loaded.error(), options.json);
  request.policy.risk = desks::without_levels(request.policy.risk);
  if (!file.empty()) {
    auto place = check_place(file);
    if (!place) return refuse(place.error(), options.json);
    file = *place;
    // It is to be a policy: where the agent could change it, it is refused as one.
    request.policy_files.push_back(file);
  }
  bool colours = wants_colours(stderr);
  LearnedView view{request.caller.home, words_for_run(own), options.command, "", colours};
  session::Listeners listeners(2, words_with_advice("ringwall learn", options.json, colours));
  int status =
      session::run(request, {.tell = [&](const events::Event& event) { listeners.tell(event); },
                             .listeners = &listeners,
                             .start_area = invocation.start_area,
                             .run_builtin = verify::run_builtin,
                             .learned =
                                 [&](const policy::Proposal& found) {
                                   show(found, view, file, options.json, listeners);
                                 }});
  // The proposal is what was asked for: its reader may take the time it needs, until a signal
  // comes.
  auto signals = processes::take_signals();
  listeners.finish(signals ? signals->get() : -1, -1);
  return status;
}

}  // namespace ringwall::cli
