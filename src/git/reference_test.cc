#include "git/reference.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/git_keys.h"
#include "base/text.h"
#include "git/config_rules.h"
#include "git/preferences.h"

namespace ringwall::git {

TEST(GitReference, EveryKnownSettingIsOnThePage) {
  std::string page = git_settings_page();
  auto is_there = [&](std::string_view key) {
    return page.find("`" + std::string(key) + "`") != std::string::npos;
  };
  for (const GitConfigRule& rule : git_config_rules())
    EXPECT_TRUE(is_there(rule.pattern)) << rule.pattern;
  for (const KnownKey& known : known_keys())
    EXPECT_TRUE(is_there(known.pattern)) << known.pattern;
  for (std::string_view key : git_preferences())
    EXPECT_TRUE(is_there(key)) << key;
}

// A bar in a cell would end it.
TEST(GitReference, RowsHaveTheColumnsOfTheirTable) {
  std::ptrdiff_t columns = 0;
  for (const std::string& line : text::split(git_settings_page(), '\n')) {
    std::ptrdiff_t bars = line.starts_with("|") ? std::ranges::count(line, '|') : 0;
    EXPECT_TRUE(columns == 0 || bars == 0 || bars == columns) << line;
    columns = bars;
  }
}

}  // namespace ringwall::git
