#include "identity/exec_stop.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/channel.h"
#include "base/file.h"
#include "base/fixed_message.h"
#include "identity/built_files.h"
#include "identity/exec_stop_protocol.h"
#include "identity/linkers.h"
#include "identity/mapping_stop.h"
#include "identity/stop_notices.h"
#include "identity/traced_call.h"
#include "identity/tracees.h"

namespace ringwall::identity {
namespace {

constexpr long kOptions = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
                          PTRACE_O_TRACEEXEC | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACESYSGOOD |
                          PTRACE_O_EXITKILL;

constexpr size_t kMostWords = 16 << 20;    // of a command line
constexpr int kCallStop = SIGTRAP | 0x80;  // PTRACE_O_TRACESYSGOOD

bool is_stop_signal(int signal) {
  return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

class ExecStop {
 public:
  explicit ExecStop(ExecStopInputs inputs)
      : in_(std::move(inputs)),
        tracees_(in_.processes),
        judge_(in_.processes, std::move(in_.rules)),
        notices_(in_.channel, in_.processes),
        built_(in_.processes, judge_),
        mappings_({in_.processes, tracees_, judge_, notices_, tasks_}) {
    tracees_.set_standing([this](pid_t task) { return standing_.contains(task); });
  }

  void run() {
    StopNotice seized{StopNotice::Type::seized};
    options_ = kOptions | (judge_.rules().judges_mappings ? PTRACE_O_TRACEVFORKDONE : 0);
    bool done = take_signals() && ptrace(PTRACE_SEIZE, in_.init, 0, options_) == 0;
    if (!done) seized.value = errno == 0 ? EPERM : errno;
    notices_.send(seized);
    if (!done) return;
    while (!tracees_.all_ended() && !ended_) {
      auto report = tracees_.next();
      if (report) {
        take(*report);
      } else if (!tracees_.all_ended()) {
        answer_init();
        wait();
      }
    }
  }

 private:
  bool take_signals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, kLeaseSignal);
    signals_ = Fd(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    return static_cast<bool>(signals_);
  }

  void wait() {
    pollfd waits[] = {{signals_.get(), POLLIN, 0}, {in_.channel, POLLIN, 0}};
    if (poll(waits, 2, -1) < 0) return;
    signalfd_siginfo info[8];
    ssize_t got = waits[0].revents != 0 ? read(signals_.get(), info, sizeof info) : 0;
    for (ssize_t i = 0; i < got / static_cast<ssize_t>(sizeof *info); i++) {
      if (info[i].ssi_signo == static_cast<uint32_t>(kLeaseSignal))
        mappings_.give_back(info[i].ssi_fd);
    }
    if (waits[1].revents != 0) take_order();
  }

  void take_order() {
    auto message = channel::receive(in_.channel);
    auto order = message && !message->bytes.empty() ? parse_stop_order(message->bytes)
                                                    : std::unexpected(Error{"gone"});
    if (!order) {
      ended_ = true;  // no supervisor, no sandbox
      return;
    }
    if (order->type == StopOrder::Type::only_known) return judge_.only_known(order->value == 1);
    for (const TriedAct& act : in_.try_acts()) {
      StopNotice notice{StopNotice::Type::act, act.err};
      fixed::put(notice.path, act.name);
      notices_.send(notice);
    }
    notices_.send({StopNotice::Type::acts_done});
  }

  void take(const Report& report) {
    pid_t task = report.task;
    if (!WIFSTOPPED(report.status)) return forget(task);
    if (!standing_.empty()) wake(task);
    int signal = WSTOPSIG(report.status);
    switch (report.status >> 16) {
      case 0:
        if (signal == kCallStop) return take_made_call(task);
        return tracees_.go_on(task, signal);
      case PTRACE_EVENT_FORK:
      case PTRACE_EVENT_CLONE:
      case PTRACE_EVENT_VFORK:
        return take_birth(task, report.status >> 16);
      case PTRACE_EVENT_VFORK_DONE:
        tracees_.note_vfork_done(task);
        return tracees_.go_on(task);
      case PTRACE_EVENT_EXEC:
        return take_exec(task);
      case PTRACE_EVENT_SECCOMP:
        return take_call(task);
      case PTRACE_EVENT_EXIT:
        built_.finish(task, message_of(task) == 0);
        return tracees_.go_on(task);
      case PTRACE_EVENT_STOP:
        if (task != in_.init) meet(task);
        if (!is_stop_signal(signal)) return tracees_.go_on(task);
        note_standing(task);
        return tracees_.stay_stopped(task);
      default:
        return tracees_.go_on(task);
    }
  }

  static pid_t message_of(pid_t task) {
    unsigned long message = 0;
    ptrace(PTRACE_GETEVENTMSG, task, 0, &message);
    return static_cast<pid_t>(message);
  }

  void stand_behind_walls() {
    if (!has_walls_ && !in_.enter_walls()) _exit(1);
    has_walls_ = true;
  }

  // A child can be seen before its parent tells of it.
  void meet(pid_t task) {
    stand_behind_walls();
    bool is_new = judge_.rules().judges_mappings && tasks_.insert(task).second;
    if (is_new) tracees_.note_early(task);
  }

  void take_birth(pid_t parent, int event) {
    stand_behind_walls();
    if (judge_.rules().judges_mappings) {
      pid_t child = message_of(parent);
      tasks_.insert(child);
      if (event == PTRACE_EVENT_VFORK)
        tracees_.note_vfork(parent, child);
      else
        tracees_.note_fork(child, event == PTRACE_EVENT_CLONE);
    }
    tracees_.go_on(parent);
  }

  void take_exec(pid_t task) {
    pid_t former = message_of(task);
    if (former != task) forget(former);
    tracees_.forget(task);
    std::string link = std::to_string(task) + "/exe";
    Judgement judged = judge_.program(in_.processes, link);
    if (judged.may_run && judged.brings_loader) judged = mappings_.judge_loader(task, judged);
    if (!judged.may_run) {
      // Before it dies: /proc has nothing to show of the dead.
      notices_.tell_refused(judged, link, task, StopNotice::How::killed);
      tracees_.end(task);
      return;
    }
    if (judged.is_first) notices_.tell_first_seen(judged, task);
    if (judge_.rules().rules.built_here) note_linker(task, judged);
    tracees_.go_on(task);
  }

  bool is_told_to_copy(pid_t task) const {
    std::string path = std::to_string(task) + "/cmdline";
    Fd fd(openat(in_.processes, path.c_str(), O_RDONLY | O_CLOEXEC));
    auto words = fd ? file::read_all(fd.get(), kMostWords) : fail("gone");
    return !words || copies_its_input(*words);
  }

  void note_linker(pid_t task, const Judgement& judged) {
    bool links = judged.is_systems && is_linker(notices_.path_of(std::to_string(task) + "/exe")) &&
                 !is_told_to_copy(task);
    built_.note_program(task, links);
    if (links) ptrace(PTRACE_SETOPTIONS, task, 0, options_ | PTRACE_O_TRACEEXIT);
  }

  // By the call itself: a filter of the agent's own can have any call stopped, with any message.
  void take_call(pid_t task) {
    auto call = call_of(task);
    if (!call) return;  // killed: its end is reported
    if (task == in_.init && call->number == SYS_membarrier) {
      init_asks_ = true;
      return;
    }
    if (judge_.rules().judges_mappings && maps_code(*call)) return mappings_.take(task, *call);
    bool makes = makes_file(*call) && !built_.is_empty() && built_.is_linker(task);
    if (!makes || !tracees_.make_call(task)) tracees_.go_on(task);
  }

  // No other call than a linker's that makes a file is looked at when it was made.
  void take_made_call(pid_t task) {
    auto call = call_of(task);
    bool made = call && call->result >= 0 && makes_file(*call);
    if (made && !built_.is_empty()) built_.note_file(task, static_cast<int>(call->result));
    tracees_.go_on(task);
  }

  // When everything else that had been reported was taken.
  void answer_init() {
    if (!init_asks_) return;
    init_asks_ = false;
    tracees_.go_on(in_.init);
  }

  pid_t number_inside(pid_t task) const {
    Fd status(
        openat(in_.processes, (std::to_string(task) + "/status").c_str(), O_RDONLY | O_CLOEXEC));
    auto text = status ? file::read_all(status.get()) : fail("gone");
    size_t at = text ? text->find("\nNSpid:") : std::string::npos;
    if (at == std::string::npos) return 0;
    size_t end = text->find('\n', at + 1);
    size_t last = text->rfind('\t', end);
    return atoi(text->c_str() + last + 1);
  }

  void note_standing(pid_t task) {
    pid_t inside = number_inside(task);
    standing_[task] = inside;
    in_.standing.note(inside, true);
  }

  void wake(pid_t task) {
    auto found = standing_.find(task);
    if (found == standing_.end()) return;
    in_.standing.note(found->second, false);
    standing_.erase(found);
  }

  void forget(pid_t task) {
    if (!standing_.empty()) wake(task);
    tracees_.forget(task);
    if (!built_.is_empty()) built_.note_program(task, false);
    if (!tasks_.empty()) tasks_.erase(task);
  }

  ExecStopInputs in_;
  Tracees tracees_;
  ExecJudge judge_;
  StopNotices notices_;
  BuiltFiles built_;
  std::unordered_set<pid_t> tasks_;  // only where mappings are judged
  MappingStop mappings_;
  Fd signals_;
  std::unordered_map<pid_t, pid_t> standing_;  // to its number inside
  long options_ = kOptions;
  bool has_walls_ = false;
  bool init_asks_ = false;
  bool ended_ = false;
};

}  // namespace

void run_exec_stop(ExecStopInputs inputs) { ExecStop(std::move(inputs)).run(); }

}  // namespace ringwall::identity
