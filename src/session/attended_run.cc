#include "session/attended_run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/channel.h"
#include "base/file_id.h"
#include "base/path.h"
#include "base/syscalls.h"
#include "base/text.h"
#include "clients/front_end.h"
#include "clients/viewer_ends.h"
#include "processes/forwarded_signals.h"
#include "sandbox/toolchain.h"
#include "session/listeners.h"
#include "session/supervise.h"
#include "state/control.h"

namespace ringwall::session {
namespace {

std::vector<std::string> folders_the_run_may_change(const prepare::Preparation& prepared) {
  std::vector<std::string> folders;
  for (const sandbox::Grant& grant : prepared.granted.grants) {
    if (grant.access == sandbox::Access::write) folders.push_back(grant.path);
  }
  for (const sandbox::HomeState& state : prepared.home.state)
    folders.push_back(state.source);
  for (const sandbox::CacheLayer& cache : prepared.home.caches)
    folders.push_back(cache.upper);
  return folders;
}

bool is_same_folder(const std::string& one, const std::string& other) {
  struct stat first, second;
  return stat(one.c_str(), &first) == 0 && stat(other.c_str(), &second) == 0 &&
         file::is_same(first, second);
}

// Whoever is recorded must not be able to empty or remove the recording.
Status check_place_of_recording(const prepare::Preparation& prepared, const std::string& real) {
  std::vector<std::string> folders = folders_the_run_may_change(prepared);
  for (std::string at = path::parent(real);; at = path::parent(at)) {
    for (const std::string& folder : folders) {
      if (!is_same_folder(at, folder)) continue;
      return fail("the recording " + text::quote(real) + " would lie in " + text::quote(folder) +
                      ", which the run may change",
                  "name a file elsewhere, such as " +
                      text::quote(path::join(prepared.caller.home, path::basename(real))));
    }
    if (at == "/" || at == path::parent(at)) return {};
  }
}

// A new file, and by no link that an earlier agent could have left in the workspace.
Result<Fd> make_recording(const prepare::Preparation& prepared, const std::string& folder) {
  const std::string& name = prepared.request.recording;
  if (name.empty()) return Fd();
  std::string path = path::absolute(name, folder);
  std::string real =
      path::join(sandbox::follow_links(path::parent(path)).end, path::basename(path));
  TRY(check_place_of_recording(prepared, real));
  open_how how{};
  how.flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  how.mode = 0600;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  Fd file(sys::openat2(AT_FDCWD, real.c_str(), how));
  if (file) return file;
  if (errno == EEXIST)
    return fail("the recording " + text::quote(path) + " is there already", "name a new file");
  return fail_errno("cannot make the recording " + text::quote(path));
}

struct Ends {
  channel::Pair control;
  clients::ViewerEnds viewer;
  Fd messages;      // stays with the front end
  Fd messages_far;  // the supervisor's stderr
  Fd recording;
  terminal::DetachKeys keys;
};

Result<terminal::DetachKeys> read_detach_keys(const policy::Text& wanted) {
  if (wanted.value.empty()) return terminal::DetachKeys::parse(terminal::kDefaultDetachKeys);
  auto keys = terminal::DetachKeys::parse(wanted.value);
  if (!keys) keys.error().what.insert(0, wanted.origin.text() + ": ");
  return keys;
}

Result<Ends> make_ends(const prepare::Preparation& prepared,
                       const std::optional<terminal::OwnTerminal>& own) {
  Ends ends;
  TRY_ASSIGN(ends.keys, read_detach_keys(prepared.request.policy.terminal.detach_keys));
  TRY_ASSIGN(std::string folder, prepare::read_working_folder());
  TRY_ASSIGN(ends.recording, make_recording(prepared, folder));
  TRY_ASSIGN(ends.control, channel::make_pair());
  if (!prepared.request.detach && own) {
    TRY_ASSIGN(ends.viewer, clients::make_viewer(*own));
  }
  int pipe[2];
  if (pipe2(pipe, O_CLOEXEC) < 0) return fail_errno("cannot make a pipe");
  ends.messages = Fd(pipe[0]);
  ends.messages_far = Fd(pipe[1]);
  return ends;
}

// The supervisor: of the person's terminal it keeps nothing but the descriptor that the relay gets.
Status become_supervisor(Ends& ends, processes::Stdio& stdio,
                         std::optional<terminal::OwnTerminal>& own) {
  if (own) own->let_go();
  ends.control.ours.close();
  ends.viewer.near.close();
  ends.viewer.pump.close();
  ends.messages.close();
  if (setsid() < 0) return fail_errno("cannot leave the terminal's session");
  // What passes to the inside from descriptor 2 is needed until the launch; 2 itself is for us.
  TRY(stdio.move_errors());
  if (dup2(ends.messages_far.get(), 2) < 0) return fail_errno("cannot set up messages");
  ends.messages_far.close();
  return {};
}

int status_of(pid_t supervisor) {
  int status = 0;
  if (waitpid(supervisor, &status, 0) < 0 || !WIFEXITED(status)) return kRefusedStatus;
  return WEXITSTATUS(status);
}

// Its descriptors that passed to the inside are not ours any more.
void keep_only_terminal(const processes::Stdio& stdio) {
  Fd null(open("/dev/null", O_RDWR | O_CLOEXEC));
  for (int fd = 0; fd < 2; fd++) {
    if (!stdio.terminal->stdio[fd] && null && dup2(null.get(), fd) < 0) return;
  }
}

// Ctrl-C ends what runs inside; the rest of the job, and a loop of the shell around it, must hear
// of it too, as if it had been typed at them. What runs inside can end by SIGINT when it likes, and
// must not interrupt others by that.
void die_of_the_same(const clients::Parting& parting) {
  if (parting.text != std::to_string(SIGINT)) return;
  signal(SIGINT, SIG_DFL);
  kill(parting.interrupted ? 0 : getpid(), SIGINT);
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  sigprocmask(SIG_UNBLOCK, &interrupt, nullptr);
}

int show_run(const RunHooks& hooks, const prepare::Preparation& prepared, Ends ends, Fd signals,
             terminal::OwnTerminal& own, pid_t supervisor, bool foreground) {
  const std::string& name = prepared.plan.run_name;
  clients::Parting parting = clients::run_front_end({own,
                                                     std::move(signals),
                                                     std::move(ends.control.ours),
                                                     std::move(ends.viewer.near),
                                                     std::move(ends.messages),
                                                     std::move(ends.viewer.pump),
                                                     std::move(ends.keys),
                                                     false,
                                                     foreground,
                                                     {},
                                                     prepared.request.learn,
                                                     false});
  switch (parting.kind) {
    case clients::Parting::Kind::ended:
      die_of_the_same(parting);
      if (parting.value < 128) status_of(supervisor);
      return parting.value;
    case clients::Parting::Kind::detached:
    case clients::Parting::Kind::replaced:
      hooks.tell(events::Detached{name, parting.kind == clients::Parting::Kind::replaced});
      return 0;
    default:
      break;
  }
  int status = 0;
  if (waitpid(supervisor, &status, 0) == supervisor && WIFEXITED(status))
    return WEXITSTATUS(status);
  hooks.tell(
      events::Refused{"", "the run's supervisor was killed: nothing of the run is left", ""});
  return kRefusedStatus;
}

// Until there is an answer; or a signal comes that means us, which is given back.
std::optional<int> wait_for_answer(int control, int signals) {
  while (true) {
    pollfd waits[] = {{control, POLLIN, 0}, {signals, POLLIN, 0}};
    if (poll(waits, 2, -1) < 0 && errno != EINTR) return std::nullopt;
    if (waits[0].revents != 0) return std::nullopt;
    auto signal = waits[1].revents != 0 ? processes::take_end(signals) : std::nullopt;
    if (signal) return signal;
  }
}

// The run was started and nobody looks: its name is all there is to say.
int wait_for_start(const prepare::Preparation& prepared, Ends ends, Fd signals, pid_t supervisor) {
  int control = ends.control.ours.get();
  auto signal = wait_for_answer(control, signals.get());
  // What has not started by now cannot say so any more, and ends.
  if (signal) shutdown(control, SHUT_RDWR);
  auto started = state::receive_answer(control, state::ControlType::attached);
  if (signal && !started) return 128 + *signal;
  // Until the run has started, or was refused and the supervisor is gone.
  if (started && fcntl(ends.messages.get(), F_SETFL, O_NONBLOCK) < 0) return kRefusedStatus;
  std::string messages;
  char buffer[4096];
  ssize_t count;
  while ((count = read(ends.messages.get(), buffer, sizeof buffer)) > 0)
    messages.append(buffer, static_cast<size_t>(count));
  Listeners person(2, nullptr);
  person.show(messages);
  person.finish(signals.get(), kLastWordsPatience);
  if (!started) return status_of(supervisor);
  printf("%s\n", prepared.plan.run_name.c_str());
  return 0;
}

}  // namespace

int run_attended(const RunHooks& hooks, prepare::Preparation& prepared, processes::Stdio& stdio,
                 std::optional<terminal::OwnTerminal>& own) {
  auto ends = make_ends(prepared, own);
  if (!ends) return refuse(hooks, ends.error());
  // Before the fork, so that none is lost: a window that is closed now must end the run.
  auto signals = processes::take_signals();
  if (!signals) return refuse(hooks, signals.error());
  bool detach = prepared.request.detach;
  // Before the first byte of output: whoever answers it types at the run, not at the shell.
  if (!detach && stdio.terminal->foreground) own->make_raw();
  if (!detach) clients::tell_listening(ends->viewer.near, *own);
  bool utf8 = terminal::reads_utf8(own);
  pid_t supervisor = fork();
  if (supervisor < 0) return refuse(hooks, fail_errno("cannot start the supervisor").error());
  if (supervisor > 0) {
    prepared.registration.hand_over();
    ends->control.theirs.close();
    ends->viewer.far.close();
    ends->viewer.output.close();
    ends->messages_far.close();
    ends->recording.close();
    keep_only_terminal(stdio);
    if (detach) return wait_for_start(prepared, std::move(*ends), std::move(*signals), supervisor);
    return show_run(hooks, prepared, std::move(*ends), std::move(*signals), *own, supervisor,
                    stdio.terminal->foreground);
  }
  signals->close();
  if (detach) {
    // Its terminal is all it gets.
    for (int& fd : stdio.fds)
      fd = 0;
    Fd null(open("/dev/null", O_RDWR | O_CLOEXEC));
    if (!null || dup2(null.get(), 0) < 0) return refuse(hooks, fail_errno("no /dev/null").error());
  }
  if (Status done = become_supervisor(*ends, stdio, own); !done) return refuse(hooks, done.error());
  Attendance attendance{std::move(ends->control.theirs), std::move(ends->viewer.far),
                        std::move(ends->viewer.output), std::move(ends->recording)};
  attendance.terminal.utf8 = utf8;
  attendance.terminal.clipboard_write = prepared.request.policy.terminal.clipboard.on;
  attendance.terminal.title = text::join(prepared.plan.arguments, " ");
  attendance.terminal.shell = prepared.caller.shell;
  if (const char* term = getenv("TERM")) attendance.terminal.term = term;
  attendance.terminal.most_recorded =
      prepared.request.policy.limits.recording.value.value_or(policy::kNoLimit);
  attendance.leaves_at_once = detach;
  return launch_and_supervise(hooks, prepared, stdio, std::move(attendance));
}

}  // namespace ringwall::session
