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

}  // namespace ringwall::layout
