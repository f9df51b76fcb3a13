#include "verify/answers.h"

#include <gtest/gtest.h>

namespace ringwall::verify {
namespace {

constexpr std::string_view kAsked[] = {"P01", "P07"};

std::string line(std::string_view promise, std::string_view finding, std::string_view evidence) {
  return "{\"promise\":\"" + std::string(promise) + "\",\"finding\":\"" + std::string(finding) +
         "\",\"evidence\":\"" + std::string(evidence) + "\"}";
}

TEST(Answers, AreRead) {
  auto answer = parse_answer(line("P07", "breached", "read ~/.ssh"), kAsked);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->first, "P07");
  EXPECT_EQ(answer->second.finding, Finding::breached);
  EXPECT_EQ(answer->second.evidence, "read ~/.ssh");
}

TEST(Answers, ComeBackAsTheyWereWritten) {
  for (Finding finding : {Finding::held, Finding::breached, Finding::cannot_tell}) {
    std::string written = answer_line("P01", {finding, "7 namespaces, \"all\" other"});
    AnswerSheet sheet = parse_answers(written, kAsked);
    EXPECT_EQ(sheet.trouble, "");
    EXPECT_EQ(sheet.answers.at("P01").finding, finding);
    EXPECT_EQ(sheet.answers.at("P01").evidence, "7 namespaces, \"all\" other");
  }
}

TEST(Answers, HostileLinesAreRefused) {
  std::string deep(2000, '[');
  for (const std::string& hostile :
       {std::string(""), std::string("PASS"), std::string("{}"), std::string("[]"), deep,
        line("P02", "held", "not asked"), line("P99", "held", ""), line("p07", "held", ""),
        line("P07", "HELD", ""), line("P07", "", ""), line("P07", "held", "x") + "x",
        line("P07", "held", "x") + line("P01", "held", "x"),
        std::string("{\"promise\":\"P07\",\"finding\":\"held\"}"),
        std::string("{\"promise\":7,\"finding\":\"held\",\"evidence\":\"\"}"),
        std::string("{\"promise\":\"P07\",\"finding\":\"held\",\"evidence\":[\"x\"]}"),
        std::string("{\"promise\":\"P07\",\"finding\":\"held\",\"evidence\":\"\",\"more\":1}"),
        line("P07", "held", std::string(kMostLineBytes, 'x')), line("P07", "held", "\xff\xfe")}) {
    EXPECT_FALSE(parse_answer(hostile, kAsked)) << hostile.substr(0, 80);
  }
}

TEST(Answers, EvidenceIsHarmlessAndShort) {
  auto answer = parse_answer(line("P07", "held", "a\\u001b[2Jb\\u0000c\\u202ed"), kAsked);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->second.evidence, "a\\x1b[2Jb\\x00c\\xe2\\x80\\xaed");
  EXPECT_EQ(escape("the host's \\x27 'x'"), "the host's \\x5cx27 'x'");
  answer = parse_answer(line("P07", "held", std::string(2000, 'x')), kAsked);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->second.evidence.size(), kMostEvidenceBytes);
}

TEST(Answers, ReadingStopsAtTheFirstLie) {
  std::string good = line("P01", "held", "x") + "\n", late = line("P07", "held", "x") + "\n";
  AnswerSheet sheet = parse_answers(good + "nonsense\n" + late, kAsked);
  EXPECT_NE(sheet.trouble, "");
  EXPECT_TRUE(sheet.answers.contains("P01"));
  EXPECT_FALSE(sheet.answers.contains("P07"));
}

TEST(Answers, AnsweredTwiceIsNotAnswered) {
  std::string bad = line("P07", "breached", "x") + "\n", good = line("P07", "held", "x") + "\n";
  AnswerSheet sheet = parse_answers(bad + good, kAsked);
  EXPECT_NE(sheet.trouble, "");
  EXPECT_TRUE(sheet.answers.empty());
}

TEST(Answers, NeedAnEndAndALimit) {
  EXPECT_NE(parse_answers(line("P07", "held", "x"), kAsked).trouble, "");
  EXPECT_NE(parse_answers(std::string(kMostAnswerBytes + 1, '\n'), kAsked).trouble, "");
  EXPECT_EQ(parse_answers("", kAsked).trouble, "");
}

}  // namespace
}  // namespace ringwall::verify
