#include "files/name_pattern.h"

#include <gtest/gtest.h>

namespace ringwall::files {
namespace {

constexpr EntryKind kFile = EntryKind::file;
constexpr EntryKind kFolder = EntryKind::folder;
constexpr EntryKind kLink = EntryKind::link;

NamePattern pattern(std::string_view text) { return *NamePattern::parse(text); }

// As a person writes it, and as a table does.
bool matches(std::string_view text, std::string_view path, EntryKind kind = kFile) {
  return pattern(text).matches(path, kind);
}
bool in_table(std::string_view text, std::string_view path, EntryKind kind = kFile) {
  return NamePattern::parse_table(text).matches(path, kind);
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
  EXPECT_FALSE(fits("a/b", "a*b"));
  EXPECT_FALSE(fits("a/b", "a?b"));
}

TEST(NamePattern, OtherCharactersStandForOne) {
  EXPECT_TRUE(fits("v1", "v?"));
  EXPECT_FALSE(fits("v", "v?"));
  EXPECT_TRUE(fits("key7.pem", "key[0-9].pem"));
  EXPECT_FALSE(fits("keyx.pem", "key[0-9].pem"));
  EXPECT_TRUE(fits("keyx.pem", "key[!0-9].pem"));
  EXPECT_TRUE(fits("B", "[A-C]"));
  EXPECT_TRUE(fits("b", "[A-C]"));
  EXPECT_FALSE(fits("B", "[!b]"));
  EXPECT_TRUE(fits("*", "\\*"));
  EXPECT_FALSE(fits("a", "\\*"));
  EXPECT_TRUE(fits("a[b]c", "*\\[b]*"));
}

TEST(NamePattern, ManyStarsAgainstALongNameEndInTime) {
  std::string name(255, 'a');
  std::string part;
  for (int i = 0; i < 100; i++)
    part += "*a";
  EXPECT_FALSE(fits(name, part + "b"));
  EXPECT_TRUE(fits(name, part));
}

TEST(NamePattern, ANameFitsAtAnyDepth) {
  EXPECT_TRUE(matches(".envrc", ".envrc"));
  EXPECT_TRUE(matches(".envrc", "a/b/.envrc"));
  EXPECT_TRUE(matches(".envrc", "a/.envrc", kFolder));
  EXPECT_FALSE(matches(".envrc", "a/x.envrc"));
  EXPECT_FALSE(matches(".envrc", ".envrc/x"));
}

TEST(NamePattern, ASlashBeforeTheEndIsTheTop) {
  EXPECT_TRUE(matches("/ci.sh", "ci.sh"));
  EXPECT_FALSE(matches("/ci.sh", "a/ci.sh"));
  EXPECT_TRUE(matches("a/b", "a/b"));
  EXPECT_FALSE(matches("a/b", "x/a/b"));
  EXPECT_FALSE(matches("a/b", "b"));
  EXPECT_TRUE(matches("**/a/b", "x/y/a/b"));
  EXPECT_TRUE(matches("a/**/b", "a/b"));
  EXPECT_TRUE(matches("a/**/b", "a/x/y/b"));
  EXPECT_FALSE(matches("a/**/b", "x/a/b"));
  EXPECT_TRUE(matches("a/**", "a/x"));
  EXPECT_FALSE(matches("a/**", "a", kFolder));
}

TEST(NamePattern, ATableFitsFilesAtAnyDepth) {
  EXPECT_TRUE(in_table(".claude/settings*.json", "sub/.claude/settings.local.json"));
  EXPECT_FALSE(in_table(".claude/settings*.json", "sub/settings.json"));
  EXPECT_FALSE(in_table(".claude/settings*.json", "x.claude/settings.json"));
  EXPECT_FALSE(in_table(".envrc", "x/.envrc", kFolder));
  EXPECT_TRUE(in_table(".vscode/", "x/.vscode", kFile));
  EXPECT_TRUE(in_table("/top", "top"));
  EXPECT_FALSE(in_table("/top", "x/top"));
}

TEST(NamePattern, AFolderPatternFitsALinkToo) {
  EXPECT_TRUE(matches(".vscode/", "x/.vscode", kFolder));
  EXPECT_TRUE(matches(".vscode/", "x/.vscode", kLink));
  EXPECT_FALSE(matches(".vscode/", "x/.vscode", kFile));
  EXPECT_TRUE(matches("/a/b/", "a/b", kFolder));
  EXPECT_FALSE(matches("/a/b/", "x/a/b", kFolder));
}

TEST(NamePattern, CaseIsIgnored) {
  EXPECT_TRUE(matches("**/.cursor/mcp.json", ".cUrSoR/MCP.json"));  // CVE-2025-59944
  EXPECT_TRUE(matches("NuGet.Config", "nuget.config"));
}

TEST(NamePattern, ManyFoldersAgainstALongPathEndInTime) {
  std::string path = "a";
  std::string text = "b";
  for (int i = 0; i < 1000; i++)
    path += "/a";
  for (int i = 0; i < 300; i++)
    text += "/**/a";
  EXPECT_FALSE(matches(text, path));
}

TEST(NamePattern, BrokenOnesAreRefusedWithWords) {
  for (const char* text : {"", "/", "a//b", "./a", "../a", "a/..", "*.{pem,key}", "!x", "#x", "~/x",
                           "a\nb", "a\\", "[a", "a\\/b"}) {
    auto parsed = NamePattern::parse(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_FALSE(parsed.error().what.empty());
  }
  EXPECT_TRUE(NamePattern::parse("app/\\[id].ts"));
  EXPECT_TRUE(NamePattern::parse(std::string(4096, 'a')));
  EXPECT_FALSE(NamePattern::parse(std::string(4097, 'a')));
}

TEST(NamePattern, OverlapIsSeenInTheTexts) {
  EXPECT_TRUE(may_overlap(pattern(".vscode"), pattern(".vscode/")));
  EXPECT_TRUE(may_overlap(pattern("/sub/.envrc"), pattern(".envrc")));
  EXPECT_TRUE(may_overlap(pattern("*.json"), pattern(".claude/settings*.json")));
  EXPECT_FALSE(may_overlap(pattern(".vscod"), pattern(".vscode/")));
}

TEST(PatternSet, TheFirstPatternThatFitsIsFound) {
  PatternSet set = set_of({"*.pem", ".env.*", "id_*", "a", "*", "x/key.pem"});
  EXPECT_EQ(set.match("a/key.pem", kFile), 0u);
  EXPECT_EQ(set.match(".env.local", kFile), 1u);
  EXPECT_EQ(set.match("id_rsa", kFile), 2u);
  EXPECT_EQ(set.match("x/a", kFile), 3u);
  EXPECT_EQ(set.match("else", kFile), 4u);
  EXPECT_EQ(set.match("x/key.pem", kFile, [](size_t number) { return number == 5; }), 5u);
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
  EXPECT_FALSE(set.match("settings.json", kFile));
}

TEST(PatternSet, CoversWhatAFolderHolds) {
  PatternSet set = set_of({"tests/", "*.pub"});
  EXPECT_TRUE(set.covers("tests/key", kFile));
  EXPECT_TRUE(set.covers("tests", kFolder));
  EXPECT_TRUE(set.covers("a.pub", kFile));
  EXPECT_FALSE(set.covers("src/key", kFile));
  EXPECT_TRUE(set_of({"keys"}).covers("a/keys/b/c", kFile));
  EXPECT_TRUE(set_of({"/a/b"}).covers("a/b/c", kFile));
  EXPECT_FALSE(set_of({"/b"}).covers("a/b/c", kFile));
  EXPECT_FALSE(PatternSet().covers("src/key", kFile));
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
