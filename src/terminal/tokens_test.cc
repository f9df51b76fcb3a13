#include "terminal/tokens.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace ringwall::terminal {
namespace {

std::string describe(const Sequence& sequence) {
  std::string out = "CSI";
  if (sequence.leader != 0) out += sequence.leader;
  for (size_t i = 0; i < sequence.count; i++) {
    if (i > 0) out += sequence.parameters[i].joined ? ':' : ';';
    if (sequence.parameters[i].value >= 0) out += std::to_string(sequence.parameters[i].value);
  }
  if (sequence.intermediate != 0) out += sequence.intermediate;
  return out + sequence.final + " ";
}

std::string describe(const Token& token) {
  switch (token.kind) {
    case Token::Kind::text:
      return std::string(token.text);
    case Token::Kind::character:
      return "U" + std::to_string(token.character) + " ";
    case Token::Kind::control:
      return "C" + std::to_string(token.character) + " ";
    case Token::Kind::escape:
      return std::string("ESC") +
             (token.intermediate != 0 ? std::string(1, token.intermediate) : "") + token.final +
             " ";
    case Token::Kind::sequence:
      return describe(token.sequence);
  }
  return "?";
}

std::string read(Tokens& tokens, std::string_view bytes) {
  std::string out;
  while (const Token* token = tokens.next(bytes))
    out += describe(*token);
  return out;
}

std::string read(std::string_view bytes) {
  Tokens tokens;
  return read(tokens, bytes);
}

struct Case {
  std::string bytes;
  std::string tokens;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> list = {
      {"hello", "hello"},
      {"a\r\nb", "aC13 C10 b"},
      {"\x1b[31mred\x1b[m", "CSI31m redCSIm "},
      {"\x1b[?1049;25h", "CSI?1049;25h "},
      {"\x1b[;5H\x1b[5;H", "CSI;5H CSI5;H "},
      {"\x1b[4:3m\x1b[38:2::1:2:3m", "CSI4:3m CSI38:2::1:2:3m "},
      {"\x1b[2 q\x1b[!p\x1b[?7$p", "CSI2 q CSI!p CSI?7$p "},
      {"\x1b[99999999999999999999A", "CSI9999A "},
      {"\x1b(0\x1b)B\x1b#8\x1b"
       "7\x1b"
       "c",
       "ESC(0 ESC)B ESC#8 ESC7 ESCc "},
      {"a\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80z", "aU252 U8364 U128512 z"},
      {"\xc2\x9b"
       "31m",
       "31m"},  // C1 in two bytes: nothing
      {"\x9b"
       "31m",
       "U65533 31m"},  // C1 in one: no character
      {"\xe2\x82"
       "a",
       "U65533 a"},                                                     // cut
      {"\xc0\xaf\xed\xa0\x80", "U65533 U65533 U65533 U65533 U65533 "},  // overlong, surrogate
      {"\xf4\x90\x80\x80", "U65533 U65533 U65533 U65533 "},
      {"\xe2\x1b[A", "U65533 CSIA "},
      {"\x1b]0;title\x07"
       "a\x1b]8;;x\x1b\\b",
       "ab"},
      {"\x1bPq#0\x07 still\x1b\\a\x1b_G\x1b\\b\x1b^x\x1b\\c\x1bXx\x1b\\d", "abcd"},
      {"\x1b]0;cut\x1b[31mred", "CSI31m red"},  // ESC ends a string
      {"\x1b]0;cut\x1b\x1b[31mred", "CSI31m red"},
      {"\x1b]0;\xc3\xbc\x9c still\x07z", "z"},
      {"\x1b]0;cut\x1b\xc3\xbcz", "U252 z"},
      {"\x1b]0;cut\x18z", "z"},
      {"\x1b[3\x18"
       "1m\x1b[3\x1a"
       "1m",
       "1m1m"},
      {"\x1b[3\x1b[1m", "CSI1m "},
      {"\x1b[3\n1m", "C10 CSI31m "},  // controls amidst are obeyed
      {"\x1b[3\xc3\xbc", "U252 "},
      {"\x1b[1 2m\x1b[1?2m\x1b[??1h", ""},  // not in this order
      {"\x1b[1 $mz", "CSI1\xffm z"},
      {std::string("a\0b\x7f"
                   "c",
                   5),
       "abc"},
      {"\x1b\xc3\xbc", "U252 "},
  };
  return list;
}

TEST(Tokens, AreWhatTheBytesMean) {
  for (const Case& c : cases())
    EXPECT_EQ(read(c.bytes), c.tokens) << testing::PrintToString(c.bytes);
}

TEST(Tokens, AreTheSameHoweverTheBytesAreCut) {
  for (const Case& c : cases()) {
    for (size_t cut = 0; cut <= c.bytes.size(); cut++) {
      Tokens tokens;
      std::string out = read(tokens, c.bytes.substr(0, cut));
      EXPECT_EQ(out + read(tokens, c.bytes.substr(cut)), c.tokens)
          << testing::PrintToString(c.bytes) << cut;
    }
    Tokens tokens;
    std::string out;
    for (char byte : c.bytes)
      out += read(tokens, {&byte, 1});
    EXPECT_EQ(out, c.tokens) << testing::PrintToString(c.bytes);
  }
}

TEST(Tokens, TooManyParametersAreDropped) {
  std::string many = "\x1b[1";
  for (int i = 0; i < 1000; i++)
    many += i % 2 == 0 ? ";2" : ":3";
  std::string_view bytes = many += "m";
  Tokens tokens;
  const Token* token = tokens.next(bytes);
  ASSERT_NE(token, nullptr);
  EXPECT_EQ(token->sequence.count, Sequence::kMostParameters);
  EXPECT_EQ(token->sequence.value(0, 0), 1);
  EXPECT_EQ(token->sequence.value(31, 0), 2);
}

TEST(Tokens, ASequenceHasNothingOfTheOneBefore) {
  EXPECT_EQ(read("\x1b[?1;2;3$p\x1b[m"), "CSI?1;2;3$p CSIm ");
}

TEST(Tokens, RandomBytesGiveOnlyWhatIsPromised) {
  std::mt19937 random(3);
  const std::string likely = "\x1b[]P;:?0123456789mHhlr\x07\x18\xc3\xbc\xe2\x82 a";
  Tokens tokens;
  for (int round = 0; round < 20000; round++) {
    std::string chunk;
    for (size_t i = random() % 40; i > 0; i--)
      chunk += random() % 3 == 0 ? static_cast<char>(random()) : likely[random() % likely.size()];
    std::string_view bytes = chunk;
    while (const Token* token = tokens.next(bytes)) {
      if (token->kind == Token::Kind::character) {
        ASSERT_GE(token->character, 0xa0U);
        ASSERT_LE(token->character, 0x10ffffU);
      }
      if (token->kind == Token::Kind::sequence) {
        ASSERT_LE(token->sequence.count, Sequence::kMostParameters);
        ASSERT_GE(token->sequence.final, 0x40);
      }
      if (token->kind == Token::Kind::escape) {
        ASSERT_GE(token->final, 0x30);
      }
    }
  }
}

}  // namespace
}  // namespace ringwall::terminal
