// `ringwall top` at a terminal: a picture four times a second, and one key for each thing that a
// person does to a run.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/fd.h"
#include "cli/top_keys.h"
#include "cli/top_runs.h"
#include "cli/top_screen.h"

namespace ringwall::cli {

class TopView {
 public:
  // `chosen` is a run's name, or empty.
  TopView(TopRuns& runs, TopScreen& screen, std::string chosen);
  ~TopView();
  TopView(const TopView&) = delete;
  TopView& operator=(const TopView&) = delete;

  // Until the person leaves. The signal that ended it, else 0.
  Result<int> show();

 private:
  // Something a person points at. What has come under the pointer by itself was not meant yet.
  template <class Name>
  struct Chosen {
    Name name{};
    int64_t moved_at = 0;  // by itself
  };

  Status step();
  int time_to_wait(int64_t now) const;
  void tick(int64_t now);
  void hear(int64_t now);
  void update(int64_t now);
  void choose_what_is_there(int64_t now);
  void take_answers();
  void take_answer(const std::string& run, const clients::RunLink::Answer& answer);
  void paint();
  void say(std::string message);

  void take_signal();
  void take_keys();
  void press(Key key);
  bool answer_question(char key);
  void move(int by);
  void answer_request(char key);
  void act_on_run(char key);
  void finish_kills();

  TopRuns& runs_;
  TopScreen& screen_;
  TopKeys keys_;
  TopPicture picture_;
  Chosen<std::string> run_;
  Chosen<uint64_t> request_;
  std::optional<RunWatch> watch_;
  std::set<std::pair<std::string, int32_t>> always_;  // answers that the policy file is to have
  std::string to_kill_;                               // if the person says y
  Fd signals_;
  int64_t message_until_ = 0;
  int64_t next_tick_ = 0;
  int64_t next_list_ = 0;
  int64_t next_hearing_ = 0;  // 0: no answer is awaited
  int hearings_ = 0;          // since they were asked
  bool leaves_ = false;
  int signal_ = 0;
};

}  // namespace ringwall::cli
