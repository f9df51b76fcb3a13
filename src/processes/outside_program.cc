#include "processes/outside_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"
#include "base/pipe.h"
#include "base/spawn_program.h"
#include "base/text.h"
#include "sandbox/toolchain.h"

namespace ringwall::processes {
namespace {

constexpr size_t kMostOutput = 256 << 10;

constexpr std::string_view kPath = "PATH=";
constexpr const char* kUsualPath = "/usr/local/bin:/usr/bin:/bin";  // where none is left

// Neither as it is named nor where its links lead.
bool is_in_reach_by_links(const std::string& path, const IsInReach& is_in_reach) {
  sandbox::Way way = sandbox::follow_links(path);
  return is_in_reach(path) || is_in_reach(way.end) ||
         std::ranges::any_of(
             way.links, [&](const sandbox::LinkOnTheWay& link) { return is_in_reach(link.path); });
}

// Folders that are not named from the root are the working folder's, which is another one there.
std::string safe_search_path(std::string_view folders, const IsInReach& is_in_reach) {
  std::string kept;
  for (const std::string& folder : text::split(folders, ':')) {
    bool is_safe = folder.starts_with('/') &&
                   !is_in_reach_by_links(path::join(path::absolute(folder, "/"), "x"), is_in_reach);
    if (is_safe) kept += (kept.empty() ? "" : ":") + folder;
  }
  return kept.empty() ? kUsualPath : kept;
}

// Paths stand in lists, options and addresses of every kind.
bool names_something_in_reach(std::string_view value, const IsInReach& is_in_reach) {
  size_t at = 0;
  while ((at = value.find('/', at)) != value.npos) {
    size_t end = std::min(value.find_first_of(":;,= \t\n'\"", at), value.size());
    std::string path = path::absolute(value.substr(at, end - at), "/");
    if (is_in_reach_by_links(path, is_in_reach)) return true;
    at = end;
  }
  return false;
}

std::string_view search_path_among(const std::vector<std::string>& variables) {
  for (std::string_view variable : variables) {
    if (variable.starts_with(kPath)) return variable.substr(kPath.size());
  }
  return kUsualPath;
}

Result<pid_t> spawn(const OutsideProgram& program, int input, int output) {
  std::string file = sandbox::locate_program(
      program.command[0], std::string(search_path_among(program.variables)), "/");
  if (file.empty()) return fail("there is no program " + text::quote(program.command[0]));
  return process::spawn_program({.file = file,
                                 .words = program.command,
                                 .variables = program.variables,
                                 .stdio = {input, output, process::ProgramStart::kNowhere},
                                 .folder = "/"});
}

// False: it took too long, or said too much.
bool read_until(int fd, int64_t deadline, std::string& out) {
  while (out.size() <= kMostOutput) {
    int64_t left = (deadline - clock::monotonic()) / 1'000'000;
    pollfd waits{fd, POLLIN, 0};
    if (left <= 0 || poll(&waits, 1, static_cast<int>(left)) == 0) return false;
    char buffer[4096];
    ssize_t count = read(fd, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0;
    out.append(buffer, static_cast<size_t>(count));
  }
  return false;
}

}  // namespace

std::vector<std::string> variables_for_outside(const IsInReach& is_in_reach) {
  std::vector<std::string> kept = {"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=true", "SSH_ASKPASS=true"};
  for (char** entry = environ; *entry != nullptr; entry++) {
    std::string_view variable(*entry);
    bool unwanted = variable.starts_with("GIT_") || variable.starts_with("SSH_ASKPASS") ||
                    variable.starts_with("LD_");
    if (unwanted) continue;
    if (variable.starts_with(kPath)) {
      kept.push_back(std::string(kPath) +
                     safe_search_path(variable.substr(kPath.size()), is_in_reach));
    } else if (!names_something_in_reach(variable, is_in_reach)) {
      kept.emplace_back(variable);
    }
  }
  return kept;
}

std::string locate_outside(const std::string& program, const std::vector<std::string>& variables,
                           const IsInReach& is_in_reach) {
  std::string file =
      sandbox::locate_program(program, std::string(search_path_among(variables)), "/");
  return !file.empty() && is_in_reach_by_links(file, is_in_reach) ? "" : file;
}

Result<pid_t> start_outside(const OutsideProgram& program) {
  return spawn(program, process::ProgramStart::kNowhere, process::ProgramStart::kNowhere);
}

Result<OutsideProcess> OutsideProcess::start(OutsideProgram program, std::string_view input) {
  TRY_ASSIGN(Pipe to, make_pipe());
  TRY_ASSIGN(Pipe from, make_pipe());
  TRY_ASSIGN(pid_t pid, spawn(program, to.read.get(), from.write.get()));
  to.read.close();
  from.write.close();
  // Less than a pipe holds; who does not read it has no use for it.
  (void)file::write_all(to.write.get(), input);
  int64_t until = clock::monotonic() + int64_t{program.patience} * 1'000'000;
  return OutsideProcess(std::move(program.command[0]), pid, std::move(from.read), until);
}

OutsideProcess& OutsideProcess::operator=(OutsideProcess&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(pid_, other.pid_);
  std::swap(output_, other.output_);
  std::swap(until_, other.until_);
  return *this;
}

int OutsideProcess::end() {
  int status = 0;
  if (pid_ <= 0) return status;
  kill(pid_, SIGKILL);
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return status;
}

Result<std::string> OutsideProcess::finish() {
  std::string out;
  if (!read_until(output_.get(), until_, out)) {
    end();
    return fail(text::quote(name_) + " did not end in time");
  }
  // Who has closed its output is about to end.
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return fail(text::quote(name_) + " failed");
  return out;
}

Result<std::string> run_outside(OutsideProgram program, std::string_view input) {
  TRY_ASSIGN(OutsideProcess process, OutsideProcess::start(std::move(program), input));
  return process.finish();
}

}  // namespace ringwall::processes
