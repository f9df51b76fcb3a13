// A run that somebody looks at: one control connection that stays open, over which it is asked
// again and again how it is, and told what to do. Nothing here waits; a supervisor that does not
// answer is known by the time that has gone by.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "state/control.h"
#include "state/places.h"

namespace ringwall::clients {

class RunLink {
 public:
  // By its name in the registry, the folder `runs`.
  static Result<RunLink> open(const state::Places& places, const std::string& name);

  const std::string& name() const { return name_; }
  bool has_ended() const { return has_ended_; }
  bool is_deaf(int64_t now) const;
  const state::RunStatus& status() const { return status_; }
  // Empty until it has come. All of it is asked for when something has changed that the status does
  // not tell.
  const boost::json::object& description() const { return description_; }

  // How are you? If the answer to the last question is still out, no other is asked.
  void ask(int64_t now);
  // With what only the description has: who waits, what is open.
  void ask_closely(int64_t now);
  // Takes the answers that are there. False if none is awaited any more.
  bool listen(int64_t now);

  // A request of the person's. Who is told to end and does not is killed in time.
  void tell(const state::ControlMessage& request, int64_t now);
  struct Answer {
    state::ControlMessage request;
    bool is_done = false;
    std::string text;  // what the run says to it
  };
  std::vector<Answer> take_answers() { return std::exchange(answers_, {}); }
  // When it is to be killed, on the monotonic clock; 0: it is not.
  int64_t killed_at() const { return has_ended_ ? 0 : kill_at_; }
  void kill_if_due(int64_t now);

 private:
  bool send(const state::ControlMessage& message);
  void take(const state::ControlMessage& message, std::vector<Fd>& fds, int64_t now);
  void take_description(const Fd& file);

  std::string name_;
  Fd connection_;
  Fd supervisor_;  // as a descriptor that cannot come to mean another process
  state::RunStatus status_;
  state::RunStatus described_;  // what the status was then
  int64_t described_at_ = 0;
  boost::json::object description_;
  int64_t asked_at_ = 0;        // 0: no answer is out
  int64_t description_at_ = 0;  // asked for; 0: it is not out
  bool looks_closely_ = false;
  std::deque<state::ControlMessage> told_;  // and not answered
  std::vector<Answer> answers_;
  int64_t kill_at_ = 0;
  bool has_ended_ = false;
};

}  // namespace ringwall::clients
