#include "prepare/start_failure.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "base/fd.h"
#include "base/syscalls.h"
#include "base/text.h"

namespace ringwall::prepare {
namespace {

// Commands that are no programs.
constexpr std::string_view kShellBuiltins[] = {
    ".",     "alias", "bg",   "cd",      "declare", "eval",  "exec",   "exit",   "export",
    "fg",    "jobs",  "let",  "history", "popd",    "pushd", "read",   "return", "set",
    "shopt", "shift", "trap", "source",  "typeset", "umask", "ulimit", "unset",  "wait",
};

bool is_path(const std::string& program) { return program.find('/') != std::string::npos; }

bool is_folder(const std::string& path) {
  struct stat facts;
  return stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode);
}

bool is_for_a_shell(const std::string& program) {
  if (program.find_first_of(" =;|&<>$*") != std::string::npos) return true;
  return std::find(std::begin(kShellBuiltins), std::end(kShellBuiltins), program) !=
         std::end(kShellBuiltins);
}

}  // namespace

std::optional<StartFailure> foresee_start_failure(const Preparation& prepared) {
  const std::string& program = prepared.request.command[0];
  const std::string& found = prepared.toolchain.program;
  if (found.empty()) {
    const char* what = is_path(program) ? "no such file" : "not found in PATH";
    return StartFailure{{program, what, ""}, 127};
  }
  if (is_folder(found)) return StartFailure{{program, "is a folder", ""}, 126};
  if (prepared.toolchain.executable) return std::nullopt;
  return StartFailure{{program, "not executable",
                       "chmod +x " + text::quote(found) + ", on a filesystem that is not noexec"},
                      126};
}

events::CannotRun explain_exec_failure(const std::string& program, int err) {
  switch (err) {
    case ENOENT:
      return {program, "not found inside", "grant its folder: --ro DIR"};
    case ENOEXEC:
      return {program, "its interpreter is not there inside",
              "grant the interpreter's folder: --ro DIR"};
    case EACCES:
      if (is_folder(program)) return {program, "is a folder", ""};
      return {program, "cannot be executed",
              "it needs execute permission, on a filesystem that is not noexec"};
    case ENOTDIR:
      return {program, "the working folder is not there inside", "cd to the workspace"};
    case E2BIG:
      return {program, "the arguments are too long for the kernel",
              "pass them by a file or a pipe"};
    default:
      return {program, strerror(err), ""};
  }
}

events::CannotRun advise(events::CannotRun event, const std::string& start) {
  // A hint that is there already is nearer to the cause.
  if (event.hint.empty() && is_for_a_shell(event.program))
    event.hint = "to run a shell line: " + start + " -- sh -c '…'";
  return event;
}

std::optional<sandbox::LaunchFailure> find_missing_openat2() {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  Fd root(sys::openat2(AT_FDCWD, "/", how));
  if (root) return std::nullopt;
  return sandbox::LaunchFailure{sandbox::Wall::user_namespace, "make the namespaces",
                                Error{"openat2 was refused", errno, {}}};
}

}  // namespace ringwall::prepare
