#include "terminal/relayed_terminal.h"

#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/clock.h"
#include "terminal/narrow.h"

namespace ringwall::terminal {
namespace {

// What is typed beyond that at a program that does not read is lost, as at a real terminal.
constexpr size_t kMostUnreadInput = 16 << 20;
// A program that asks and asks while nobody is there, and does not read, gets no more answers.
constexpr size_t kMostUnreadAnswers = 4096;
// The kernel hands output on by a worker of its own: after the last process has ended, an empty
// terminal is looked at a few times more.
constexpr int kQuietRounds = 3;
constexpr size_t kMostAtOnce = 4096;  // bytes that the kernel keeps for us to read
constexpr int kQuietMilliseconds = 5;

void say(const Viewer& viewer, ViewerHead::Type type) {
  auto asked = static_cast<int32_t>(std::min<uint64_t>(viewer.status_questions(), INT32_MAX));
  (void)send_to_viewer(viewer.socket(), {type, viewer.expects_answers(), asked}, {}, MSG_DONTWAIT);
}

FilterOptions options_of(const RelayOrder& order) {
  return {.utf8 = order.utf8, .clipboard_write = order.clipboard_write};
}

}  // namespace

RelayedTerminal::RelayedTerminal(const RelayOrder& order, Fd near_side, Fd recording)
    : id_(order.terminal),
      near_side_(std::move(near_side)),
      size_(usable(order.size)),
      filter_(options_of(order)),
      utf8_(order.utf8),
      filtered_(order.filtered),
      awaits_viewer_(order.awaits_viewer),
      screen_(size_),
      started_(clock::monotonic()) {
  if (recording) {
    RecordingHeader header{.size = size_,
                           .title = order.title,
                           .command = order.title,
                           .term = order.term,
                           .shell = order.shell};
    recording_.emplace(std::move(recording), header, order.most_recorded);
  }
}

bool RelayedTerminal::has_interactive_viewer() const {
  return std::ranges::any_of(
      viewers_, [](const auto& viewer) { return viewer->interactive() && viewer->takes_output(); });
}

bool RelayedTerminal::is_held_back() const {
  return awaits_viewer_ ||
         std::ranges::any_of(viewers_, [](const auto& viewer) { return viewer->holds_back(); });
}

// A terminal whose keyboard is somebody else's would type its answers and reports at them.
bool RelayedTerminal::has_keyboard() const {
  return std::ranges::none_of(
      viewers_, [](const auto& viewer) { return viewer->takes_output() && !viewer->listens(); });
}

// Until now its keyboard was somebody else's: what the program wants it to send was only kept.
void RelayedTerminal::listen(Viewer& viewer, bool listens) {
  bool comes_to_front = listens && !viewer.listens() && !viewer.is_in_order();
  viewer.listen(listens);
  std::string wishes = sequences_to_enter(filter_.modes(), Part::keyboard);
  if (comes_to_front && !wishes.empty())
    viewer.show(wishes, {.all = filter_.modes().makes_reports()});
}

std::string RelayedTerminal::last_words(const Viewer& viewer) const {
  return sequences_to_leave(filter_.modes(), viewer.listens() ? Part::all : Part::screen);
}

bool RelayedTerminal::lets_speak(const Viewer& viewer) const {
  return viewer.listens() && filter_.modes().makes_reports();
}

void RelayedTerminal::add_waits(std::vector<pollfd>& waits) const {
  short events = 0;
  if (!exhausted_ && !is_held_back()) events |= POLLIN;
  if (!exhausted_ && !input_.empty()) events |= POLLOUT;
  waits.push_back({events == 0 ? -1 : near_side_.get(), events, 0});
  for (const auto& viewer : viewers_) {
    waits.push_back({viewer->socket(), POLLIN, 0});
    waits.push_back({viewer->wants_flush() ? viewer->output() : -1, POLLOUT, 0});
  }
}

size_t RelayedTerminal::take_events(const pollfd* waits) {
  const pollfd* at = waits;
  bool readable = (at->revents & ~POLLOUT) != 0;
  bool writable = (at->revents & POLLOUT) != 0;
  at++;
  for (auto& viewer : viewers_) {
    if (at[0].revents != 0) take_message(*viewer);
    if (at[1].revents != 0) viewer->flush();
    at += 2;
  }
  if (writable) write_input();
  if (readable || (ending_ && !exhausted_ && !is_held_back())) read_output();
  for (auto& viewer : viewers_) {
    if (viewer->take_held()) say(*viewer, ViewerHead::Type::held);
    if (viewer->take_settled()) say(*viewer, ViewerHead::Type::settled);
    if (viewer->is_behind()) viewer->catch_up(picture(*viewer));
    if (ending_ && exhausted_ && viewer->takes_output()) leave(*viewer);
  }
  return static_cast<size_t>(at - waits);
}

// The kernel gives no more than 4 KiB at once. Two of them are shown together: each time that
// something is shown wakes whoever reads it, which costs more than the bytes.
std::string_view RelayedTerminal::read_some(std::span<char> buffer) {
  size_t size = 0;
  while (buffer.size() - size >= kMostAtOnce) {
    ssize_t count = read(near_side_.get(), buffer.data() + size, buffer.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) {
      if (ending_ && size == 0 && ++quiet_rounds_ >= kQuietRounds) exhausted_ = true;
      break;
    }
    if (count <= 0) {
      exhausted_ = true;  // every process inside has closed it
      break;
    }
    quiet_rounds_ = 0;
    size += static_cast<size_t>(count);
  }
  return {buffer.data(), size};
}

void RelayedTerminal::read_output() {
  constexpr int kMostRounds = 16;  // a wait for each would cost more than the bytes
  char buffer[2 * kMostAtOnce];
  for (int i = 0; i < kMostRounds && !exhausted_; i++) {
    std::string_view bytes = read_some(buffer);
    if (bytes.empty()) break;
    filter_.have_keyboard(has_keyboard());
    Questions before{filter_.queries(), filter_.status_queries()};
    std::string_view shown = filtered_ ? filter_.pass(bytes) : bytes;
    show(shown, {filter_.queries() - before.all, filter_.status_queries() - before.status});
    bool came_all = bytes.size() + kMostAtOnce <= sizeof buffer;
    if (came_all || is_held_back()) break;
  }
  write_input();  // answers that were made on the way
}

// A program that stops has left its screen before; that it stopped is told faster than the kernel
// hands on what it wrote.
void RelayedTerminal::drain() {
  constexpr int kMostRounds = 20;  // others inside may go on writing
  int quiet = 0;
  for (int i = 0; i < kMostRounds && quiet < kQuietRounds && !exhausted_ && !is_held_back(); i++) {
    pollfd waits{near_side_.get(), POLLIN, 0};
    quiet = poll(&waits, 1, kQuietMilliseconds) > 0 ? 0 : quiet + 1;
    if (quiet == 0) read_output();
  }
}

void RelayedTerminal::show(std::string_view filtered, Questions questions) {
  if (filtered.empty()) return;
  std::string narrowed;  // for those who need it
  for (auto& viewer : viewers_) {
    bool narrows = utf8_ && !viewer->utf8();
    if (narrows && narrowed.empty()) narrowed = narrow(filtered);
    viewer->show(narrows ? narrowed : filtered, questions);
  }
  history_.append(filtered, true);  // the filter gives nothing but whole sequences
  if (recording_ && !recording_error_) {
    double seconds = static_cast<double>(clock::monotonic() - started_) / 1e9;
    if (Status written = recording_->output(filtered, seconds); !written)
      recording_error_ = written.error().err;
  }
  if (!screen_) return;
  screen_->feed(filtered);
  std::string answers = screen_->take_answers();
  if (input_.size() + answers.size() <= kMostUnreadAnswers) input_ += answers;
}

void RelayedTerminal::write_input() {
  while (!input_.empty()) {
    ssize_t count = write(near_side_.get(), input_.data(), input_.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      if (count < 0 && errno != EAGAIN) input_.clear();
      return;
    }
    input_.erase(0, static_cast<size_t>(count));
  }
}

void RelayedTerminal::take_message(Viewer& viewer) {
  auto message = channel::receive(viewer.socket(), MSG_DONTWAIT);
  if (!message && message.error().err == EAGAIN) return;
  auto parsed = message && !message->bytes.empty() ? parse_viewer_message(message->bytes)
                                                   : std::unexpected(Error{"gone"});
  if (!parsed) return viewer.lose();
  switch (parsed->head.type) {
    case ViewerHead::Type::input:
      if (viewer.interactive() && !exhausted_ && input_.size() < kMostUnreadInput)
        input_ += parsed->bytes;
      return write_input();
    case ViewerHead::Type::resize:
      if (viewer.interactive()) resize(parsed->head.size);
      return;
    case ViewerHead::Type::hold:
      drain();
      return viewer.hold(last_words(viewer), lets_speak(viewer));
    case ViewerHead::Type::release:
      if (viewer.is_in_order() && parsed->head.value != 0) viewer.enter(way_back(viewer));
      return viewer.release();
    case ViewerHead::Type::listen:
      return listen(viewer, parsed->head.value != 0);
    case ViewerHead::Type::settle:
      return viewer.settle();
    case ViewerHead::Type::leave:
      return leave(viewer);
    default:
      return viewer.lose();
  }
}

void RelayedTerminal::resize(Size size) {
  size_ = usable(size);
  winsize kernels{size_.rows, size_.columns, 0, 0};
  if (ioctl(near_side_.get(), TIOCSWINSZ, &kernels) < 0) return;  // it is gone: seen when read
  if (screen_) screen_->resize(size_);
  double seconds = static_cast<double>(clock::monotonic() - started_) / 1e9;
  if (recording_ && !recording_error_) {
    if (Status written = recording_->resize(size_, seconds); !written)
      recording_error_ = written.error().err;
  }
}

Screen RelayedTerminal::replay() const {
  Screen screen(size_);
  history_.for_each([&](std::string_view bytes) { screen.feed(bytes); });
  (void)screen.take_answers();  // they were given when it was shown first
  return screen;
}

std::string RelayedTerminal::picture(const Viewer& viewer) const {
  // Entering the alternate screen clears it: the picture comes after.
  std::string whole =
      sequences_to_enter(filter_.modes()) + (screen_ ? screen_->paint() : replay().paint());
  return viewer.utf8() ? whole : narrow(whole);
}

// To a terminal that others have used since. On the main screen the program goes on below of what
// they wrote.
std::string RelayedTerminal::way_back(const Viewer& viewer) const {
  return filter_.modes().alternate_screen() ? picture(viewer) : sequences_to_enter(filter_.modes());
}

void RelayedTerminal::add_viewer(const RelayOrder& order, Fd socket, Fd output) {
  awaits_viewer_ = false;
  bool first = history_.empty();
  viewers_.push_back(std::make_unique<Viewer>(order.viewer, order.interactive, order.utf8,
                                              std::move(socket), std::move(output)));
  if (!first) viewers_.back()->show(picture(*viewers_.back()));
  if (!order.interactive) return;
  if (order.size.rows != 0) resize(order.size);
  // Its terminal answers queries from here on.
  screen_.reset();
}

void RelayedTerminal::drop_viewer(uint32_t id) {
  for (auto& viewer : viewers_) {
    if (viewer->id() == id) leave(*viewer);
  }
}

void RelayedTerminal::leave(Viewer& viewer) {
  viewer.leave(last_words(viewer), lets_speak(viewer));
  if (!screen_ && !has_interactive_viewer() && !ending_) screen_.emplace(replay());
}

std::vector<uint32_t> RelayedTerminal::take_departed() {
  std::vector<uint32_t> departed;
  std::erase_if(viewers_, [&](const auto& viewer) {
    if (!viewer->has_left() && !viewer->gone()) return false;
    say(*viewer, ViewerHead::Type::left);
    departed.push_back(viewer->id());
    return true;
  });
  if (!departed.empty() && !screen_ && !has_interactive_viewer() && !ending_)
    screen_.emplace(replay());
  return departed;
}

int RelayedTerminal::patience() const {
  if (!ending_) return -1;
  if (!exhausted_) return is_held_back() ? -1 : kQuietMilliseconds;
  bool has_to_say_so = std::ranges::any_of(
      viewers_, [](const auto& viewer) { return viewer->takes_output() || viewer->has_left(); });
  return viewers_.empty() || has_to_say_so ? 0 : -1;
}

void RelayedTerminal::finish_recording() {
  if (!recording_ || recording_error_) return;
  if (Status finished = recording_->finish(); !finished) recording_error_ = finished.error().err;
}

std::optional<int> RelayedTerminal::take_recording_error() {
  if (!recording_ || !recording_error_) return std::nullopt;
  recording_.reset();
  return std::exchange(recording_error_, std::nullopt);
}

}  // namespace ringwall::terminal
