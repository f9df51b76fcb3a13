#include "cli/top_view.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"
#include "cli/local_time.h"
#include "cli/remember.h"

namespace ringwall::cli {
namespace {

using state::ControlMessage;
using state::ControlType;

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kTick = 250 * kMillisecond;
constexpr int64_t kBetweenLists = 1000 * kMillisecond;
// Answers are taken together, and not one by one as they come: that is what it costs to be woken.
constexpr int64_t kFirstHearing = 15 * kMillisecond;
constexpr int64_t kNextHearing = 30 * kMillisecond;
constexpr int kMostHearings = 3;
constexpr int64_t kMessageTime = 5000 * kMillisecond;
constexpr int64_t kSettle = 700 * kMillisecond;  // less is no decision, but a key that came late
constexpr int64_t kStopSeconds = 5;

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT})
    sigaddset(&set, signal);
  return set;
}

struct AnswerKey {
  char key;
  ControlType type;
  int64_t seconds;
  bool always;
  const char* words;
};
constexpr AnswerKey kAnswers[] = {
    {'a', ControlType::approve, state::kOnce, false, "approved once"},
    {'s', ControlType::approve, state::kForTheRun, false, "approved until the run ends"},
    {'h', ControlType::approve, 3600, false, "approved for one hour"},
    {'A', ControlType::approve, state::kForTheRun, true, "approved always"},
    {'r', ControlType::reject, state::kOnce, false, "rejected once"},
    {'R', ControlType::reject, state::kForTheRun, false, "rejected until the run ends"},
};

std::string words_of(const ControlMessage& request) {
  for (const AnswerKey& answer : kAnswers) {
    if (answer.type == request.type && answer.seconds == request.seconds) return answer.words;
  }
  if (request.type == ControlType::pause) return request.value != 0 ? "paused" : "goes on";
  return "has ended";
}

}  // namespace

