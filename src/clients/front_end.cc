#include "clients/front_end.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "base/channel.h"
#include "base/clock.h"
#include "base/file.h"
#include "clients/passage.h"
#include "clients/viewer_ends.h"
#include "state/control.h"
#include "terminal/answers.h"
#include "terminal/relay_protocol.h"

namespace ringwall::clients {
namespace {

using terminal::ViewerHead;

constexpr int kMilliseconds = 1'000'000;
constexpr int kKeyPatience = 700;          // for the next of the detach keys
constexpr int kRelayPatience = 1000;       // a relay that does not answer has nothing more to show
constexpr int kLastWordPatience = 10'000;  // after a run that learns there may be much to judge
constexpr int kRetryPatience = 300;        // between two stops that did not stop us
constexpr int kFrontPatience = 200;  // a shell does not say that it has brought us to the front
// A program that is interrupted may take its time to end.
constexpr int64_t kInterruptNanoseconds = 5'000'000'000;
constexpr std::string_view kControlC = "\x03";

class Session {
 public:
  explicit Session(FrontEnd front_end)
      : front_(std::move(front_end)),
        messages_(std::move(front_.messages), 2,
                  [this](std::string_view lines) { return between_output(lines); }),
        pump_(std::move(front_.pump), front_.terminal.fd()) {}

  Parting run() {
    wants_keys_ = front_.foreground;
    if (front_.foreground) front_.terminal.make_raw();
    tell_listening(front_.viewer, front_.terminal);
    tell_size();  // the window may have changed since it was looked at, before we heard of it
    if (!front_.note.empty()) show_note();
    while (!parting_)
      step();
    parting_->interrupted =
        interrupted_at_ != 0 && clock::monotonic() - interrupted_at_ < kInterruptNanoseconds;
    finish();
    return *parting_;
  }

 private:
  enum Waits : size_t { kSignals, kSupervisor, kViewer, kMessages, kPump, kKeyboard, kCount };

  void step() {
    // Ctrl-C at a terminal that nobody inside has taken yet would interrupt nobody.
    bool reads_keys = front_.started && front_.terminal.is_raw() && unsent_.empty();
    short viewer_events = static_cast<short>(unsent_.empty() ? POLLIN : POLLIN | POLLOUT);
    pollfd waits[kCount] = {{front_.signals.get(), POLLIN, 0},
                            {front_.supervisor.get(), POLLIN, 0},
                            {front_.viewer.get(), viewer_events, 0},
                            messages_.wait(),
                            pump_.wait(),
                            // Without a wish to read, only its hang-up is told.
                            {front_.terminal.fd(), static_cast<short>(reads_keys ? POLLIN : 0), 0}};
    bool waits_in_the_back = wants_keys_ && !front_.terminal.is_raw();
    int patience = waits_in_the_back ? kFrontPatience : -1;
    if (front_.keys.holds()) patience = time_for_next_key();
    int count = poll(waits, kCount, patience);
    if (count < 0 && errno != EINTR) return part({Parting::Kind::lost});
    if (front_.keys.holds() && time_for_next_key() == 0 && waits[kKeyboard].revents == 0)
      type(front_.keys.give_up());
    if (count == 0 && waits_in_the_back && front_.terminal.in_foreground()) go_to_foreground();
    if (waits[kMessages].revents != 0) messages_.step();
    if (waits[kPump].revents != 0) pump_.step();
    if (waits[kViewer].revents != 0) take_viewer_message(waits[kViewer].revents);
    // Signals first: who was woken to be ended must not stop again.
    if (waits[kSignals].revents != 0) take_signal();
    if (waits[kSupervisor].revents != 0) take_control();
    if (waits[kKeyboard].revents != 0) take_keys();
  }

  // At the foot of the picture, which would cover it if it came first.
  void show_note() {
    send({ViewerHead::Type::settle});
    wait_for(ViewerHead::Type::settled);
    if (!takes_output()) return;
    size_t width = terminal::usable(front_.terminal.size()).columns;
    size_t rows = (front_.note.size() + width - 1) / width;
    std::string lines = "\x1b\x37\x1b[m";
    for (size_t row = 0; row < rows; row++) {
      lines += "\x1b[9999;1H";
      if (size_t above = rows - 1 - row) lines += "\x1b[" + std::to_string(above) + "A";
      lines += "\x1b[K" + front_.note.substr(row * width, width);
    }
    (void)write_what_fits(front_.terminal.fd(), lines + "\x1b\x38");
  }

