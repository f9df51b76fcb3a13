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
  boundary,
  stability,
  taken,        // of exposure: what it has read that could do harm elsewhere
  sent,         // what has left
  connections,  // and how often
  hosts,        // of boundary: refused destinations
};
inline constexpr size_t kAccounts = 7;

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

inline constexpr std::array<std::string_view, kAccounts> kAccountNames = {
    "intent", "boundary", "stability", "taken", "sent", "connections", "hosts"};

inline constexpr Axis axis_of(Account account) {
  if (account == Account::hosts) return Axis::boundary;
  bool is_exposure = account == Account::sent || account == Account::connections;
  return is_exposure ? Axis::exposure : static_cast<Axis>(account);
}

}  // namespace ringwall::risk
