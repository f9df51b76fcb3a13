#include "terminal/answers.h"

#include <gtest/gtest.h>

#include "terminal/filter.h"

namespace ringwall::terminal {
namespace {

uint64_t seen_in(std::initializer_list<std::string_view> pieces) {
  StatusAnswers answers;
  for (std::string_view piece : pieces)
    answers.take(piece);
  return answers.seen();
}

TEST(StatusAnswers, AreCountedHoweverTheyArrive) {
  EXPECT_EQ(seen_in({"keys\x1b[0n\x1b[5;9R\x1b[0n"}), 2U);
  EXPECT_EQ(seen_in({"\x1b", "[", "0", "n", "\x1b[0", "n"}), 2U);
  EXPECT_EQ(seen_in({"\x1b\x1b[0n", "\x1b[\x1b[0n"}), 2U);
}

TEST(StatusAnswers, OthersAreNot) { EXPECT_EQ(seen_in({"\x1b[1n\x1b[0m\x1b[?0n[0n\x1b[00n"}), 0U); }

TEST(StatusQueries, AreCountedByTheFilter) {
  Filter filter({});
  (void)filter.pass("\x1b[5n\x1b[6n\x1b[?996n\x1b[c\x1b[05n\x1b[");
  (void)filter.pass("5n");
  EXPECT_EQ(filter.queries(), 6U);
  EXPECT_EQ(filter.status_queries(), 3U);
}

}  // namespace
}  // namespace ringwall::terminal
