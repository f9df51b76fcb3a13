#include "install/shim.h"

#include <gtest/gtest.h>

#include "install/marked_lines.h"

namespace ringwall::install {
namespace {

TEST(Shim, is_known_again_with_all_that_it_says) {
  for (std::string real : {"", "/opt/a b/claude", "/o'brien/\xff/claude", "/x/%41"}) {
    auto read = read_shim(shim_text({"claude", "/usr/local/bin/ringwall", real}));
    ASSERT_TRUE(read) << real;
    EXPECT_EQ(read->agent, "claude");
    EXPECT_EQ(read->program, "/usr/local/bin/ringwall");
    EXPECT_EQ(read->real, real);
  }
}

TEST(Shim, that_was_changed_is_none) {
  std::string text = shim_text({"claude", "/usr/local/bin/ringwall", "/real"});
  EXPECT_FALSE(read_shim(text + "echo more\n"));
  EXPECT_FALSE(read_shim(text.substr(1)));
  std::string other = text;
  other.replace(other.rfind("/usr/local/bin/ringwall"), 23, "/home/evil/bin/ringwall");
  EXPECT_FALSE(read_shim(other));
  EXPECT_FALSE(read_shim("#!/bin/sh\nexec claude\n"));
}

TEST(MarkedLines, come_out_byte_for_byte) {
  for (std::string text : {"", "a\n", "a", "\n", "a\n\n\n"}) {
    std::string with = with_marked_lines(text, "ours\n");
    EXPECT_TRUE(has_marked_lines(with));
    EXPECT_EQ(without_marked_lines(with), text);
    EXPECT_EQ(with_marked_lines(with, "ours\n"), with) << "once, however often";
  }
}

TEST(MarkedLines, what_was_written_around_them_stays) {
  EXPECT_EQ(without_marked_lines(with_marked_lines("a", "ours\n") + "b\n"), "a\nb\n");
  EXPECT_EQ(without_marked_lines("x\n" + with_marked_lines("a\n", "ours\n") + "b"), "x\na\nb");
  EXPECT_EQ(without_marked_lines("# >>> ringwall install >>>\nopen"),
            "# >>> ringwall install >>>\nopen");
}

}  // namespace
}  // namespace ringwall::install
