#include "base/shell_word.h"

#include <gtest/gtest.h>

namespace ringwall::text {

TEST(ShellWord, IsQuotedOnlyWhereItMust) {
  EXPECT_EQ(shell_word("/src/main.c"), "/src/main.c");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("~x"), "'~x'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("/a\\[b"), "'/a\\[b'");
  EXPECT_EQ(shell_word("\x1b]'"), "$'\\x1b]\\''");
  EXPECT_EQ(shell_word("\\\xff"
                       "1'"),
            "$'\\x5c\\xff1\\''");
  EXPECT_EQ(shell_word("$HOME `id`"), "'$HOME `id`'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace ringwall::text
