#include "cli/size_text.h"

#include <array>
#include <cstdio>

namespace ringwall::cli {

std::string describe_size(uint64_t bytes, bool whole) {
  constexpr std::array<const char*, 4> kUnits = {"KiB", "MiB", "GiB", "TiB"};
  std::string least = whole ? "" : "at least ";
  if (bytes < 1024) return least + std::to_string(bytes) + " B";
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); unit++)
    value /= 1024;
  char number[32];
  snprintf(number, sizeof number, "%.1f ", value);
  return least + number + kUnits[unit];
}

}  // namespace ringwall::cli