  // The terminal is gone, or its window: nothing can be shown any more, and the supervisor ends the
  // run when it sees us gone.
  void hang_up() {
    hung_up_ = true;
    part({Parting::Kind::ended, 128 + SIGHUP});
  }

  void part(Parting parting) {
    if (!parting_) parting_ = parting;
  }

  // What the supervisor says

  void take_control() {
    auto message = channel::receive(front_.supervisor.get());
    auto control = message && !message->bytes.empty() ? state::parse_control(message->bytes)
                                                      : std::unexpected(Error{"gone"});
    if (!control) return part({cannot_run_ ? *cannot_run_ : Parting{Parting::Kind::lost}});
    switch (control->type) {
      case state::ControlType::attached:
        front_.started = true;
        return;
      case state::ControlType::stopped:
        return take_stop(control->value);
      case state::ControlType::cannot_run:
        cannot_run_ = Parting{Parting::Kind::cannot_run, control->value};
        return;
      case state::ControlType::finished:
      case state::ControlType::ended:
        return part(cannot_run_ ? *cannot_run_
                                : Parting{Parting::Kind::ended, control->value, control->text});
      case state::ControlType::replaced:
        return part({Parting::Kind::replaced});
      case state::ControlType::refused:
        return part({Parting::Kind::refused, 0, control->text});
      default:
        return;
    }
  }

  void tell(state::ControlType type, int value) {
    (void)state::send_control(front_.supervisor.get(), {type, value});  // its end is seen by poll
  }

  // Job control: the run is one job of the person's shell.

  void take_stop(int signal) {
    if (told_to_end_) return;
    bool wants_terminal = signal == SIGTTIN || signal == SIGTTOU;
    if (wants_terminal && front_.terminal.in_foreground()) return go_to_foreground();
    suspend(wants_terminal ? SIGTTIN : SIGTSTP);
  }

  void go_to_foreground() {
    wants_keys_ = true;
    front_.terminal.make_raw();
    tell_listening(front_.viewer, front_.terminal);
    if (front_.watches) return;  // what runs is none of its business
    tell_size();
    if (std::exchange(in_order_, false)) send({ViewerHead::Type::release, 0, 1});
    if (front_.terminal.is_raw()) tell(state::ControlType::resume, 1);
  }

  // The whole job stops, as the kernel would have it; the shell wakes us by SIGCONT. Until then the
  // terminal is the shell's, so it is left as at the end.
  void suspend(int signal) {
    send({ViewerHead::Type::hold});
    wait_for(ViewerHead::Type::held);
    in_order_ = true;
    restore(drain());
    tell_listening(front_.viewer, front_.terminal);
    // Brought to the front while it made ready to stop.
    if (signal == SIGTTIN && front_.terminal.in_foreground()) return go_to_foreground();
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, signal);
    kill(0, signal);
    sigprocmask(SIG_UNBLOCK, &stop, nullptr);
    // Here we are stopped.
    sigprocmask(SIG_BLOCK, &stop, nullptr);
    // With nobody there to let us go on the kernel drops the signal; a program that tries again at
    // once must not keep the processor busy.
    sigset_t go_on;
    sigemptyset(&go_on);
    sigaddset(&go_on, SIGCONT);
    constexpr timespec kNoTime{};
    bool was_stopped = sigtimedwait(&go_on, nullptr, &kNoTime) == SIGCONT;
    if (!was_stopped) wait_a_little();
    if (front_.terminal.in_foreground()) return go_to_foreground();
    send({ViewerHead::Type::release});
    wants_keys_ = true;
    tell(state::ControlType::resume, 0);
  }

  void wait_a_little() {
    pollfd waits[] = {{front_.terminal.fd(), 0, 0},
                      {front_.signals.get(), POLLIN, 0},
                      {front_.supervisor.get(), POLLIN, 0}};
    poll(waits, 3, kRetryPatience);
  }

