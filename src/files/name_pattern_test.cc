#include "files/name_pattern.h"

#include <gtest/gtest.h>

namespace ringwall::files {
namespace {

NamePattern pattern(std::string_view text) { return *NamePattern::parse(text); }

bool matches(std::string_view text, std::string_view path, bool is_folder = false) {
  return pattern(text).matches(path, is_folder);
}

PatternSet set_of(std::initializer_list<std::string_view> texts) {
  PatternSet set;
  for (std::string_view text : texts)
    set.add(pattern(text));
  return set;
}

}  // namespace

TEST(NamePattern, StarStandsForAnythingWithinOneName) {
  EXPECT_TRUE(fits("settings.local.json", "settings*.json"));
  EXPECT_TRUE(fits("settings.json", "settings*.json"));
  EXPECT_FALSE(fits("settings.jsonc", "settings*.json"));
  EXPECT_TRUE(fits("a-b-c", "*-*-*"));
  EXPECT_TRUE(fits("aab", "*ab"));
  EXPECT_FALSE(fits("a/b", "a*c"));
  EXPECT_TRUE(fits("", "*"));
  EXPECT_FALSE(fits("", "a"));
  EXPECT_TRUE(fits("ENV", "env"));
}

TEST(NamePattern, ManyStarsAgainstALongNameEndInTime) {
  std::string name(255, 'a');
  std::string part;
  for (int i = 0; i < 100; i++)
    part += "*a";
  EXPECT_FALSE(fits(name, part + "b"));
  EXPECT_TRUE(fits(name, part));
}

TEST(NamePattern, FitsTheEndOfAPathAtAnyDepth) {
  EXPECT_TRUE(matches(".envrc", ".envrc"));
  EXPECT_TRUE(matches(".envrc", "a/b/.envrc"));
  EXPECT_FALSE(matches(".envrc", "a/x.envrc"));
  EXPECT_FALSE(matches(".envrc", ".envrc/x"));
  EXPECT_TRUE(matches(".claude/settings*.json", "sub/.claude/settings.local.json"));
  EXPECT_FALSE(matches(".claude/settings*.json", "sub/settings.json"));
  EXPECT_FALSE(matches(".claude/settings*.json", "x.claude/settings.json"));
  EXPECT_FALSE(matches("a/b", "b"));
}

TEST(NamePattern, ALeadingSlashIsTheTop) {
  EXPECT_TRUE(matches("/ci.sh", "ci.sh"));
  EXPECT_FALSE(matches("/ci.sh", "a/ci.sh"));
  EXPECT_TRUE(matches("/a/b/", "a/b", true));
  EXPECT_FALSE(matches("/a/b/", "x/a/b", true));
}

TEST(NamePattern, AFolderPatternFitsALinkToo) {
  EXPECT_TRUE(matches(".vscode/", "x/.vscode", true));
  EXPECT_TRUE(matches(".vscode/", "x/.vscode", false));
  EXPECT_FALSE(matches(".envrc", "x/.envrc", true));
}

TEST(NamePattern, CaseIsIgnored) {
  EXPECT_TRUE(matches(".cursor/mcp.json", ".cUrSoR/MCP.json"));  // CVE-2025-59944
  EXPECT_TRUE(matches("NuGet.Config", "nuget.config"));
}

TEST(NamePattern, AFolderHoldsWhatIsBelow) {
  EXPECT_TRUE(pattern("tests/").holds("tests/a/key.pem"));
  EXPECT_TRUE(pattern("tests/").holds("x/tests/key.pem"));
  EXPECT_FALSE(pattern("tests/").holds("tests"));
  EXPECT_FALSE(pattern("/tests/").holds("x/tests/key.pem"));
  EXPECT_FALSE(pattern("tests").holds("tests/a"));
}

TEST(NamePattern, BrokenOnesAreRefusedWithWords) {
  for (const char* text : {"", "/", "a//b", "./a", "../a", "a/..", "**/x", "a?", "*.{pem,key}",
                           "!x", "~/x", "a\nb", "a\\b"}) {
    auto parsed = NamePattern::parse(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_FALSE(parsed.error().what.empty());
  }
  EXPECT_TRUE(NamePattern::parse("app/[id].ts"));
  EXPECT_TRUE(NamePattern::parse(std::string(1000, 'a')));
  EXPECT_FALSE(NamePattern::parse(std::string(2000, 'a')));
}

TEST(NamePattern, OverlapIsSeenInTheTexts) {
  EXPECT_TRUE(may_overlap(pattern(".vscode"), pattern(".vscode/")));
  EXPECT_TRUE(may_overlap(pattern("/sub/.envrc"), pattern(".envrc")));
  EXPECT_TRUE(may_overlap(pattern("*.json"), pattern(".claude/settings*.json")));
  EXPECT_FALSE(may_overlap(pattern(".vscod"), pattern(".vscode/")));
}

TEST(PatternSet, TheFirstPatternThatFitsIsFound) {
  PatternSet set = set_of({"*.pem", ".env.*", "id_*", "a", "*", "x/key.pem"});
  EXPECT_EQ(set.match("a/key.pem", false), 0u);
  EXPECT_EQ(set.match(".env.local", false), 1u);
  EXPECT_EQ(set.match("id_rsa", false), 2u);
  EXPECT_EQ(set.match("x/a", false), 3u);
  EXPECT_EQ(set.match("else", false), 4u);
  EXPECT_EQ(set.match("x/key.pem", false, [](size_t number) { return number == 5; }), 5u);
}

TEST(PatternSet, NamesThatCannotMatchAreKnownByThemselves) {
  PatternSet set = set_of({".claude/settings*.json", ".env.*", "ab"});
  EXPECT_TRUE(set.may_match("settings.json"));  // the folder above decides
  EXPECT_TRUE(set.may_match(".env.x"));
  EXPECT_TRUE(set.may_match("AB"));
  EXPECT_FALSE(set.may_match("package.json"));
  EXPECT_FALSE(set.may_match(".env"));
  EXPECT_FALSE(set.may_match("a"));
  EXPECT_FALSE(set.may_match(""));
  EXPECT_FALSE(set.match("settings.json", false));
}

TEST(PatternSet, CoversWhatAFolderHolds) {
  PatternSet set = set_of({"tests/", "*.pub"});
  EXPECT_TRUE(set.covers("tests/key", false));
  EXPECT_TRUE(set.covers("tests", true));
  EXPECT_TRUE(set.covers("a.pub", false));
  EXPECT_FALSE(set.covers("src/key", false));
  EXPECT_FALSE(PatternSet().covers("src/key", false));
}

TEST(Fingerprint, TellsTextsApart) {
  auto of = [](std::initializer_list<std::string_view> texts) {
    Fingerprint print;
    for (std::string_view text : texts)
      print.add(text);
    return print.hex();
  };
  EXPECT_EQ(of({"a", "bc"}), of({"a", "bc"}));
  EXPECT_NE(of({"a", "bc"}), of({"ab", "c"}));
  EXPECT_EQ(of({"a"}).size(), 16u);
}

}  // namespace ringwall::files
