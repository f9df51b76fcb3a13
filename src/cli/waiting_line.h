// One line on a terminal that shows that long work goes on. It appears after a moment, counts the
// seconds, and is gone when the work is done. Elsewhere than on a terminal there is nothing.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace ringwall::cli {

class WaitingLine {
 public:
  // On stderr: "taking over 3 changes …  12 s". The words are harmless. Another terminal and moment
  // are for tests.
  explicit WaitingLine(std::string words, int out = 2,
                       std::chrono::milliseconds patience = std::chrono::seconds(2));
  ~WaitingLine();
  WaitingLine(const WaitingLine&) = delete;

 private:
  void show();
  void write_out(std::string_view text) const;

  std::string words_;
  int out_;
  std::chrono::milliseconds patience_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;
  std::thread shower_;
};

}  // namespace ringwall::cli
