// Which lines of two texts are the same ones, in order. Lines are numbers here: equal numbers,
// equal lines. Every text gets an answer in bounded time; beyond the bounds fewer lines are found
// to be the same than could be, never wrong ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ringwall::review {

// What the comparing of lines may still cost, over all texts.
struct DiffBudget {
  uint64_t steps = 100'000'000;
};

using LineMatches = std::vector<std::pair<size_t, size_t>>;

LineMatches match_lines(std::span<const uint32_t> a, std::span<const uint32_t> b,
                        DiffBudget& budget);

}  // namespace ringwall::review
