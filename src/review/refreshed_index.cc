#include "review/refreshed_index.h"

#include "base/file.h"
#include "git/index_file.h"

namespace ringwall::review {
namespace {

constexpr uint64_t kMostIndex = 8 << 20;  // as much as is kept of one at the start

}  // namespace

bool is_refreshed_index(int was, const changes::EntryFacts& before, int is,
                        const changes::EntryFacts& after, ReadBudget& budget) {
  uint64_t size = before.size + after.size;
  if (before.size > kMostIndex || after.size > kMostIndex || size > budget.bytes) return false;
  budget.bytes -= size;
  auto old = file::read_all(was, kMostIndex), now = file::read_all(is, kMostIndex);
  if (!old || !now) return false;
  auto held = git::describe_index(*old), holds = git::describe_index(*now);
  return held && holds && *held == *holds;
}

}  // namespace ringwall::review
