// Caches of the real home that can be offered inside, and the state of the private home that
// persists.
#pragma once

#include <span>
#include <string_view>

namespace ringwall::policy {

struct Cache {
  std::string_view name;
  std::string_view folders;  // below the home, separated by blanks
};
std::span<const Cache> caches();

// What one run leaves to the next. Everything else in the private home is gone at its end: rc
// files, bin folders and agents' settings would run by themselves in the next run (P38).
struct KeptState {
  std::string_view folder;
  std::string_view tool;  // kept where this program is on PATH; empty: always
  std::string_view reason;
};
std::span<const KeptState> kept_state();

}  // namespace ringwall::policy
