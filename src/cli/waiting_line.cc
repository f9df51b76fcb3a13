#include "cli/waiting_line.h"

#include <signal.h>
#include <unistd.h>

namespace ringwall::cli {
namespace {

constexpr std::chrono::milliseconds kBetween{1000};

}  // namespace

void WaitingLine::write_out(std::string_view text) const {
  // A terminal that is gone is no reason to stop the work.
  [[maybe_unused]] ssize_t wrote = write(out_, text.data(), text.size());
}

WaitingLine::WaitingLine(std::string words, int out, std::chrono::milliseconds patience)
    : words_(std::move(words)), out_(out), patience_(patience) {
  if (isatty(out_) == 0) return;
  // Signals are the business of who does the work.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  shower_ = std::thread([this] { show(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

WaitingLine::~WaitingLine() {
  if (!shower_.joinable()) return;
  {
    std::lock_guard held(mutex_);
    is_done_ = true;
  }
  changed_.notify_one();
  shower_.join();
}

void WaitingLine::show() {
  auto began = std::chrono::steady_clock::now();
  std::unique_lock held(mutex_);
  bool is_shown = false;
  auto is_done = [this] { return is_done_; };
  while (!changed_.wait_for(held, is_shown ? kBetween : patience_, is_done)) {
    auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - began);
    write_out("\r" + words_ + " …  " + std::to_string(seconds.count()) + " s");
    is_shown = true;
  }
  if (is_shown) write_out("\r\x1b[K");
}

}  // namespace ringwall::cli
