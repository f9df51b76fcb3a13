// One connection of somebody inside, from its first byte to its last: the first bytes are judged,
// the supervisor is asked, then both directions are relayed. Never blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/fd.h"
#include "net/flow.h"
#include "net/refusal.h"
#include "net/relay_protocol.h"
#include "net/stream_judge.h"

namespace ringwall::net {

// Instead of an orderly end, when the socket is closed.
void end_by_reset(int socket);

class Connection {
 public:
  enum class Next {
    wait,      // for one of its sockets, or for an answer
    again,     // it has more to do, but others wait too
    ask,       // the supervisor is to be asked
    refused,   // by what was sent; `why` says it. It goes on until the client knows, or is over
    finished,  // to be forgotten
  };

  // Of somebody inside. `judged`: the names that it shows must be the destination's. `held_in_all`
  // counts what is held back in all connections.
  Connection(Fd inside, const Destination& to, Asker asker, bool judged, Budget budget,
             size_t* held_in_all);
  // Both ends are connected already, nothing is judged.
  Connection(Fd inside, Fd outside);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { let_go_of(held_.size()); }

  Next go_on(PipePool& pipes);
  // What it asked for was made, or not.
  Next take_outside(Fd outside, PipePool& pipes);
  Next take_obstacle(Obstacle obstacle, std::string_view why);
  // Nothing came in the time that there was for it.
  Next expire(PipePool& pipes);
  void give_up(PipePool& pipes);
  // Both ends know at once that nothing more comes.
  void cut();

  int inside() const { return inside_.get(); }
  int outside() const { return outside_.get(); }
  bool is_over() const { return state_ == State::over; }
  bool is_asked() const { return state_ == State::asked; }
  // The supervisor was asked, and said yes.
  bool was_made() const { return was_made_; }
  // Of what somebody inside has sent, who is gone by now.
  bool has_passed_all_on() const;
  bool waits_for_client() const { return state_ == State::first_bytes || state_ == State::closing; }
  bool is_patient() const {
    return state_ == State::open && (up_.is_patient() || down_.is_patient());
  }
  // Nanoseconds until it is to `expire`, counted from now. Nothing: as before.
  std::optional<int64_t> take_patience();
  const Destination& destination() const { return to_; }
  const Asker& asker() const { return asker_; }
  const std::string& why() const { return why_; }
  // Bytes that have left since this was asked last. Few calls give any: when it is much, or, with
  // `all`, in the end.
  uint64_t take_unsaid(bool all);

 private:
  enum class State { first_bytes, asked, open, closing, over };

  Next read_first();
  Next relay(PipePool& pipes);
  Next judge_more(bool& moved);
  Next obey(const Judgement& judgement, bool& moved);
  bool read_client(bool& ended);
  bool is_reset() const;
  bool holds_too_much() const;
  void let_go_of(size_t bytes);
  void look_at_status();
  Next refuse(std::string why);
  Next close_by(std::string last_words);
  Next finish_closing();
  Next reset();
  Next finish();

  Fd inside_;
  Fd outside_;
  Destination to_{};
  Asker asker_{};
  State state_ = State::first_bytes;
  std::unique_ptr<StreamJudge> judge_;  // none: everything may pass
  std::optional<Judgement> first_;      // what it said before the connection was made
  size_t* held_in_all_ = nullptr;
  std::string held_;  // sent by the client, not passed on
  bool client_ended_ = false;
  bool client_broke_off_ = false;  // it did not end in order
  bool was_made_ = false;
  bool starts_to_close_ = false;
  int status_ = 0;  // the server's first, 0: not there yet
  bool status_matters_ = false;
  Flow up_, down_;
  Budget budget_;
  uint64_t sent_ = 0;
  uint64_t said_ = 0;  // of that
  std::string last_words_;
  std::string why_;
};

}  // namespace ringwall::net
