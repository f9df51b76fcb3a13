// P12. The workspace is compared in full, content and times included. Of the real home, which may
// be large and belongs to other programs too, the names and modes of the top two levels.
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "base/file.h"
#include "base/path.h"
#include "verify/checks.h"
#include "verify/listing.h"
#include "verify/own_run.h"

namespace ringwall::verify {
namespace {

// One of each kind of thing that a mount point, a mask or a placeholder could disturb.
Status furnish(const std::string& folder) {
  TRY_ASSIGN(Fd top, file::make_dirs(folder));
  TRY(file::make_dirs_at(top.get(), "empty"));
  TRY_ASSIGN(Fd hooks, file::make_dirs_at(top.get(), ".git/hooks"));
  TRY(file::replace_at(hooks.get(), "pre-commit", "#!/bin/sh\n", 0755));
  TRY(file::replace_at(top.get(), "file", "content\n", 0640));
  if (symlinkat("file", top.get(), "link") < 0) return fail_errno("cannot make a symlink");
  Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::string name = path::join(folder, "socket");
  if (name.size() >= sizeof address.sun_path) return fail("the workspace's path is too long");
  memcpy(address.sun_path, name.data(), name.size());
  if (!socket || bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) < 0)
    return fail_errno("cannot make a socket");
  return {};
}

struct Trees {
  std::vector<std::string> workspace;
  std::vector<std::string> home;
};

Trees look(const CheckInputs& inputs) {
  return {list_tree(inputs.folder, {}),
          list_tree(inputs.real_home, {.levels = 2,
                                       .in_full = false,
                                       .left_out = {inputs.state_folder, inputs.busy_folder}})};
}

// Empty if nothing differs.
std::string compare(const Trees& before, const Trees& now, const char* when) {
  std::string what = first_difference(before.workspace, now.workspace);
  if (what.empty()) what = first_difference(before.home, now.home);
  return what.empty() ? "" : escape(what) + " differs " + when;
}

}  // namespace

Result<Verdict> check_untouched(const CheckInputs& inputs) {
  TRY(furnish(inputs.folder));
  OwnRunRequest request{
      .arguments = {"-w", inputs.folder, "--home", inputs.home_name, "--", "/bin/sleep", "600"}};
  Trees before = look(inputs);
  std::string difference;
  auto note = [&](const char* when) {
    if (difference.empty()) difference = compare(before, look(inputs), when);
  };
  for (int end : {SIGTERM, SIGKILL}) {
    TRY_ASSIGN(OwnRun run, OwnRun::start(request));
    TRY(run.wait_until_started(seconds_from_now(kPatience)));
    note("during a run");
    run.signal(end);
    TRY(run.wait(seconds_from_now(kPatience)));
    note(end == SIGKILL ? "after SIGKILL" : "after a run");
  }
  if (!difference.empty()) return Verdict{Finding::breached, difference};
  return Verdict{
      Finding::held,
      "same files in " + std::to_string(before.workspace.size() + before.home.size()) + " places"};
}

}  // namespace ringwall::verify
