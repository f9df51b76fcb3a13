#include "policy/wildcard.h"

#include <gtest/gtest.h>

namespace ringwall::policy {
namespace {

bool exact(std::string_view name, std::string_view part) {
  return fits_wildcard(name, part, Letters::exact);
}
bool any_case(std::string_view name, std::string_view part) {
  return fits_wildcard(name, part, Letters::any_case);
}

TEST(Wildcard, StarsAndQuestionMarks) {
  for (const char* part : {"notes.txt", "*", "n*t", "*.txt", "notes.tx?", "n**s.txt", "?otes*"})
    EXPECT_TRUE(exact("notes.txt", part)) << part;
  for (const char* part : {"", "notes", "*.tx", "notes.txt?", "?notes.txt", "n*s"})
    EXPECT_FALSE(exact("notes.txt", part)) << part;
  EXPECT_TRUE(exact("", "*"));
  EXPECT_FALSE(exact("", "?"));
}

TEST(Wildcard, NothingTakesASlash) {
  for (const char* part : {"a*b", "a?b", "a[/]b", "a[!x]b"})
    EXPECT_FALSE(exact("a/b", part)) << part;
  EXPECT_TRUE(exact("a/b", "*/b"));
}

TEST(Wildcard, ClassesAndBackslashes) {
  EXPECT_TRUE(exact("a1", "[a-c][0-9]"));
  EXPECT_FALSE(exact("a1", "[!a-c]1"));
  EXPECT_TRUE(exact("a*", "a\\*"));
  EXPECT_FALSE(exact("ab", "a\\*"));
  // What is no class stands for itself.
  EXPECT_TRUE(exact("[a", "[a"));
}

TEST(Wildcard, LettersOfAnyCase) {
  EXPECT_TRUE(any_case("README", "readme"));
  EXPECT_TRUE(any_case("Q", "[a-z]"));
  EXPECT_TRUE(any_case("q", "[A-Z]"));
  EXPECT_FALSE(any_case("q", "[!A-Z]"));
  EXPECT_FALSE(exact("README", "readme"));
  EXPECT_FALSE(exact("Q", "[a-z]"));
}

}  // namespace
}  // namespace ringwall::policy
