// The score of a run: R in 0 … 1 from four axes, made of the lines of its record and of nothing
// else. docs/risk.md has the formulas. Pure: time comes with each line.
#pragma once

#include <array>
#include <boost/json.hpp>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/digest.h"
#include "policy/policy.h"
#include "risk/decayed_sum.h"
#include "risk/signals.h"

namespace ringwall::risk {

inline constexpr uint32_t kWhole = 1'000'000;  // shares are counted in millionths

struct Weights {
  std::array<uint32_t, kAxes> thousandths = {1000, 1000, 1000, 1000};
};

Weights weights_of(const policy::Policy::Risk& risk);

struct Reading {
  uint32_t score = 0;
  uint32_t seen = 0;  // the score of what is no hearsay
  std::array<uint32_t, kAxes> axes = {};
  bool operator==(const Reading&) const = default;
};

// One entry of the sum.
struct Contribution {
  int64_t at = 0;  // milliseconds since the start
  SignalId id{};
  std::string shown;
  uint64_t points = 0;  // thousandths, when it was entered
};

class Score {
 public:
  explicit Score(Weights weights = {});

  // A line of the record, or the event that it is made of, at so many milliseconds. True if it
  // counts.
  bool hear(int64_t at, std::string_view event);
  bool enter(int64_t at, const Heard& heard);

  // The person knows better: everything starts anew.
  void forget();

  Reading look(int64_t at) const;
  // Points of an account, thousandths.
  uint64_t points(Account account, int64_t at) const;
  // What weighs most now, the heaviest first.
  std::vector<Contribution> heaviest(int64_t at, size_t most) const;

 private:
  struct Known {
    uint64_t times = 0;
    // What stands in the sum for it, unless every time does by itself.
    uint64_t points = 0;
    int64_t window = 0;
  };

  bool enter_each(int64_t at, const Heard& heard, const Digest& digest, Known* known);
  bool enter_once(int64_t at, const Heard& heard, const Digest& digest, Known& known);
  DecayedSum& sum_of(SignalId id);
  using Points = std::array<uint64_t, kAccounts>;
  uint32_t weigh(const Points& points, std::array<uint32_t, kAxes>& axes) const;
  void remember(int64_t at, const Heard& heard, const Digest& digest, uint64_t points,
                bool stands_once);

  Weights weights_;
  int64_t quiet_until_ = 0;  // the person has the walls tried
  std::array<DecayedSum, kAccounts> sums_;
  std::unordered_map<Digest, Known, DigestHash> known_;
  struct Remembered {
    Contribution contribution;
    Digest digest;
  };
  std::deque<Remembered> contributions_;
};

// "+15.0 credentials call, at 12.3 s: Read ~/.ssh/id_rsa"
std::string show(const Contribution& contribution);
// The score with its axes, points and what weighs most. Shares are millionths.
boost::json::object describe(const Score& score, int64_t at);

}  // namespace ringwall::risk
