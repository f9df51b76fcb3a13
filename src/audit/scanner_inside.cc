// The scanner's process.
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "audit/repository.h"
#include "audit/scanner.h"
#include "base/fd.h"
#include "sandbox/reader_walls.h"

namespace ringwall::audit {
namespace {

constexpr uint64_t kMostMemory = 1u << 30;
constexpr uint64_t kMostSeconds = 60;  // of a processor; the outside has a clock of its own

}  // namespace

Status try_walls(const std::vector<std::string>&, Reporter& reporter) {
  auto tell = [&](std::string act, bool is_done) {
    if (is_done) reporter.add("RW292", std::move(act), 0, "");
  };
  std::string inside = std::string(kRepositoryInside) + "/file";
  tell("read what is shown", Fd(open(inside.c_str(), O_RDONLY | O_CLOEXEC)).get() >= 0);
  tell("write to it", Fd(open(inside.c_str(), O_WRONLY | O_CLOEXEC)).get() >= 0);
  tell("make a file", Fd(open("/made", O_WRONLY | O_CREAT | O_CLOEXEC, 0600)).get() >= 0);
  tell("read the system", Fd(open("/etc/passwd", O_RDONLY | O_CLOEXEC)).get() >= 0);
  tell("look at processes", access("/proc/self", F_OK) == 0);
  tell("make a socket", Fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)).get() >= 0);
  pid_t child = fork();
  if (child == 0) _exit(0);
  tell("start a process", child > 0);
  tell("signal pid 1", kill(1, 0) == 0);
  return {};
}

int work_as_scanner(ScannerTask task, const std::vector<std::string>& arguments) {
  // Within the sandbox's walls: from here on nothing can be started or written either.
  if (!sandbox::enter_reader_walls(kMostMemory, kMostSeconds)) return 1;
  Reporter reporter(1);
  return task(arguments, reporter) && reporter.finish() ? 0 : 1;
}

}  // namespace ringwall::audit