TopView::TopView(TopRuns& runs, TopScreen& screen, std::string chosen)
    : runs_(runs), screen_(screen), run_{std::move(chosen)} {
  sigset_t set = watched_signals();
  sigprocmask(SIG_BLOCK, &set, nullptr);
  signals_ = Fd(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

TopView::~TopView() {
  // A terminal that is gone is seen by its end of file as well: its signal may still be to come.
  if (signal_ == SIGHUP) signal(SIGHUP, SIG_IGN);
  sigset_t set = watched_signals();
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

Result<int> TopView::show() {
  if (!signals_) return fail_errno("cannot wait for signals");
  screen_.enter();
  Status fine;
  while (fine && !leaves_)
    fine = step();
  screen_.leave();
  finish_kills();
  if (!fine) return std::unexpected(fine.error());
  return signal_;
}

int TopView::time_to_wait(int64_t now) const {
  int64_t next = next_hearing_ != 0 ? std::min(next_hearing_, next_tick_) : next_tick_;
  return static_cast<int>(std::max<int64_t>(0, (next - now + kMillisecond - 1) / kMillisecond));
}

Status TopView::step() {
  pollfd waits[] = {
      {signals_.get(), POLLIN, 0}, {screen_.keyboard(), POLLIN, 0}, {screen_.output(), POLLOUT, 0}};
  if (poll(waits, std::size(waits), time_to_wait(clock::monotonic())) < 0 && errno != EINTR)
    return fail_errno("cannot wait for the terminal");
  if (waits[0].revents != 0) take_signal();
  if (!leaves_ && waits[1].revents != 0) take_keys();
  if (waits[2].revents != 0) screen_.flush();
  if (screen_.is_gone()) {
    leaves_ = true;
    signal_ = SIGHUP;
  }
  if (leaves_) return {};
  int64_t now = clock::monotonic();
  if (now >= next_tick_) tick(now);
  if (next_hearing_ != 0 && now >= next_hearing_) hear(now);
  return {};
}

void TopView::tick(int64_t now) {
  next_tick_ = std::max(next_tick_ + kTick, now + kTick / 2);
  if (!screen_.is_shown() && screen_.is_in_front()) screen_.enter();
  if (!screen_.is_shown()) return;  // in the background nobody looks
  if (now >= next_list_) {
    next_list_ = now + kBetweenLists;
    if (Status listed = runs_.list(now); !listed) say(text::escape(listed.error().text()));
  }
  runs_.ask(now, run_.name);
  next_hearing_ = now + kFirstHearing;
  hearings_ = 0;
}

void TopView::hear(int64_t now) {
  bool awaits = runs_.listen(now);
  next_hearing_ = awaits && ++hearings_ < kMostHearings ? now + kNextHearing : 0;
  update(now);
  paint();
}

void TopView::update(int64_t now) {
  take_answers();
  picture_.runs = runs_.table(now);
  picture_.clock = local_time("%H:%M:%S");
  if (now > message_until_) picture_.message.clear();
  choose_what_is_there(now);
  clients::RunLink* link = runs_.find(run_.name);
  if (link == nullptr) {
    watch_.reset();
    picture_.refusals.clear();
    picture_.processes.clear();
    picture_.connections.clear();
    picture_.requests.clear();
    return;
  }
  if (!watch_ || watch_->run() != run_.name) watch_.emplace(runs_.state(), run_.name);
  watch_->look(link->description(), now);
  watch_->fill(*link, picture_);
  const auto& requests = picture_.requests;
  auto found = std::ranges::find(requests, request_.name, &TopRequest::id);
  if (found == requests.end()) {
    // What is now in its place, and the person has not seen there.
    picture_.request = std::min(picture_.request, requests.size() - (requests.empty() ? 0 : 1));
    request_ = {requests.empty() ? 0 : requests[picture_.request].id, now};
  } else {
    picture_.request = static_cast<size_t>(found - requests.begin());
  }
  if (requests.empty()) picture_.in_requests = false;
}

void TopView::choose_what_is_there(int64_t now) {
  const auto& runs = picture_.runs;
  auto found = std::ranges::find(runs, run_.name, &TopRun::name);
  if (found != runs.end()) {
    picture_.run = static_cast<size_t>(found - runs.begin());
    return;
  }
  picture_.run = std::min(picture_.run, runs.size() - (runs.empty() ? 0 : 1));
  run_ = {runs.empty() ? "" : runs[picture_.run].name, now};
  request_ = {0, now};
  picture_.request = 0;
  picture_.in_requests = false;
}

void TopView::take_answers() {
  for (clients::RunLink& link : runs_.links()) {
    for (const auto& answer : link.take_answers())
      take_answer(link.name(), answer);
  }
}

void TopView::take_answer(const std::string& run, const clients::RunLink::Answer& answer) {
  bool is_always = always_.erase({run, answer.request.value}) > 0;
  if (!answer.is_done) return say(text::quote(run) + ": " + text::escape(answer.text));
  std::string what = answer.text.empty() ? text::quote(run) : text::quote(answer.text);
  if (!is_always) return say(what + " " + words_of(answer.request));
  auto written = write_down("network.allow", answer.text);
  if (!written)
    return say(what + " approved until the run ends; your policy file was not changed: " +
               text::escape(written.error().text()));
  say(what + " approved always" + (written->empty() ? "" : ": " + *written));
}

void TopView::say(std::string message) {
  picture_.message = std::move(message);
  message_until_ = clock::monotonic() + kMessageTime;
}

void TopView::paint() { screen_.paint(draw_top(picture_, screen_.size())); }

void TopView::take_signal() {
  signalfd_siginfo info;
  while (!leaves_ && read(signals_.get(), &info, sizeof info) == sizeof info) {
    auto signal = static_cast<int>(info.ssi_signo);
    switch (signal) {
      case SIGWINCH:
        paint();
        break;
      case SIGTSTP:
        screen_.suspend();
        break;
      case SIGCONT:
        // Also after a stop that cannot be caught: the shell has set the terminal as it likes it.
        if (screen_.is_in_front()) screen_.enter();
        paint();
        break;
      default:
        signal_ = signal;
        leaves_ = true;
    }
  }
}

void TopView::take_keys() {
  char buffer[1024];
  ssize_t count = read(screen_.keyboard(), buffer, sizeof buffer);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (count <= 0) {  // the terminal is gone
    leaves_ = true;
    signal_ = SIGHUP;
    return;
  }
  for (Key key : keys_.take({buffer, static_cast<size_t>(count)})) {
    press(key);
    if (leaves_) return;
  }
  update(clock::monotonic());
  paint();
}

void TopView::press(Key key) {
  if (key == Key::suspend) return screen_.suspend();
  if (key == Key::interrupt) {
    leaves_ = true;
    return;
  }
  auto letter = static_cast<char>(key);
  if (picture_.shows_help) {
    picture_.shows_help = false;
    return;
  }
  if (!to_kill_.empty() && answer_question(letter)) return;
  if (letter == 'q') leaves_ = true;
  if (letter == '?') picture_.shows_help = true;
  if (key == Key::up || letter == 'k') move(-1);
  if (key == Key::down || letter == 'j') move(1);
  if (letter == '\t' && !picture_.requests.empty()) picture_.in_requests = !picture_.in_requests;
  if (letter == 'p' || letter == 'x' || letter == 'K') act_on_run(letter);
  if (std::ranges::find(kAnswers, letter, &AnswerKey::key) != std::end(kAnswers))
    answer_request(letter);
}

// Whatever is not y means no.
bool TopView::answer_question(char key) {
  clients::RunLink* link = runs_.find(std::exchange(to_kill_, {}));
  picture_.question.clear();
  if (key != 'y' || link == nullptr) {
    say("not killed");
    return true;
  }
  say("kills " + text::quote(link->name()));
  link->tell({ControlType::kill}, clock::monotonic());
  return true;
}

void TopView::move(int by) {
  auto moved = [by](size_t from, size_t count) {
    if (by < 0) return from > 0 ? from - 1 : from;
    return from + 1 < count ? from + 1 : from;
  };
  if (picture_.in_requests) {
    picture_.request = moved(picture_.request, picture_.requests.size());
    if (!picture_.requests.empty()) request_ = {picture_.requests[picture_.request].id, 0};
    return;
  }
  size_t before = std::exchange(picture_.run, moved(picture_.run, picture_.runs.size()));
  if (picture_.run == before || picture_.runs.empty()) return;
  run_ = {picture_.runs[picture_.run].name, 0};
  request_ = {0, clock::monotonic()};
  picture_.request = 0;
  next_tick_ = 0;  // asked closely at once
}

void TopView::answer_request(char key) {
  clients::RunLink* link = runs_.find(run_.name);
  if (link == nullptr || request_.name == 0) return say("nothing waits for an answer here");
  int64_t now = clock::monotonic();
  if (now - request_.moved_at < kSettle)
    return say("this request has just come; look at it, and press again");
  const AnswerKey& answer = *std::ranges::find(kAnswers, key, &AnswerKey::key);
  ControlMessage message{answer.type, static_cast<int32_t>(request_.name)};
  message.seconds = answer.always ? state::kAlways : answer.seconds;
  if (answer.always) always_.insert({link->name(), message.value});
  link->tell(message, now);
  next_tick_ = 0;
}

void TopView::act_on_run(char key) {
  clients::RunLink* link = runs_.find(run_.name);
  if (link == nullptr) return say("no run is chosen");
  int64_t now = clock::monotonic();
  if (now - run_.moved_at < kSettle) return say("another run has come here; look, and press again");
  if (key == 'K') {
    to_kill_ = link->name();
    picture_.question = "kill " + text::quote(link->name()) + " and everything in it? y n";
    return;
  }
  ControlMessage message{key == 'p' ? ControlType::pause : ControlType::stop};
  if (key == 'p') message.value = link->status().paused != 0 ? 0 : 1;
  if (key == 'x') message.seconds = kStopSeconds;
  if (key == 'x') say("asks " + text::quote(link->name()) + " to end");
  link->tell(message, now);
  next_tick_ = 0;
}

// Who has said "kill" and left at once still means it.
void TopView::finish_kills() {
  constexpr int64_t kSoon = 1000 * kMillisecond;
  auto is_due = [](const clients::RunLink& link, int64_t now) {
    return link.killed_at() != 0 && link.killed_at() - now < kSoon;
  };
  for (clients::RunLink& link : runs_.links()) {
    while (is_due(link, clock::monotonic())) {
      link.listen(clock::monotonic());
      link.kill_if_due(clock::monotonic());
      usleep(10'000);
    }
  }
}

}  // namespace ringwall::cli
