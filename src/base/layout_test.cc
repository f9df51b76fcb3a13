#include "base/layout.h"

#include <gtest/gtest.h>

namespace ringwall::layout {

TEST(Layout, WidthIsCountedInCharacters) {
  EXPECT_EQ(columns("→ ü"), 3u);
  EXPECT_EQ(pad("→", 3), "→  ");
  EXPECT_EQ(pad("long", 2), "long");
}

TEST(Layout, FitCutsAndFills) {
  EXPECT_EQ(fit("abc", 5), "abc  ");
  EXPECT_EQ(fit("abcdef", 4), "abc…");
  EXPECT_EQ(fit("äöüß", 3), "äö…");
}

TEST(Layout, WrapBreaksAtSpaces) {
  EXPECT_EQ(wrap("aa bb cc", 5), (std::vector<std::string>{"aa bb", "cc"}));
  EXPECT_EQ(wrap("longer-than-that x", 5), (std::vector<std::string>{"longer-than-that", "x"}));
  EXPECT_TRUE(wrap("", 5).empty());
}

TEST(Layout, WideCharactersTakeTwoColumnsAndMarksNone) {
  EXPECT_EQ(columns("日本"), 4u);
  EXPECT_EQ(columns("e\xcc\x81"), 1u);
  EXPECT_EQ(columns("😀!"), 3u);
  EXPECT_EQ(fit("日本語", 5), "日本…");
  EXPECT_EQ(fit("日本語", 4), "日… ") << "half a character is none";
  EXPECT_EQ(fit("日本", 4), "日本");
  EXPECT_EQ(fit("abc", 0), "");
  for (size_t width = 0; width < 9; width++)
    EXPECT_EQ(columns(fit("a日b本c語d", width)), width);
}

}  // namespace ringwall::layout
