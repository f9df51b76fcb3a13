#include "terminal/look.h"

#include <gtest/gtest.h>

#include <random>

namespace ringwall::terminal {
namespace {

Look after(std::string_view bytes, Look look = {}) {
  Tokens tokens;
  while (const Token* token = tokens.next(bytes)) {
    if (token->kind == Token::Kind::sequence) look.apply(token->sequence);
  }
  return look;
}

std::string shown(std::string_view bytes) { return change({}, after(bytes)); }

TEST(Look, AttributesAndColoursAreRead) {
  EXPECT_EQ(shown("\x1b[1m"), "\x1b[1m");
  EXPECT_EQ(shown("\x1b[1;2;3;4;5;7;8;9m"), "\x1b[1;2;3;5;7;8;9;4m");
  EXPECT_EQ(shown("\x1b[31;102m"), "\x1b[31;102m");
  EXPECT_EQ(shown("\x1b[38;5;3;48;5;12m"), "\x1b[33;104m");
  EXPECT_EQ(shown("\x1b[38;5;200m"), "\x1b[38;5;200m");
  EXPECT_EQ(shown("\x1b[38;2;1;2;3;48;2;4;5;6m"), "\x1b[38;2;1;2;3;48;2;4;5;6m");
  EXPECT_EQ(shown("\x1b[38:2::1:2:3;1m"), "\x1b[1;38;2;1;2;3m");
  EXPECT_EQ(shown("\x1b[38:2:1:2:3m"), "\x1b[38;2;1;2;3m");
  EXPECT_EQ(shown("\x1b[38:5:9m"), "\x1b[91m");
  EXPECT_EQ(shown("\x1b[4:3m"), "\x1b[4:3m");
  EXPECT_EQ(shown("\x1b[4:5m"), "\x1b[4m");
  EXPECT_EQ(shown("\x1b[21m"), "\x1b[21m");
}

TEST(Look, WhatIsTurnedOffIsOff) {
  const std::string all = "\x1b[1;2;3;4;5;7;8;9;31;42m";
  EXPECT_EQ(shown(all + "\x1b[m"), "");
  EXPECT_EQ(shown(all + "\x1b[0m"), "");
  EXPECT_EQ(shown(all + "\x1b[22;23;24;25;27;28;29;39;49m"), "");
  EXPECT_EQ(shown(all + "\x1b[;1m"), "\x1b[1m");
  EXPECT_EQ(shown("\x1b[4;4:0m"), "");
}

TEST(Look, BrokenColoursAreNotTakenForAttributes) {
  EXPECT_EQ(shown("\x1b[38m"), "");
  EXPECT_EQ(shown("\x1b[38;5m"), "");
  EXPECT_EQ(shown("\x1b[38;2;1;4m"), "");
  EXPECT_EQ(shown("\x1b[38;9;1;4m"), "");
  EXPECT_EQ(shown("\x1b[38:1;1m"), "\x1b[1m");
  EXPECT_EQ(shown("\x1b[58;2;1;4;7m"), "");  // the colour of underlines
  EXPECT_EQ(shown("\x1b[58:5:1;1m"), "\x1b[1m");
  EXPECT_EQ(shown("\x1b[38;5;9999m"), "\x1b[38;5;255m");
  EXPECT_EQ(shown("\x1b[999;53;73m"), "");
}

TEST(Look, ChangesAreShort) {
  Look bold = after("\x1b[1m"), bold_red = after("\x1b[1;31m"), red = after("\x1b[31m");
  EXPECT_EQ(change(bold, bold), "");
  EXPECT_EQ(change(bold, bold_red), "\x1b[31m");
  EXPECT_EQ(change(bold_red, bold), "\x1b[39m");
  EXPECT_EQ(change(bold_red, red), "\x1b[0;31m");
  EXPECT_EQ(change(bold_red, {}), "\x1b[m");
}

TEST(Look, EveryChangeLeadsWhereItShould) {
  std::mt19937 random(5);
  auto any = [&] {
    std::string sequence = "\x1b[0";
    for (int i = 0; i < 5; i++)
      sequence += ";" + std::to_string(random() % 110);
    return after(sequence + ";38;5;" + std::to_string(random() % 256) + "m");
  };
  for (int i = 0; i < 5000; i++) {
    Look from = any(), to = any();
    ASSERT_EQ(after(change(from, to), from), to) << change(from, to);
  }
}

}  // namespace
}  // namespace ringwall::terminal
