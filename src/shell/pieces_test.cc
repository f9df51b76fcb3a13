#include "shell/pieces.h"

#include <gtest/gtest.h>

#include "shell/value.h"

namespace ringwall::shell {
namespace {

// Fields with a | between them.
std::string fields_of(const Pieces& pieces, bool splits = true) {
  static const std::string home = "/home/me";
  std::string out;
  for (const Word& word : to_fields(pieces, {" \t\n", &home, splits}))
    out += (out.empty() ? "" : "|") + word.text;
  return out;
}

Piece value(std::vector<Word> values, bool is_quoted) {
  return {
      .kind = Piece::Kind::value, .text = {}, .values = std::move(values), .is_quoted = is_quoted};
}

std::string braces_of(std::string_view text) {
  Pieces pieces;
  add_plain(pieces, text);
  std::vector<Pieces> all;
  if (!expand_braces(pieces, all)) return "too many";
  std::string out;
  for (const Pieces& one : all) {
    if (!out.empty()) out += "|";
    for (const Piece& piece : one)
      out += piece.text;
  }
  return out;
}

TEST(Pieces, QuotedAndPlainTextMakeOneWord) {
  Pieces pieces;
  add_plain(pieces, "a");
  add_quoted(pieces, " b ");
  add_plain(pieces, "c");
  EXPECT_EQ(pieces.size(), 3U);
  EXPECT_EQ(fields_of(pieces), "a b c");
}

TEST(Pieces, AnUnquotedValueIsSplit) {
  Word two = literal_word("rm -rf");
  EXPECT_EQ(fields_of({value({two}, false)}), "rm|-rf");
  EXPECT_EQ(fields_of({value({two}, true)}), "rm -rf");
  EXPECT_EQ(fields_of({value({two}, false)}, false), "rm -rf");
  EXPECT_EQ(fields_of({value({literal_word("a"), literal_word("b")}, true)}), "a|b");
}

TEST(Pieces, AnEmptyValueIsNoWordUnlessQuoted) {
  const std::string home = "/home/me";
  FieldRules rules{" ", &home};
  EXPECT_TRUE(to_fields({value({literal_word("")}, false)}, rules).empty());
  EXPECT_EQ(to_fields({value({literal_word("")}, true)}, rules).size(), 1U);
}

TEST(Pieces, ATildeIsTheHomeAndAGlobAGap) {
  Pieces tilde, glob, quoted;
  add_plain(tilde, "~/x");
  add_plain(glob, "*.c");
  add_quoted(quoted, "~/*");
  EXPECT_EQ(fields_of(tilde), "/home/me/x");
  EXPECT_EQ(fields_of(quoted), "~/*");
  const std::string home = "/home/me";
  std::vector<Word> words = to_fields(glob, {" ", &home});
  ASSERT_EQ(words.size(), 1U);
  ASSERT_EQ(words[0].gaps.size(), 1U);
  EXPECT_EQ(words[0].gaps[0].kind, Word::Gap::Kind::name);
}

TEST(Pieces, BracesMakeWords) {
  EXPECT_EQ(braces_of("a{b,c}d"), "abd|acd");
  EXPECT_EQ(braces_of("{1..3}"), "1|2|3");
  EXPECT_EQ(braces_of("{a}"), "{a}");
  EXPECT_EQ(braces_of("{a,b}{c,d}"), "ac|ad|bc|bd");
  std::string many;
  for (int i = 0; i < 30; i++)
    many += "{a,b}";
  EXPECT_EQ(braces_of(many), "too many");
}

TEST(Pieces, DecodesAnsiC) {
  EXPECT_EQ(decode_ansi_c("\\x72\\155"), "rm");
  EXPECT_EQ(decode_ansi_c("a\\n\\t\\'b"), "a\n\t'b");
  EXPECT_EQ(decode_ansi_c("\\u00e9"), "é");
  EXPECT_EQ(decode_ansi_c("a\\0b"), "a");
}

}  // namespace
}  // namespace ringwall::shell
