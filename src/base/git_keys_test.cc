#include "base/git_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace ringwall::git {
namespace {

std::string pattern_of(std::string_view key) {
  const KnownKey* known = find_known(split_key(key));
  return known == nullptr ? "none" : std::string(known->pattern);
}

TEST(GitKeys, AreTakenApartAtTheFirstAndTheLastDot) {
  Key key = split_key("remote.my.fork.url");
  EXPECT_EQ(key.section, "remote");
  EXPECT_EQ(key.subsection, "my.fork");
  EXPECT_EQ(key.variable, "url");
  EXPECT_FALSE(split_key("core.bare").subsection);
}

TEST(GitKeys, AreFoundInAnyCaseByTheNearestPattern) {
  EXPECT_EQ(pattern_of("CORE.hookspath"), "core.hooksPath");
  EXPECT_EQ(pattern_of("diff.png.textconv"), "diff.*.textconv");
  EXPECT_EQ(pattern_of("diff.algorithm"), "diff.*");
  EXPECT_EQ(pattern_of("gpg.ssh.program"), "gpg.*.program");
  EXPECT_EQ(pattern_of("lfs.customtransfer.a.b.path"), "lfs.customtransfer.*.path");
  EXPECT_EQ(pattern_of("lfs.https://host/path"), "lfs.*");
  EXPECT_EQ(pattern_of("color.ui"), "none");
  EXPECT_EQ(pattern_of("core.hookspath.x"), "none");
}

// Else the first would never be found.
TEST(GitKeys, NoPatternStandsBehindOneThatTakesAllOfIt) {
  std::set<std::string_view> seen;
  for (const KnownKey& known : known_keys()) {
    EXPECT_FALSE(known.does.empty()) << known.pattern;
    EXPECT_TRUE(seen.insert(known.pattern).second) << known.pattern;
    EXPECT_EQ(pattern_of(known.pattern), known.pattern);
  }
}

}  // namespace
}  // namespace ringwall::git
