#include "cli/top_keys.h"

#include <gtest/gtest.h>

namespace ringwall::cli {
namespace {

// Up is ^, down is v.
std::string typed(TopKeys& keys, std::string_view bytes) {
  std::string out;
  for (Key key : keys.take(bytes))
    out += key == Key::up ? '^' : key == Key::down ? 'v' : static_cast<char>(key);
  return out;
}

std::string typed(std::string_view bytes) {
  TopKeys keys;
  return typed(keys, bytes);
}

TEST(TopKeys, LettersAndControlsAreThemselves) {
  EXPECT_EQ(typed("jkA\tq"), "jkA\tq");
  EXPECT_EQ(typed("\x03\x1a"), "\x03\x1a");
}

TEST(TopKeys, ArrowsComeInTwoForms) {
  EXPECT_EQ(typed("\x1b[A\x1b[B"), "^v");
  EXPECT_EQ(typed("\x1bOA\x1bOB"), "^v");
  EXPECT_EQ(typed("\x1b[1;5A"), "^") << "with a modifier";
}

TEST(TopKeys, NoLetterOfASequenceIsAKey) {
  EXPECT_EQ(typed("\x1b[5~\x1b[15~\x1bOP\x1b[K\x1b[<0;3;4M"), "");
  EXPECT_EQ(typed("\x1b"
                  "A"
                  "q"),
            "q")
      << "Alt and a letter";
}

TEST(TopKeys, ASequenceThatIsCutIsStillNoKey) {
  for (std::string_view whole : {"\x1b[A", "\x1bOA"}) {
    for (size_t cut = 1; cut < whole.size(); cut++) {
      TopKeys keys;
      EXPECT_EQ(typed(keys, whole.substr(0, cut)), "");
      EXPECT_EQ(typed(keys, whole.substr(cut)), "^");
    }
  }
}

TEST(TopKeys, WhatIsPastedIsNoKey) {
  EXPECT_EQ(typed("a\x1b[200~Ky\x03\x1b[A\x1b[201~b"), "ab");
  TopKeys keys;
  EXPECT_EQ(typed(keys, "\x1b[200~K"), "");
  EXPECT_EQ(typed(keys, "y\x1b[20"), "");
  EXPECT_EQ(typed(keys, "1~q"), "q");
}

TEST(TopKeys, BytesThatAreNoKeysAreLeftOut) {
  EXPECT_EQ(typed("\xc3\xa4\x7f\xff"), "");
  EXPECT_EQ(typed("\x1b[" + std::string(1000, '1') + "q").size(), 939u)
      << "a sequence without end ends somewhere";
}

}  // namespace
}  // namespace ringwall::cli
