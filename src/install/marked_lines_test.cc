#include "install/marked_lines.h"

#include <gtest/gtest.h>

namespace ringwall::install {
namespace {

constexpr const char* kEnd = "# <<< ringwall install <<<\n";

std::string without(std::string text, std::string_view part) {
  return text.erase(text.find(part), part.size());
}

TEST(MarkedLines, come_and_go_with_every_byte_around_them) {
  for (std::string text : {"", "one\n", "one", "one\n\n"}) {
    std::string with = with_marked_lines(text, "ours\n");
    EXPECT_TRUE(has_marked_lines(with));
    EXPECT_EQ(with_marked_lines(with, "ours\n"), with);
    EXPECT_EQ(without_marked_lines(with), text);
  }
}

TEST(MarkedLines, go_from_a_file_that_has_them_twice) {
  std::string with = with_marked_lines("one\n", "ours\n");
  EXPECT_EQ(without_marked_lines(with + with), "one\none\n");
}

TEST(MarkedLines, without_their_end_they_stay_and_take_nothing_else_with_them) {
  std::string open = without(with_marked_lines("one\n", "ours\n"), kEnd) + "mine\n";
  EXPECT_TRUE(has_open_mark(open));
  EXPECT_FALSE(has_open_mark(with_marked_lines("one\n", "ours\n")));
  EXPECT_FALSE(has_open_mark("one\n"));
  EXPECT_EQ(without_marked_lines(open), open);
  EXPECT_EQ(without_marked_lines(with_marked_lines(open, "ours\n")), open);
}

}  // namespace
}  // namespace ringwall::install
