// What a run that learns wanted and did not get, files and addresses: a table in memory that the
// hand fills and the supervisor reads when the hand has ended. The hand reads the memory of hostile
// processes, so the reader believes nothing that stands there. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"

namespace ringwall::hand {

enum class Wanted : uint32_t {
  look = 1,
  read,
  execute,
  write,
  connect,  // to a socket of the file system
  reach,    // an address of the network
};

// Somebody inside can ask for as many names as it likes.
inline constexpr size_t kMostWanted = 20'000;
inline constexpr size_t kWantedBytes = 8 << 20;

class WantedTable {
 public:
  // `memory` is empty, and at least kWantedBytes long.
  explicit WantedTable(std::span<char> memory) : memory_(memory) {}

  // Once more; the program is the one that asked.
  void add(Wanted wanted, std::string_view path, std::string_view program);

 private:
  std::span<char> memory_;
  std::unordered_map<std::string, size_t> places_;  // of records
};

struct WantedPath {
  Wanted wanted;
  std::string path;  // absolute, as its caller named it; of an address ADDRESS:PORT
  std::string program;
  uint64_t times = 0;
};

struct WantedPaths {
  std::vector<WantedPath> paths;
  uint64_t left_off = 0;  // calls for which there was no room
};

Result<WantedPaths> read_wanted(std::string_view memory);

}  // namespace ringwall::hand
