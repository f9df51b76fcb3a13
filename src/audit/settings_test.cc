#include "audit/settings.h"

#include <gtest/gtest.h>

namespace ringwall::audit {
namespace {

Setting json(std::string_view text) {
  auto settings = read_json_settings(text);
  EXPECT_TRUE(settings) << settings.error().what;
  return settings.value_or(Setting{});
}

Setting yaml(std::string_view text) {
  auto settings = read_yaml_settings(text);
  EXPECT_TRUE(settings) << settings.error().what;
  return settings.value_or(Setting{});
}

std::string text_at(const Setting& settings, std::string_view way) {
  const Setting* found = settings.find_way(way);
  return found == nullptr ? "(none)" : words_of(*found);
}

TEST(JsonSettings, AreReadLeniently) {
  Setting settings =
      json("\xef\xbb\xbf{ // one\n /* two\n three */ \"a\": [1, -2.5e3, \"x\",],\n}");
  EXPECT_EQ(text_at(settings, "a"), "1 -2.5e3 x");
  EXPECT_EQ(settings.find("a")->line, 3u);
}

TEST(JsonSettings, KeepLinesAndDoubles) {
  Setting settings = json("{\"a\": 1,\n\"a\": 2,\n\n\"b\": {\n\"c\": true}}");
  EXPECT_EQ(text_at(settings, "a"), "2");
  size_t seen = 0;
  settings.each("a", [&](const Setting&) { seen++; });
  EXPECT_EQ(seen, 2u);
  EXPECT_EQ(settings.find_way("b.c")->line, 5u);
  EXPECT_TRUE(settings.find_way("b.c")->is_true());
}

TEST(JsonSettings, UnderstandEscapes) {
  EXPECT_EQ(text_at(json(R"({"a": "\u0041\n\"\ud83d\ude00"})"), "a"), "A\n\"😀");
}

TEST(JsonSettings, SayWhatIsWrongAndWhere) {
  for (std::string_view text : {"", "{", "[1", "{\"a\"}", "{\"a\": nope}", "{\"a\": 1} x",
                                "\"\\q\"", "\"\\u12\"", "/* never", "{\"a\": \"x\ny\"}", "{a: 1}"})
    EXPECT_FALSE(read_json_settings(text)) << text;
  auto wrong = read_json_settings("{\n\n\"a\" 1}");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().what.find("line 3"), std::string::npos);
}

TEST(JsonSettings, HaveAnEnd) {
  EXPECT_FALSE(read_json_settings(std::string(100000, '[')));
  std::string many = "[";
  for (size_t i = 0; i <= kMostSettingsValues; i++)
    many += "1,";
  EXPECT_FALSE(read_json_settings(many + "]"));
  EXPECT_FALSE(read_json_settings(std::string(kMostSettingsBytes + 1, ' ')));
  EXPECT_FALSE(read_json_settings("\"\xff\""));
}

TEST(TomlSettings, BecomeTheSameTree) {
  auto settings = read_toml_settings("[a]\nb = [1, \"x\"]\n\n[a.c]\nd = true\n");
  ASSERT_TRUE(settings);
  EXPECT_EQ(text_at(*settings, "a.b"), "1 x");
  EXPECT_EQ(settings->find_way("a.c.d")->line, 5u);
  EXPECT_FALSE(read_toml_settings("[a"));
}

TEST(TomlSettings, HaveKeysOfAnEnd) {
  std::string deep;
  for (int i = 0; i < 150000; i++)
    deep += "a.";
  std::string fine = "[a.b.c]\nd = \"" + deep + "\"\n# " + deep + "\n";
  EXPECT_TRUE(read_toml_settings(fine + "e = \"\"\"x\n" + deep + "\"\"\"\"\n"));
  deep += "b = 1\n";
  // Also where a reader that goes by lines or quotes alone would look past it.
  for (std::string before : {"", "[t]\n", "x = \"\"\"\ny\"\"\"\"\n", "x = [\"\"\"y\"\"\"\", {",
                             "# it's\n", "x = '\\'\n", "# x\xe2\x80\xa8", "# x\r"}) {
    auto settings = read_toml_settings(before + deep);
    ASSERT_FALSE(settings) << before;
    EXPECT_NE(settings.error().what.find("too many parts"), std::string::npos) << before;
  }
}

TEST(YamlSettings, AreReadByIndentation) {
  Setting settings = yaml(
      "name: CI  # comment\non:\n  push:\n    branches: [main, 'x, y']\n  pull_request:\njobs:\n"
      "  test:\n    steps:\n      - uses: actions/checkout@v4\n        with: {ref: \"a:b\"}\n"
      "      - run: |\n          echo # no comment\n          make\n      - name: last\n");
  EXPECT_EQ(text_at(settings, "name"), "CI");
  EXPECT_EQ(text_at(settings, "on.push.branches"), "main x, y");
  const Setting* steps = settings.find_way("jobs.test.steps");
  ASSERT_TRUE(steps != nullptr && steps->is_list());
  ASSERT_EQ(steps->members.size(), 3u);
  EXPECT_EQ(text_at(steps->members[0].second, "with.ref"), "a:b");
  EXPECT_NE(text_at(steps->members[1].second, "run").find("echo # no comment"), std::string::npos);
  EXPECT_EQ(steps->members[1].second.find("run")->line, 11u);
  EXPECT_EQ(text_at(steps->members[2].second, "name"), "last");
}

TEST(YamlSettings, TakeListsAsFarLeftAsTheirKey) {
  Setting settings = yaml("plugins:\n- path: a\n  spec: b\n- c\nend: x\n");
  ASSERT_EQ(settings.find("plugins")->members.size(), 2u);
  EXPECT_EQ(text_at(settings, "end"), "x");
}

TEST(YamlSettings, AreTheSameInEveryForm) {
  for (std::string_view text :
       {"a: {b: c d}", "{\"a\":{\"b\":\"c d\"}}", "a: {\n  b: c d\n}", "a:\n  b: c\n    d",
        "\"\\u0061\":\n  \"b\": \"c \\u0064\"", "x: &n c d\na:\n  b: *n", "{a: {'b': 'c d'}}",
        "x: &n\n  b: c d\na: *n", "x: &n {b: c d}\na:\n  <<: *n", "---\na:\n  b: !!str c d\n...",
        "a: {\"b\": \"c d\",\n  \"e:\\\"}\": 1}"}) {
    EXPECT_EQ(text_at(yaml(text), "a.b"), "c d") << text;
  }
}

TEST(YamlSettings, PassNothingInSilence) {
  for (std::string_view text : {"? a\n: b", "a: \"\\x64\"", "a: *b", "a: [b", "a: b\n---\nc: d",
                                "a: b\nc", "- a\nb: c", "a: {b: c", "%YAML 1.2\n---\na: b"})
    EXPECT_FALSE(read_yaml_settings(text)) << text;
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; i++) {
    std::string before = "*a" + std::to_string(i - 1);
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int j = 0; j < 9; j++)
      laughs += ", " + before;
    laughs += "]\n";
  }
  EXPECT_FALSE(read_yaml_settings(laughs));
  std::string deep = "a0: &a0 {x: y}\n";
  for (int i = 1; i < 100; i++)
    deep += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " {x: *a" +
            std::to_string(i - 1) + "}\n";
  EXPECT_FALSE(read_yaml_settings(deep));
}

TEST(YamlSettings, BreakAtNothing) {
  for (std::string_view text : {"", "---", "- - - a", ":", "a:\n\t- b", "'", "[", "{a: [}", "a: |",
                                "- |\n  x", "a: b: c", "\n\n\n", "? x", "&a *a", "- "})
    (void)read_yaml_settings(text);
  std::string deep;
  for (int i = 0; i < 300; i++)
    deep += std::string(static_cast<size_t>(i), ' ') + "a:\n";
  EXPECT_FALSE(read_yaml_settings(deep));
  EXPECT_FALSE(read_yaml_settings("a: " + std::string(1000, '[') + std::string(1000, ']')));
}

}  // namespace
}  // namespace ringwall::audit
