#include "events/record_check.h"

#include <gtest/gtest.h>

namespace ringwall::events {
namespace {

struct Record {
  std::vector<std::string> lines;
  Head head;

  explicit Record(int count) {
    for (int i = 0; i < count; i++)
      lines.push_back(chain_line(head.last, {1000 * i, i},
                                 "{\"event\":\"x\",\"i\":" + std::to_string(i) + "}"));
  }
  std::string text() const {
    std::string out;
    for (const std::string& line : lines)
      out += line + "\n";
    return out;
  }
  std::string check(bool goes_on = false) const {
    return show(check_record(text(), head, goes_on));
  }
  static std::string show(const RecordCheck& check) {
    std::string out;
    for (const Finding& finding : check.findings)
      out += (out.empty() ? "" : "; ") + finding.text();
    return out;
  }
};

void change(std::string& line) { line.replace(line.find("\"x\""), 3, "\"y\""); }

}  // namespace

TEST(Chain, ALineSaysItsNumberAndTheHashBefore) {
  Link link;
  std::string line = chain_line(link, {1769850000123, 4}, "{\"event\":\"a\"}");
  EXPECT_EQ(
      line,
      "{\"n\":1,\"time\":\"2026-01-31T09:00:00.123Z\",\"at\":0.004,\"event\":\"a\",\"prev\":\"" +
          std::string(64, '0') + "\"}");
  auto says = parse_line(line);
  ASSERT_TRUE(says);
  EXPECT_EQ(says->number, 1u);
  EXPECT_EQ(says->prev, std::string(64, '0'));
  EXPECT_EQ(link.number, 1u);
}

TEST(Chain, AHeadIsReadAsItWasWritten) {
  Head head{{12, std::string(64, 'a')}, 7, {11, std::string(64, 'b')}, 6};
  auto read = parse_head(show_head(head));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->last.number, 12u);
  EXPECT_EQ(read->last.hash, head.last.hash);
  EXPECT_EQ(read->refusals, 7u);
  EXPECT_EQ(read->written.number, 11u);
  EXPECT_EQ(read->written.hash, head.written.hash);
  EXPECT_EQ(read->refusals_written, 6u);
  for (const char* text : {"", "12", "x y z", "12 aaaa 7\n"})
    EXPECT_FALSE(parse_head(text)) << text;
}

TEST(RecordCheck, AnUntouchedRecordHasNoFinding) {
  EXPECT_EQ(Record(20).check(), "");
  EXPECT_EQ(Record(1).check(), "");
  EXPECT_EQ(Record(0).check(), "");
}

TEST(RecordCheck, AClockThatJumpsIsNoChange) {
  Record record(0);
  for (int64_t wall : {5000, 1000, 900'000'000, 0, 7000})
    record.lines.push_back(chain_line(record.head.last, {wall, 1}, "{\"event\":\"x\"}"));
  EXPECT_EQ(record.check(), "");
}

TEST(RecordCheck, SaysWhichLineWasChanged) {
  for (size_t i : {0, 9, 19}) {
    Record record(20);
    change(record.lines[i]);
    EXPECT_EQ(record.check(), "line " + std::to_string(i + 1) + " was changed");
  }
  Record garbled(20);
  garbled.lines[4] = "what";
  EXPECT_EQ(garbled.check(), "line 5 was changed");
}

// Who changes a line can make all lines after it fit, but not the head.
TEST(RecordCheck, AChangeThatIsCarriedOnBreaksAtTheHead) {
  Record record(20);
  Record other(20);
  change(other.lines[9]);
  Link link{9, parse_line(other.lines[9])->prev};
  Record forged = record;
  for (size_t i = 9; i < 20; i++) {
    std::string event = "{\"event\":\"forged\"}";
    forged.lines[i] = chain_line(link, {0, 0}, event);
  }
  EXPECT_EQ(forged.check(), "line 20 was changed");
}

TEST(RecordCheck, SaysWhichLinesWereRemoved) {
  auto without = [](size_t first, size_t count) {
    Record record(20);
    auto at = record.lines.begin() + static_cast<ptrdiff_t>(first);
    record.lines.erase(at, at + static_cast<ptrdiff_t>(count));
    return record.check();
  };
  EXPECT_EQ(without(4, 1), "line 5 was removed");
  EXPECT_EQ(without(4, 3), "lines 5 to 7 were removed");
  EXPECT_EQ(without(0, 2), "lines 1 to 2 were removed");
  EXPECT_EQ(without(17, 3), "lines 18 to 20 were removed");
  EXPECT_EQ(without(0, 20), "lines 1 to 20 were removed");
}

TEST(RecordCheck, SaysWhichLinesWereAdded) {
  auto with = [](size_t at) {
    Record record(20);
    record.lines.insert(record.lines.begin() + static_cast<ptrdiff_t>(at), record.lines[3]);
    return record.check();
  };
  EXPECT_EQ(with(10), "line 11 of the file was added");
  EXPECT_EQ(with(20), "line 21 of the file was added");
  EXPECT_EQ(with(0), "line 1 of the file was added");
}

TEST(RecordCheck, SaysThatLinesWereSwapped) {
  Record record(20);
  std::swap(record.lines[5], record.lines[6]);
  EXPECT_EQ(record.check(), "line 6 was moved");
}

TEST(RecordCheck, AnUnfinishedLineIsSeen) {
  Record record(3);
  std::string text = record.text() + "{\"n\":4,\"ti";
  EXPECT_EQ(Record::show(check_record(text, record.head, false)), "the last line is not whole");
  EXPECT_EQ(Record::show(check_record(text, record.head, true)), "");
}

TEST(RecordCheck, LinesBehindTheHeadOfARunThatGoesOn) {
  Record record(10);
  Head before = record.head;
  record.lines.push_back(chain_line(record.head.last, {0, 0}, "{\"event\":\"z\"}"));
  EXPECT_EQ(Record::show(check_record(record.text(), before, true)), "");
  EXPECT_EQ(Record::show(check_record(record.text(), before, false)),
            "line 11 of the file was added");
}

TEST(RecordCheck, WithoutAHeadNothingIsVouchedFor) {
  Record record(5);
  EXPECT_NE(Record::show(check_record(record.text(), std::nullopt, false)), "");
}

}  // namespace ringwall::events
