// What a walk keeps of its place in the text, saved while it goes somewhere else.
#pragma once

#include <utility>

#include "shell/walk.h"

namespace ringwall::shell {

class Walk::Inside {
 public:
  explicit Inside(Walk& walk)
      : walk_(walk),
        script_(walk.script_),
        certain_(walk.certain_),
        through_(walk.through_),
        around_(walk.around_),
        elsewhere_(walk.elsewhere_),
        feeds_(walk.feeds_),
        input_(walk.input_),
        seen_(std::exchange(walk.seen_, nullptr)) {
    walk.code_depth_++;
  }
  ~Inside() {
    walk_.code_depth_--;
    walk_.script_ = script_;
    walk_.certain_ = certain_;
    walk_.through_ = std::move(through_);
    walk_.around_ = std::move(around_);
    walk_.elsewhere_ = elsewhere_;
    walk_.feeds_ = std::move(feeds_);
    walk_.input_ = std::move(input_);
    walk_.seen_ = seen_;
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  Walk& walk_;
  const Script* script_;
  bool certain_;
  std::vector<std::string> through_;
  std::vector<Assignment> around_;
  bool elsewhere_;
  std::vector<size_t> feeds_;
  std::optional<Word> input_;
  std::vector<Seen>* seen_;
};

}  // namespace ringwall::shell
