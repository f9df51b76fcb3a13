#include "audit/finding.h"

#include <gtest/gtest.h>

#include <set>

#include "audit/report.h"
#include "audit/scanner.h"

namespace ringwall::audit {
namespace {

constexpr std::string_view kLast = "{\"files\":3,\"incomplete\":\"\"}\n";

TEST(Catalogue, HasEveryNumberOnce) {
  std::set<std::string_view> numbers;
  for (std::span<const Check> table : catalogue()) {
    for (const Check& check : table) {
      EXPECT_TRUE(numbers.insert(check.number).second) << check.number;
      EXPECT_EQ(check.number.size(), 5u);
      EXPECT_FALSE(check.title.empty() || check.danger.empty() || check.change.empty())
          << check.number;
    }
  }
  EXPECT_EQ(find_check("RW000"), nullptr);
}

TEST(Findings, TravelAsTheyAre) {
  Finding sent = make_finding("RW201", "a b\xff\n.json", 7, "x\x1b[2Jy \\ z", "do \x07 this");
  auto came = from_line(to_line(sent));
  ASSERT_TRUE(came) << came.error().what;
  EXPECT_EQ(*came, sent);
  Finding zero = make_finding("RW201", "a", 1, std::string_view("x\0y", 3));
  came = from_line(to_line(zero));
  ASSERT_TRUE(came) << came.error().what;
  EXPECT_EQ(came->seen.size(), 3u);
  // What is cut ends with a whole character.
  Finding cut = make_finding("RW201", "a", 1, std::string(kLongestSeen - 1, 'x') + "ä");
  EXPECT_EQ(cut.seen, std::string(kLongestSeen - 1, 'x') + "…");
}

TEST(Findings, AreNotBelieved) {
  for (std::string_view line :
       {"", "1", "{}", R"({"number":"RW999","path":"a","line":1,"seen":""})",
        R"({"number":"RW201","path":"a","line":-1,"seen":""})",
        R"({"number":"RW201","path":"a","line":"1","seen":""})",
        R"({"number":"RW201","path":"%zz","line":1,"seen":""})",
        R"({"number":"RW201","path":"a%00b","line":1,"seen":""})",
        R"({"number":"RW201","path":1,"line":1,"seen":""})",
        R"({"number":"RW201","path":"a","line":1})"})
    EXPECT_FALSE(from_line(line)) << line;
  EXPECT_FALSE(from_line(R"({"number":"RW201","line":1,"seen":"","path":")" +
                         std::string(kLongestPath + 1, 'a') + "\"}"));
}

TEST(Reports, NeedTheirLastLine) {
  std::string one = to_line(make_finding("RW201", "a", 1, "x")) + "\n";
  auto whole = parse_report(one + one + std::string(kLast));
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->findings.size(), 1u);  // told twice
  EXPECT_EQ(whole->files, 3u);
  EXPECT_FALSE(parse_report(""));
  EXPECT_FALSE(parse_report(one));
  EXPECT_FALSE(parse_report(std::string(kLast) + one));
  EXPECT_FALSE(parse_report("x\n" + std::string(kLast)));
  std::string many;
  for (size_t i = 0; i <= kMostFindings; i++)
    many += to_line(make_finding("RW201", std::to_string(i), 1, "")) + "\n";
  EXPECT_FALSE(parse_report(many + std::string(kLast)));
}

TEST(Reports, PutTheGravestFirst) {
  Report report;
  report.findings = {make_finding("RW215", "a", 0, ""), make_finding("RW202", "b", 1, "")};
  put_in_order(report);
  EXPECT_EQ(report.findings[0].check->number, "RW202");
  EXPECT_EQ(exit_status(report), 1);
  report.findings.erase(report.findings.begin());
  EXPECT_EQ(exit_status(report), 0);
}

TEST(Reports, EscapeForEachForm) {
  Report report{.subject = "/x\x1b"};
  report.findings = {make_finding("RW281", "<b>\x1b\"'&", 0, "<script>")};
  std::string page = as_html(report);
  EXPECT_EQ(page.find('\x1b'), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;"), std::string::npos);
  for (const std::string& text : {as_text(report, 80, {}), as_json(report), as_sarif(report)})
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(Reports, EscapeOnce) {
  Report report{.subject = "x"};
  report.findings = {make_finding("RW281", "p", 0, "a\x1b[2J\nb \\d", "rm -- $'\\x1b'")};
  for (const std::string& text : {as_text(report, 80, {}), as_html(report)}) {
    EXPECT_NE(text.find("a\\x1b[2J ↵ b \\d"), std::string::npos) << text;
    EXPECT_EQ(text.find("x5c"), std::string::npos) << text;
  }
  EXPECT_NE(as_text(report, 80, {}).find("rm -- $'\\x1b'"), std::string::npos);
  // In JSON a backslash is written as two.
  for (const std::string& text : {as_json(report), as_sarif(report)}) {
    EXPECT_NE(text.find("a\\\\x1b[2J ↵ b \\\\d"), std::string::npos) << text;
    EXPECT_EQ(text.find("x5c"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace ringwall::audit
