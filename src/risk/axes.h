// The four axes of the score, and the accounts that points are entered in.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ringwall::risk {

enum class Axis : uint8_t { intent, boundary, stability, exposure };
inline constexpr size_t kAxes = 4;

enum class Account : uint8_t {
  intent,
  acts,  // of intent: what was seen without the agent's hooks
  boundary,
  hosts,      // of boundary: refused names
  addresses,  // and addresses
  planted,    // what was taken away
  files,      // what tools were refused
  stability,
  load,         // of stability: what was seen without the agent's hooks
  taken,        // of exposure: what it has read that could do harm elsewhere
  sent,         // what has left
  connections,  // and how often
};
inline constexpr size_t kAccounts = 12;

struct AxisRow {
  std::string_view name;
  std::string_view what;
  int64_t half_life;  // seconds
};

inline constexpr std::array<AxisRow, kAxes> kAxisRows = {{
    {"intent", "what tool calls tried, and what tries to steer the agent", 900},
    {"boundary", "what the walls refused or took away", 600},
    {"stability", "loops, bursts and limits that were reached", 300},
    {"exposure", "what it has read, and what it sends", 3600},
}};

struct AccountRow {
  std::string_view name;
  Axis axis;
  // It holds what the agent's hooks say, which anything inside can say as well.
  bool is_hearsay;
};

inline constexpr std::array<AccountRow, kAccounts> kAccountRows = {{
    {"intent", Axis::intent, true},
    {"acts", Axis::intent, false},
    {"boundary", Axis::boundary, false},
    {"hosts", Axis::boundary, false},
    {"addresses", Axis::boundary, false},
    {"planted", Axis::boundary, false},
    {"files", Axis::boundary, true},
    {"stability", Axis::stability, true},
    {"load", Axis::stability, false},
    {"taken", Axis::exposure, true},
    {"sent", Axis::exposure, false},
    {"connections", Axis::exposure, false},
}};

inline constexpr const AccountRow& row_of(Account account) {
  return kAccountRows[static_cast<size_t>(account)];
}
inline constexpr Axis axis_of(Account account) { return row_of(account).axis; }

}  // namespace ringwall::risk
