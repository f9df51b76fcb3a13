#include "verify/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>

#include "base/text.h"

namespace ringwall::verify {
namespace {

using sandbox::Wall;

Answers all_held() {
  Answers answers;
  for (const Promise& promise : promises())
    answers[std::string(promise.number)] = {Finding::held, "stopped"};
  return answers;
}

const Promise& promise(std::string_view number) {
  return *std::ranges::find(promises(), number, &Promise::number);
}

const Row& row_of(const std::vector<Row>& rows, std::string_view number) {
  return *std::find_if(rows.begin(), rows.end(),
                       [&](const Row& row) { return row.promise->number == number; });
}

size_t columns(const std::string& line) {
  return static_cast<size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

TEST(Report, CountsWhatIsKept) {
  std::vector<Row> rows = plan_rows(all_held(), {});
  Counts counts = count(rows);
  EXPECT_EQ(counts.failed, 0);
  EXPECT_EQ(counts.kept, 39);
  EXPECT_EQ(exit_status(counts), 0);
}

TEST(Report, NoAnswerIsAFailure) {
  Answers answers = all_held();
  answers.erase("P07");
  std::vector<Row> rows = plan_rows(answers, {});
  EXPECT_EQ(row_of(rows, "P07").result, RowResult::fail);
  EXPECT_EQ(row_of(rows, "P07").evidence, "no answer");
  EXPECT_EQ(exit_status(count(rows)), 1);
}

TEST(Report, CannotTellIsAFailureUnlessTheHostLacksIt) {
  Answers answers = all_held();
  answers["P22"] = {Finding::cannot_tell, "no git"};
  EXPECT_EQ(row_of(plan_rows(answers, {}), "P22").result, RowResult::fail);
  HostLacks lacks = {{"P22", "no git on this host"}};
  EXPECT_EQ(row_of(plan_rows(answers, lacks), "P22").result, RowResult::skip);
  answers["P22"] = {Finding::breached, "hooks ran"};
  EXPECT_EQ(row_of(plan_rows(answers, lacks), "P22").result, RowResult::fail);
}

TEST(Report, StatusIsCapped) {
  EXPECT_EQ(exit_status({.failed = 3}), 3);
  EXPECT_EQ(exit_status({.failed = 300}), 100);
}

TEST(Report, FitsAHundredColumns) {
  Answers answers = all_held();
  answers["P07"] = {Finding::breached, std::string(50, 'x') + " " + std::string(150, 'y')};
  answers["P08"] = {Finding::held, std::string(300, 'z')};
  answers["P09"] = {Finding::held, "naïve ✓ " + std::string(60, 'z')};
  answers["P04"] = {Finding::breached,
                    "one two three four five six seven eight nine ten eleven "
                    "twelve thirteen fourteen fifteen sixteen seventeen"};
  const MissingWalls kNone, kBoth{Wall::landlock, Wall::later_sockets};
  for (const MissingWalls& missing : {kNone, kBoth}) {
    std::string out = as_text({"a test", missing, plan_rows(answers, {}), ""}, 100, {});
    for (const std::string& line : text::split(out, '\n')) {
      bool one_long_word = line.find('y') != std::string::npos && line.starts_with("     y");
      EXPECT_TRUE(columns(line) <= 100 || one_long_word) << line;
    }
    EXPECT_NE(out.find("seventeen"), std::string::npos);
    Counts counts = count(plan_rows(all_held(), {}));
    std::string closing = std::to_string(counts.kept - 2) + " kept, 2 failed\n";
    EXPECT_NE(out.find(closing), std::string::npos);
  }
}

TEST(Report, LongListsLoseWholeParts) {
  Answers answers = all_held();
  answers["P07"] = {Finding::held, "15 not there (ENOENT), 4 access refused (EACCES)"};
  std::string out = as_text({"a test", {}, plan_rows(answers, {}), ""}, 100, {});
  EXPECT_NE(out.find("15 not there (ENOENT), …  "), std::string::npos) << out;
  EXPECT_EQ(out.find("4 acc"), std::string::npos) << out;
}

TEST(Report, ColoursOnlyWhenAskedFor) {
  Report report{"a test", {}, plan_rows(all_held(), {}), ""};
  EXPECT_EQ(as_text(report, 100, {}).find('\x1b'), std::string::npos);
  Paint paint{"\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"};
  EXPECT_NE(as_text(report, 100, paint).find("\x1b[32mPASS\x1b[0m"), std::string::npos);
}

TEST(Report, SaysWhatKeepsAPromise) {
  const Promise& home = promise("P07");
  EXPECT_EQ(kept_by_text(home, {}, 29), "kernel: new-root, landlock +1");
  EXPECT_EQ(kept_by_text(home, {}, 80), "kernel: new-root, landlock, private-home");
  EXPECT_EQ(kept_by_text(home, {Wall::landlock}, 29), "kernel: new-root, no landlock");
  EXPECT_EQ(kept_by_text(home, {Wall::later_sockets}, 29), "kernel: new-root, landlock +1");
  EXPECT_EQ(kept_by_text(promise("P13"), {}, 29), "kernel: 5 walls");
  EXPECT_EQ(kept_by_text(promise("P13"), {Wall::later_sockets}, 80),
            "kernel: new-root, no later-sockets");
  EXPECT_EQ(kept_by_text(promise("P01"), {}, 29), "kernel: 7 walls");
}

TEST(Report, IsJsonToo) {
  Answers answers = all_held();
  answers["P07"] = {Finding::breached, "read it"};
  boost::json::value value = boost::json::parse(
      as_json({"a test", {Wall::landlock, Wall::later_sockets}, plan_rows(answers, {}), ""}));
  EXPECT_EQ(value.at("rows").as_array().size(), 39u);
  EXPECT_EQ(value.at("counts").at("failed").as_int64(), 1);
  const boost::json::value& home = value.at("rows").as_array()[6];
  EXPECT_EQ(home.at("result").as_string(), "fail");
  EXPECT_EQ(home.at("missing_walls").as_array()[0].as_string(), "landlock");
  const boost::json::value& sockets = value.at("rows").as_array()[12];
  EXPECT_EQ(sockets.at("missing_walls").as_array()[0].as_string(), "later-sockets");
}

}  // namespace
}  // namespace ringwall::verify
