#include "session/listeners.h"

#include "base/clock.h"
#include "processes/forwarded_signals.h"

namespace ringwall::session {
namespace {

constexpr size_t kMostKept = 256 << 10;
constexpr int64_t kMillisecond = 1'000'000;

}  // namespace

void Listeners::add(Fd listener) {
  all_.emplace_back(SlowReader(std::move(listener)), [](const events::Event& event) {
    std::string line = events::to_text(event, false);
    return line.empty() ? line : line + '\n';
  });
}

void Listeners::tell(const events::Event& event) {
  for (Listener& listener : all_)
    show(listener, listener.words(event));
  drop_gone();
}

void Listeners::show(const std::string& lines) {
  for (Listener& listener : all_)
    show(listener, lines);
  drop_gone();
}

void Listeners::show(Listener& listener, const std::string& lines) {
  if (lines.empty()) return;
  bool is_full = listener.left_out > 0 || listener.reader.size() + lines.size() > kMostKept;
  if (is_full && listener.reader.has_more())
    listener.left_out++;
  else
    listener.reader.tell(lines);
}

void Listeners::flush(Listener& listener) {
  listener.reader.flush();
  if (listener.reader.has_more() || listener.left_out == 0) return;
  std::string count = std::to_string(std::exchange(listener.left_out, 0));
  listener.reader.tell(listener.words(events::Withheld{
      count + " more messages were not shown here, because nobody read what came before them",
      "read them all: ringwall log"}));
}

void Listeners::flush() {
  for (Listener& listener : all_)
    flush(listener);
  drop_gone();
}

void Listeners::drop_gone() {
  all_.remove_if([](const Listener& listener) { return listener.reader.is_gone(); });
}

void Listeners::add_waits(std::vector<pollfd>& waits) const {
  for (const Listener& listener : all_) {
    if (listener.reader.has_more()) waits.push_back({listener.reader.fd(), POLLOUT, 0});
  }
}

void Listeners::finish(int signals, int milliseconds) {
  int64_t deadline = clock::monotonic() + milliseconds * kMillisecond;
  for (flush();; flush()) {
    std::vector<pollfd> waits = {{signals, POLLIN, 0}};
    add_waits(waits);
    if (waits.size() == 1) return;
    int64_t left = (deadline - clock::monotonic()) / kMillisecond;
    if (milliseconds >= 0 && left <= 0) break;
    if (poll(waits.data(), waits.size(), milliseconds < 0 ? -1 : static_cast<int>(left)) < 0 &&
        errno != EINTR)
      break;
    if (waits[0].revents != 0 && processes::take_end(signals)) break;
  }
  all_.clear();  // who does not read by now is not waited for again
}

}  // namespace ringwall::session