  void take_signal() {
    signalfd_siginfo info;
    if (read(front_.signals.get(), &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return;
    int signal = static_cast<int>(info.ssi_signo);
    if (signal == SIGWINCH) return tell_size();
    if (signal == SIGCONT) {
      // Also after a stop that cannot be caught: the shell has set the terminal as it likes it.
      if (wants_keys_ && front_.terminal.in_foreground()) go_to_foreground();
      return;
    }
    if (signal == SIGINT) interrupted_at_ = clock::monotonic();
    if (front_.watches) return leave({Parting::Kind::ended, 128 + signal});
    if (signal == SIGHUP) return hang_up();
    told_to_end_ = told_to_end_ || signal == SIGTERM;
    tell(state::ControlType::signal, signal);
  }

  // Keys and sizes

  void tell_size() {
    if (!front_.watches) send({ViewerHead::Type::resize, 0, 0, front_.terminal.size()});
  }

  void take_keys() {
    if (!front_.terminal.has_keys()) return;  // any more: a stop gave them to the shell
    char buffer[terminal::kMostInput / 2];
    ssize_t count = read(front_.terminal.fd(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) return;
    if (count <= 0) return hang_up();
    std::string_view bytes(buffer, static_cast<size_t>(count));
    answers_.take(bytes);
    std::string keys;
    bool leaves = front_.keys.take(bytes, keys);
    last_key_at_ = clock::monotonic();
    if (has_interrupt_key(keys)) interrupted_at_ = last_key_at_;
    if (front_.watches && interrupt_.take(bytes, keys)) leaves = true;
    if (!front_.watches) type(keys);
    if (leaves) leave({Parting::Kind::detached});
  }

  // In milliseconds from the last one on, whatever else there is to do meanwhile.
  int time_for_next_key() const {
    int64_t waited = (clock::monotonic() - last_key_at_) / kMilliseconds;
    return static_cast<int>(std::clamp<int64_t>(kKeyPatience - waited, 0, kKeyPatience));
  }

  // Ctrl-C, or the one that the person has chosen, if it is another.
  bool has_interrupt_key(std::string_view keys) const {
    cc_t key = front_.terminal.modes().c_cc[VINTR];
    bool chosen = key != _POSIX_VDISABLE && keys.find(static_cast<char>(key)) != keys.npos;
    return chosen || keys.find(kControlC) != keys.npos;
  }

  void type(std::string keys) {
    unsent_ += keys;
    send_keys();
  }

  // A program that does not read holds up the keyboard, not us.
  void send_keys() {
    if (unsent_.empty()) return;
    Status sent = terminal::send_to_viewer(front_.viewer.get(), {ViewerHead::Type::input}, unsent_,
                                           MSG_DONTWAIT);
    if (sent || sent.error().err != EAGAIN) unsent_.clear();
  }

  // The relay

  void send(const ViewerHead& head) {
    (void)terminal::send_to_viewer(front_.viewer.get(), head);  // its end is seen by poll
  }

  void take_viewer_message(short events) {
    if ((events & POLLOUT) != 0) send_keys();
    if ((events & ~POLLOUT) != 0) (void)receive_head();
  }

  std::optional<ViewerHead> receive_head() {
    auto message = channel::receive(front_.viewer.get());
    auto parsed = message && !message->bytes.empty()
                      ? terminal::parse_viewer_message(message->bytes)
                      : std::unexpected(Error{"gone"});
    if (!parsed) {
      front_.viewer.close();
      return std::nullopt;
    }
    has_left_ |= parsed->head.type == ViewerHead::Type::left;
    if (has_left_ || parsed->head.type == ViewerHead::Type::held) {
      expects_answers_ = parsed->head.expects_answers != 0;
      status_questions_ = static_cast<uint64_t>(std::max(parsed->head.value, 0));
    }
    return parsed->head;
  }

  void wait_for(ViewerHead::Type type) {
    int64_t deadline = clock::monotonic() + int64_t{kRelayPatience} * kMilliseconds;
    while (front_.viewer) {
      int64_t left = (deadline - clock::monotonic()) / kMilliseconds;
      pollfd waits[] = {{front_.viewer.get(), POLLIN, 0}, pump_.wait()};
      if (left <= 0 || poll(waits, 2, static_cast<int>(left)) <= 0) return;
      if (waits[1].revents != 0) pump_.step();
      if (waits[0].revents == 0) continue;
      auto head = receive_head();
      if (!head || head->type == type) return;
    }
  }

  void leave(Parting parting) {
    send({ViewerHead::Type::leave});
    wait_for(ViewerHead::Type::left);
    if (parting.kind == Parting::Kind::detached && !front_.watches)
      tell(state::ControlType::detach, 0);
    part(parting);
  }

  // Lines between the output of the run: in raw mode a line feed alone does not return.
  std::string between_output(std::string_view lines) const {
    std::string shown;
    for (char c : lines) {
      if (c == '\n' && front_.terminal.is_raw() && isatty(2)) shown += '\r';
      shown += c;
    }
    return shown;
  }

  // The terminal as it was found, also if the relay died before it could see to that.
  void finish() {
    if (hung_up_) {
      // By a signal: the terminal may be there still.
      if (takes_output()) (void)file::write_all(front_.terminal.fd(), front_.terminal.resets());
      return front_.terminal.restore();
    }
    wait_for(ViewerHead::Type::left);
    is_unknown_ = !has_left_ && !cannot_run_ && parting_->kind != Parting::Kind::refused;
    if (is_unknown_ && takes_output())
      (void)file::write_all(front_.terminal.fd(), front_.terminal.resets());
    bool forgets_keys = drain();
    bool amid_a_line =
        parting_->kind == Parting::Kind::detached && front_.terminal.is_raw() && takes_output();
    if (amid_a_line) (void)file::write_all(front_.terminal.fd(), "\r\n");
    restore(forgets_keys);
    show_last_messages();
  }

  // A terminal that was stopped by Ctrl-S, or whose window hangs, does not.
  bool takes_output() const {
    pollfd waits{front_.terminal.fd(), POLLOUT, 0};
    return poll(&waits, 1, 0) > 0;
  }

  // The supervisor says why before it ends, if it ends.
  void show_last_messages() {
    bool goes_on = parting_->kind == Parting::Kind::detached;
    bool takes_time = front_.learns && parting_->kind == Parting::Kind::ended;
    messages_.finish(goes_on ? 0 : takes_time ? kLastWordPatience : kRelayPatience);
  }

  // Answers to the last questions of a program that is gone would be typed into the shell.
  bool drain() {
    bool outstanding = is_unknown_ || expects_answers_ || answers_.awaits(status_questions_);
    if (!outstanding || !front_.terminal.is_raw()) return false;
    auto asked = is_unknown_ ? std::nullopt : std::optional(status_questions_);
    terminal::drain_answers(front_.terminal, answers_, asked);
    return true;
  }

  void restore(bool forgets_keys) {
    forgets_keys ? front_.terminal.restore_and_forget_keys() : front_.terminal.restore();
  }

  FrontEnd front_;
  Passage messages_;
  Passage pump_;
  std::string unsent_;
  bool wants_keys_ = false;  // when the terminal is ours
  bool hung_up_ = false;
  bool told_to_end_ = false;
  int64_t interrupted_at_ = 0;  // by a key or a signal
  int64_t last_key_at_ = 0;
  bool in_order_ = false;    // the relay has put the terminal in order for a stop
  bool has_left_ = false;    // the relay has put the terminal in order
  bool is_unknown_ = false;  // it died before
  bool expects_answers_ = false;
  uint64_t status_questions_ = 0;  // that were shown to the terminal
  terminal::StatusAnswers answers_;
  terminal::DetachKeys interrupt_ = terminal::DetachKeys::parse("ctrl-c").value();  // a watcher's
  std::optional<Parting> cannot_run_;
  std::optional<Parting> parting_;
};

}  // namespace

Parting run_front_end(FrontEnd front_end) { return Session(std::move(front_end)).run(); }

}  // namespace ringwall::clients
