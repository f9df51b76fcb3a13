#include "terminal/sequences.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace ringwall::terminal {
namespace {

void expect_told(const Rule& rule) {
  EXPECT_FALSE(rule.name.empty());
  EXPECT_FALSE(rule.what.empty()) << rule.name;
  EXPECT_FALSE(rule.why.empty()) << rule.name;
}

ControlSequence sequence_of(const CsiRule& row, unsigned first) {
  ControlSequence sequence;
  std::string_view form = row.form;
  if (form[0] >= '<' && form[0] <= '?' && form.size() > 1) {
    sequence.marker = form[0];
    form.remove_prefix(1);
  }
  if (form.size() > 1) sequence.intermediate = form[0];
  sequence.final = form.back();
  sequence.count = std::max<uint8_t>(row.fewest, row.most == 0 ? 0 : 1);
  sequence.values.fill(0);
  sequence.values[0] = static_cast<uint16_t>(first);
  return sequence;
}

TEST(Sequences, EveryRowHasItsReason) {
  for (const auto& row : control_rules())
    expect_told(row.rule);
  for (const auto& row : escape_rules())
    expect_told(row.rule);
  for (const auto& row : csi_rules())
    expect_told(row.rule);
  for (const auto& row : mode_rules())
    expect_told(row.rule);
  for (const auto& row : osc_rules())
    expect_told(row.rule);
  for (const auto& row : string_rules())
    expect_told(row.rule);
}

TEST(Sequences, EveryRowIsFound) {
  for (const auto& row : control_rules())
    EXPECT_EQ(find_control(row.byte), &row);
  for (const auto& row : escape_rules()) {
    for (char final : row.finals.empty() ? "G" : row.finals)
      EXPECT_EQ(find_escape(std::string(row.intermediates) + final), &row) << row.rule.name;
  }
  for (const auto& row : mode_rules())
    EXPECT_EQ(find_mode(row.marker, row.number), &row) << row.rule.name;
  for (const auto& row : csi_rules()) {
    bool found = false;
    for (unsigned first = 0; first < 1000 && !found; first++)
      found = find_csi(sequence_of(row, first)) == &row;
    EXPECT_TRUE(found) << row.form << " " << row.rule.name;
  }
  for (const auto& row : osc_rules()) {
    for (unsigned number = 0; number <= UINT16_MAX; number++) {
      if (!holds_number(row.numbers, number)) continue;
      EXPECT_EQ(find_osc(number), &row) << number;
    }
  }
}

TEST(Sequences, NothingButTheClipboardCanBeGranted) {
  for (const auto& row : csi_rules())
    EXPECT_NE(row.rule.verdict, Verdict::grantable);
  for (const auto& row : string_rules())
    EXPECT_EQ(row.rule.verdict, Verdict::drop);
  for (const auto& row : osc_rules()) {
    EXPECT_EQ(row.rule.verdict == Verdict::grantable, row.text == OscText::clipboard);
    EXPECT_EQ(row.rule.verdict == Verdict::drop, row.text == OscText::none);
  }
}

TEST(Sequences, KnowsListsOfNumbers) {
  EXPECT_TRUE(holds_number("", 7));
  EXPECT_TRUE(holds_number("5 6 20-24", 5));
  EXPECT_TRUE(holds_number("5 6 20-24", 20));
  EXPECT_TRUE(holds_number("5 6 20-24", 24));
  EXPECT_FALSE(holds_number("5 6 20-24", 25));
  EXPECT_FALSE(holds_number("5 6 20-24", 2));
  EXPECT_FALSE(holds_number("5 6 20-24", 0));
}

TEST(Sequences, TakesControlSequencesApart) {
  ControlSequence sequence;
  ASSERT_TRUE(parse_control_sequence("?1;;25h", sequence));
  EXPECT_EQ(sequence.marker, '?');
  EXPECT_EQ(sequence.count, 3);
  EXPECT_EQ(sequence.value(0), 1);
  EXPECT_EQ(sequence.value(1), 0);
  EXPECT_EQ(sequence.value(2), 25);
  EXPECT_EQ(sequence.final, 'h');
  ASSERT_TRUE(parse_control_sequence("4:3;2 q", sequence));
  EXPECT_TRUE(sequence.is_joined(1));
  EXPECT_FALSE(sequence.is_joined(2));
  EXPECT_EQ(sequence.intermediate, ' ');
  ASSERT_TRUE(parse_control_sequence("m", sequence));
  EXPECT_EQ(sequence.count, 0);
  for (std::string_view bad : {"", "?", "1", "1?m", "1 2m", "  q", "??h", "1234567m", "65536m"})
    EXPECT_FALSE(parse_control_sequence(bad, sequence)) << bad;
}

}  // namespace
}  // namespace ringwall::terminal
