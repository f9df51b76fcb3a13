#include "verify/own_run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <utility>

#include "base/clock.h"
#include "base/file.h"
#include "verify/answers.h"

namespace ringwall::verify {
namespace {

constexpr size_t kMostOutput = 64 << 10;

struct Ends {
  Fd ours;
  Fd theirs;
};

Result<Ends> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return fail_errno("cannot make a pipe");
  return Ends{Fd(ends[0]), Fd(ends[1])};
}

Result<Ends> make_terminal() {
  Fd near_side(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!near_side || unlockpt(near_side.get()) < 0) return fail_errno("cannot make a terminal");
  Fd far_side(ioctl(near_side.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
  winsize size{24, 80, 0, 0};
  termios modes{};
  if (!far_side || ioctl(far_side.get(), TIOCSWINSZ, &size) < 0 ||
      tcgetattr(far_side.get(), &modes) < 0)
    return fail_errno("cannot make a terminal");
  modes.c_iflag |= IUTF8;
  if (tcsetattr(far_side.get(), TCSANOW, &modes) < 0) return fail_errno("cannot set a terminal");
  return Ends{std::move(near_side), std::move(far_side)};
}

// A person's Ctrl-C is for verify, which ends the run in good order: it has a session of its own.
bool place_stdio(const OwnRunRequest& request, int output, int errors) {
  setsid();
  if (request.at_terminal) {
    int words = request.in_words ? output : errors;
    return ioctl(output, TIOCSCTTY, 0) == 0 && dup2(output, 0) >= 0 && dup2(output, 1) >= 0 &&
           dup2(words, 2) >= 0;
  }
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  return null >= 0 && dup2(null, 0) >= 0 && dup2(output, 1) >= 0 && dup2(errors, 2) >= 0;
}

// Who we are here: about to become `ringwall run`, as if a person had typed it.
[[noreturn]] void become_run(const OwnRunRequest& request, pid_t parent, int output, int errors) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != parent) _exit(1);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (!place_stdio(request, output, errors)) _exit(1);
  for (const std::string& path : request.left_open) {
    if (open(path.c_str(), O_RDONLY) < 0) _exit(1);
  }
  std::vector<char*> arguments = {const_cast<char*>("ringwall"), const_cast<char*>("run")};
  if (!request.in_words) arguments.push_back(const_cast<char*>("--json"));
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

// The text of `key` in a line of JSON; empty if there is none.
std::string text_in(std::string_view line, std::string_view key) {
  boost::system::error_code error;
  boost::json::value value = boost::json::parse(line, error);
  if (error || !value.is_object()) return "";
  const boost::json::value* text = value.get_object().if_contains(key);
  return text == nullptr || !text->is_string() ? "" : std::string(text->get_string());
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
  if (count < 0 && errno == EIO) return false;  // a terminal that nobody holds any more
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
  TRY_ASSIGN(Ends output, request.at_terminal ? make_terminal() : make_pipe());
  TRY_ASSIGN(Ends errors, make_pipe());
  pid_t parent = getpid();
  pid_t pid = fork();
  if (pid < 0) return fail_errno("cannot start a run");
  if (pid == 0) become_run(request, parent, output.theirs.get(), errors.theirs.get());
  OwnRun run;
  run.pid_ = pid;
  run.output_ = std::move(output.ours);
  run.errors_ = std::move(errors.ours);
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

Result<std::string> OwnRun::terminal_path() const {
  char path[64];
  if (ptsname_r(output_.get(), path, sizeof path) != 0) return fail_errno("cannot name a terminal");
  return path;
}

Status OwnRun::type(std::string_view keys) { return file::write_all(output_.get(), keys); }

Result<int> OwnRun::count_unread_keys() const {
  Fd far_side(ioctl(output_.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
  int count = 0;
  if (!far_side || ioctl(far_side.get(), FIONREAD, &count) < 0)
    return fail_errno("cannot look at a terminal");
  return count;
}

Result<std::string> OwnRun::wait_for_event(std::string_view kind, int64_t deadline) {
  size_t start = 0;
  while (true) {
    size_t end;
    while ((end = messages_.find('\n', start)) != std::string::npos) {
      std::string line = messages_.substr(start, end - start);
      if (text_in(line, "event") == kind) return line;
      start = end + 1;
    }
    TRY_ASSIGN(bool more, read_some(errors_.get(), messages_, deadline));
    if (!more) return fail("a run ended too early: " + escape(messages_.substr(0, 400)));
  }
}

Result<std::string> OwnRun::wait_until_started(int64_t deadline) {
  auto line = wait_for_event("run_started", deadline);
  if (!line) line.error().what = "the sandbox did not start: " + line.error().what;
  TRY(line);
  return text_in(*line, "run");
}

Result<std::string> OwnRun::read_line(int64_t deadline) {
  TRY_ASSIGN(std::string line, read_until("\n", deadline));
  line.pop_back();
  return line;
}

std::string OwnRun::read_rest(int64_t deadline) {
  while (clock::monotonic() < deadline) {
    if (!read_some(output_.get(), output_text_, deadline).value_or(false)) break;
  }
  return std::exchange(output_text_, {});
}

Result<std::string> OwnRun::read_until(std::string_view end, int64_t deadline) {
  while (true) {
    size_t at = output_text_.find(end);
    if (at != std::string::npos) {
      std::string text = output_text_.substr(0, at + end.size());
      output_text_.erase(0, text.size());
      return text;
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
  while (output_) {
    TRY_ASSIGN(bool more, read_some(output_.get(), output_text_, deadline));
    if (!more) break;
  }
  int status = 0;
  if (waitpid(pid_, &status, 0) < 0) return fail_errno("cannot wait for a run");
  pid_ = -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace ringwall::verify
