#include "verify/own_run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <utility>

#include "base/clock.h"
#include "verify/answers.h"

namespace ringwall::verify {
namespace {

constexpr size_t kMostOutput = 64 << 10;

// Who we are here: about to become `ringwall run`, as if a person had typed it.
[[noreturn]] void become_run(const OwnRunRequest& request, pid_t parent, int output, int errors) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != parent) _exit(1);
  setsid();  // a person's Ctrl-C is for verify, which ends us in good order
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0 || dup2(null, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0) _exit(1);
  for (const std::string& path : request.left_open) {
    if (open(path.c_str(), O_RDONLY) < 0) _exit(1);
  }
  std::vector<char*> arguments = {const_cast<char*>("ringwall"), const_cast<char*>("run"),
                                  const_cast<char*>("--json")};
  for (const std::string& argument : request.arguments)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  std::vector<char*> variables;
  for (char** entry = environ; *entry != nullptr; entry++)
    variables.push_back(*entry);
  if (!request.variable.empty()) variables.push_back(const_cast<char*>(request.variable.c_str()));
  variables.push_back(nullptr);
  if (request.before_exec && !request.before_exec()) _exit(kPreparationFailed);
  execve("/proc/self/exe", arguments.data(), variables.data());
  _exit(kPreparationFailed);
}

// The name in the event that says so; nothing if it is another event.
std::optional<std::string> name_of_started(std::string_view line) {
  boost::system::error_code error;
  boost::json::value value = boost::json::parse(line, error);
  if (error || !value.is_object()) return std::nullopt;
  const boost::json::value* event = value.get_object().if_contains("event");
  const boost::json::value* run = value.get_object().if_contains("run");
  if (event == nullptr || !event->is_string() || event->get_string() != "run_started" ||
      run == nullptr || !run->is_string()) {
    return std::nullopt;
  }
  return std::string(run->get_string());
}

// Appends what is there; false at the end or when the time is over.
Result<bool> read_some(int fd, std::string& text, int64_t deadline) {
  int64_t left = deadline - clock::monotonic();
  pollfd wait{fd, POLLIN, 0};
  int ready = poll(&wait, 1, left <= 0 ? 0 : static_cast<int>(left / 1'000'000) + 1);
  if (ready < 0) return fail_errno("cannot wait for a run");
  if (ready == 0) return fail("a run did not answer in time");
  char buffer[4096];
  ssize_t count = read(fd, buffer, sizeof buffer);
  if (count < 0) return fail_errno("cannot read from a run");
  text.append(buffer, static_cast<size_t>(count));
  if (text.size() > kMostOutput) return fail("a run said too much");
  return count > 0;
}

}  // namespace

int64_t seconds_from_now(int seconds) {
  return clock::monotonic() + static_cast<int64_t>(seconds) * 1'000'000'000;
}

OwnRun::OwnRun(OwnRun&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      output_(std::move(other.output_)),
      errors_(std::move(other.errors_)),
      output_text_(std::move(other.output_text_)),
      messages_(std::move(other.messages_)) {}

Result<OwnRun> OwnRun::start(const OwnRunRequest& request) {
  int output[2], errors[2];
  if (pipe2(output, O_CLOEXEC) < 0) return fail_errno("cannot make a pipe");
  Fd output_read(output[0]), output_write(output[1]);
  if (pipe2(errors, O_CLOEXEC) < 0) return fail_errno("cannot make a pipe");
  Fd errors_read(errors[0]), errors_write(errors[1]);
  pid_t parent = getpid();
  pid_t pid = fork();
  if (pid < 0) return fail_errno("cannot start a run");
  if (pid == 0) become_run(request, parent, output_write.get(), errors_write.get());
  OwnRun run;
  run.pid_ = pid;
  run.output_ = std::move(output_read);
  run.errors_ = std::move(errors_read);
  return run;
}

OwnRun::~OwnRun() {
  if (pid_ < 0) return;
  kill(pid_, SIGTERM);
  if (wait(seconds_from_now(1))) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void OwnRun::signal(int number) {
  if (pid_ > 0) kill(pid_, number);
}

Result<std::string> OwnRun::wait_until_started(int64_t deadline) {
  size_t start = 0;
  while (true) {
    size_t end;
    while ((end = messages_.find('\n', start)) != std::string::npos) {
      if (auto name = name_of_started(std::string_view(messages_).substr(start, end - start)))
        return *name;
      start = end + 1;
    }
    TRY_ASSIGN(bool more, read_some(errors_.get(), messages_, deadline));
    if (!more) return fail("the sandbox did not start: " + escape(messages_.substr(0, 400)));
  }
}

Result<std::string> OwnRun::read_line(int64_t deadline) {
  while (true) {
    size_t end = output_text_.find('\n');
    if (end != std::string::npos) {
      std::string line = output_text_.substr(0, end);
      output_text_.erase(0, end + 1);
      return line;
    }
    TRY_ASSIGN(bool more, read_some(output_.get(), output_text_, deadline));
    if (more) continue;
    (void)read_some(errors_.get(), messages_, deadline);  // best effort: the words for the error
    return fail("a run ended too early: " + escape(messages_.substr(0, 400)));
  }
}

Result<int> OwnRun::wait(int64_t deadline) {
  // Both pipes are closed when nothing of the run is left.
  while (true) {
    TRY_ASSIGN(bool more, read_some(errors_.get(), messages_, deadline));
    if (!more) break;
  }
  while (true) {
    TRY_ASSIGN(bool more, read_some(output_.get(), output_text_, deadline));
    if (!more) break;
  }
  int status = 0;
  if (waitpid(pid_, &status, 0) < 0) return fail_errno("cannot wait for a run");
  pid_ = -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace ringwall::verify
