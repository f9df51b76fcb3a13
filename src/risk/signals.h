// What of a run's record counts for its risk: one table of signals, and a reader of the record's
// lines. The score is made of nothing else, so whoever has the record can make it again.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "risk/axes.h"

namespace ringwall::risk {

inline constexpr uint64_t kEach = UINT64_MAX;

// In the order of the table.
enum class SignalId : uint8_t {
  destructive_call,
  credentials_call,
  self_change_call,
  refused_call,
  unheard_refusals,
  hidden_instructions,
  rejected_by_person,
  many_deletions,
  refused_destination,
  refused_address,
  refused_program,
  refused_file,
  quarantined_file,
  uncounted_refusals,
  denied_again,
  failed_call,
  subagent,
  process_burst,
  limit_reached,
  hook_flood,
  secret_in_result,
  secret_wanted,
  hidden_file,
  new_destination,
  connection,
  first_upload,
  upload,
};

struct Signal {
  SignalId id;
  std::string_view name;
  Account account;
  std::string_view event;  // of the record
  std::string_view what;   // for the docs
  // Thousandths of a point for something of its kind that was not seen in the run before, and for
  // each time that the same comes again.
  uint64_t first;
  uint64_t again;
  // At most for all times that the same comes again: the thing stands in the sum once, with the
  // time at which it came last. kEach: every time stands there by itself, and `again` is not less
  // than `first`. In both ways, one more never makes the sum smaller.
  uint64_t most_again;
};

std::span<const Signal> signals();
const Signal& signal_of(SignalId id);

// One thing that a line says.
struct Heard {
  SignalId id;
  std::string key;     // the same key: the same thing again
  std::string shown;   // a few words for the person
  uint64_t times = 1;  // it happened
  uint64_t scale = 1;  // its points are multiplied by this
};

using Hear = std::function<void(const Heard&)>;

// The person has the walls tried (ringwall verify), or nobody does any more.
enum class Trial : uint8_t { none, begins, ends };

// `event` is a line of the record, or the event that a line is made of. What is no event, or none
// that counts, is passed over.
Trial read_signals(std::string_view event, const Hear& hear);

}  // namespace ringwall::risk
