#include "terminal/answers.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/file.h"

namespace ringwall::terminal {
namespace {

constexpr std::string_view kQuestion = "\x1b[5n";
constexpr std::string_view kAnswer = "\x1b[0n";
constexpr int64_t kMilliseconds = 1'000'000;
constexpr int64_t kSilence = 1000 * kMilliseconds;      // who is silent for so long will not answer
constexpr int64_t kShortSilence = 500 * kMilliseconds;  // where all has to be gone within a second
constexpr int64_t kQuiet = 300 * kMilliseconds;         // the last of an unknown number has come
constexpr int64_t kLongest = 4000 * kMilliseconds;      // for one who goes on and on

}  // namespace

void StatusAnswers::take(std::string_view keys) {
  for (char key : keys) {
    if (key != kAnswer[matched_]) matched_ = 0;  // only its first byte can begin an answer
    if (key == kAnswer[matched_]) matched_++;
    if (matched_ < kAnswer.size()) continue;
    matched_ = 0;
    seen_++;
  }
}

void drain_answers(const OwnTerminal& terminal, StatusAnswers& answers,
                   std::optional<uint64_t> asked) {
  pollfd waits{terminal.fd(), POLLOUT, 0};
  // One that was stopped by Ctrl-S takes no question, and would hold us up.
  if (poll(&waits, 1, 0) <= 0 || !file::write_all(terminal.fd(), kQuestion)) return;
  answers.ask();
  uint64_t before = answers.seen();
  waits.events = POLLIN;
  int64_t now = clock::monotonic();
  int64_t longest = now + kLongest;
  int64_t silence = asked ? kSilence : kShortSilence;
  int64_t deadline = now + silence;
  while ((!asked || answers.awaits(*asked)) && now < deadline) {
    auto left = static_cast<int>((deadline - now) / kMilliseconds) + 1;
    if (poll(&waits, 1, left) <= 0) return;
    char buffer[4096];
    ssize_t count = read(terminal.fd(), buffer, sizeof buffer);
    if (count <= 0) return;
    answers.take({buffer, static_cast<size_t>(count)});
    now = clock::monotonic();
    bool may_be_last = !asked && answers.seen() > before;
    deadline = std::min(now + (may_be_last ? kQuiet : silence), longest);
  }
}

}  // namespace ringwall::terminal
