// What no rule covers and waits for the person's answer: connections, tool calls. Those that mean
// one thing wait together, and are answered together. Nothing waits for ever, and not everything
// can wait.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "net/relay_protocol.h"

namespace ringwall::desks {

// A number that nothing else in this run waits under.
uint64_t next_request_number();

// The same place.
bool is_same(const net::Destination& one, const net::Destination& other);

template <typename Subject>
struct Waiting {
  uint64_t id = 0;  // what the person answers by
  Subject to;
  std::string program;
  int64_t since = 0;  // on the monotonic clock
  int64_t until = 0;
  std::vector<uint32_t> connections;  // that want to know
};

template <typename Subject>
class WaitingLine {
 public:
  static constexpr size_t kMost = 32;  // more than a person can look through
  // New ones, from whoever asks and leaves again: a person is not to be flooded.
  static constexpr size_t kMostInAMinute = 60;

  // The one that connection now waits with; nothing if there is no room. `connections` of one that
  // is new has this one alone.
  const Waiting<Subject>* add(uint32_t connection, const Subject& to, int64_t now,
                              int64_t patience) {
    auto known = std::ranges::find_if(waiting_,
                                      [&](const auto& waiting) { return is_same(waiting.to, to); });
    if (known == waiting_.end()) {
      if (!may_begin(now)) return nullptr;
      waiting_.push_back({next_request_number(), to, {}, now, now + patience, {}});
      known = waiting_.end() - 1;
    }
    known->connections.push_back(connection);
    return &*known;
  }

  void name_program(uint64_t id, std::string program) {
    auto found = std::ranges::find(waiting_, id, &Waiting<Subject>::id);
    if (found != waiting_.end()) found->program = std::move(program);
  }

  // Whoever asked for that connection is gone. Gives what nobody waits for any more.
  std::optional<Waiting<Subject>> forget(uint32_t connection) {
    for (Waiting<Subject>& waiting : waiting_) {
      if (std::erase(waiting.connections, connection) == 0) continue;
      return waiting.connections.empty() ? take(waiting.id) : std::nullopt;
    }
    return std::nullopt;
  }

  std::optional<Waiting<Subject>> take(uint64_t id) {
    auto found = std::ranges::find(waiting_, id, &Waiting<Subject>::id);
    if (found == waiting_.end()) return std::nullopt;
    Waiting<Subject> taken = std::move(*found);
    waiting_.erase(found);
    return taken;
  }

  std::optional<Waiting<Subject>> take_expired(int64_t now) {
    if (waiting_.empty() || waiting_.front().until > now) return std::nullopt;
    return take(waiting_.front().id);
  }

  int64_t next_deadline() const { return waiting_.empty() ? 0 : waiting_.front().until; }
  const std::vector<Waiting<Subject>>& all() const { return waiting_; }

 private:
  bool may_begin(int64_t now) {
    constexpr int64_t kMinute = 60'000'000'000;
    if (now >= minute_ends_) {
      minute_ends_ = now + kMinute;
      in_this_minute_ = 0;
    }
    return waiting_.size() < kMost && in_this_minute_++ < kMostInAMinute;
  }

  std::vector<Waiting<Subject>> waiting_;  // oldest first
  int64_t minute_ends_ = 0;
  size_t in_this_minute_ = 0;
};

using WaitingRequest = Waiting<net::Destination>;
using WaitingRequests = WaitingLine<net::Destination>;

}  // namespace ringwall::desks
