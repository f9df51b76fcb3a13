#include "cli/top_draw.h"

#include <gtest/gtest.h>

#include "base/layout.h"

namespace ringwall::cli {
namespace {

using Look = DrawnLine::Look;

TopPicture two_runs() {
  TopPicture picture;
  picture.runs = {
      {"app-1", "claude", "asks", "3h 12m", 17, 2, 2, "/home/ann/app", 420'000, "caution"},
      {"site-1", "node", "paused", "5m", 0, 0, 0, "/home/ann/site"}};
  picture.requests = {{3, "pypi.org:443", "pip", 41}, {4, "203.0.113.7:22", "", 60}};
  picture.refusals = {{"09:00:07", "blocked", "telemetry.example.com:443 for node: no grant"},
                      {"09:00:01", "limit", "processes: it reached 4096; no more start"}};
  picture.connections = {"api.example.com:443", "api.example.com:443", "github.com:22"};
  picture.processes = {{4711, "node"}, {4712, "sh"}};
  picture.risks = {0, 130'000, 300'000, 990'000, 420'000};
  picture.clock = "09:00:09";
  picture.message = "pypi.org:443 approved once";
  return picture;
}

std::string text_of(const std::vector<DrawnLine>& lines) {
  std::string text;
  for (const DrawnLine& line : lines)
    text += line.text + "\n";
  return text;
}

TEST(TopDraw, APictureOf80Columns) {
  EXPECT_EQ(text_of(draw_top(two_runs(), {20, 80})),
            "ringwall top  2 runs, 2 requests wait for you                           09:00:09\n"
            "  NAME    AGENT   STATE   SINCE   REFUSED  OPEN  WAITS  RISK  WORKSPACE\n"
            "> app-1   claude  asks    3h 12m       17     2      2  0.42  /home/ann/app     \n"
            "  site-1  node    paused  5m            0     0      0  0.00  /home/ann/site\n"
            "-- app-1 -----------------------------------------------------------------------\n"
            "waits        > 3: pypi.org:443 for pip, 41 s left\n"
            "               4: 203.0.113.7:22, 60 s left\n"
            "risk         ▁▂▃█▄ 0.42 caution\n"
            "refused      09:00:07 blocked  telemetry.example.com:443 for node: no grant\n"
            "             09:00:01 limit    processes: it reached 4096; no more start\n"
            "connected    api.example.com:443 x2  github.com:22\n"
            "processes    4711 node  4712 sh\n"
            "\n\n\n\n\n"
            "pypi.org:443 approved once\n"
            "a once  s session  h 1 hour  A always    r reject  R reject for the session\n"
            "j k select  Tab requests  p pause  x stop  K kill  ? help  q quit\n");
}

TEST(TopDraw, APictureWithoutRuns) {
  TopPicture picture;
  picture.clock = "09:00:09";
  EXPECT_EQ(text_of(draw_top(picture, {8, 40})),
            "ringwall top  0 runs            09:00:09\n"
            "  NAME  AGENT  STATE  SINCE  REFUSED  O…\n"
            "  no run is going on\n"
            "\n\n\n\n"
            "j k select  Tab requests  p pause  x st…\n");
}

TEST(TopDraw, TheChosenOneIsMarkedAndWhatAsksIsSeen) {
  auto lines = draw_top(two_runs(), {20, 80});
  EXPECT_EQ(lines[2].look, Look::chosen);
  EXPECT_EQ(lines[5].look, Look::asks);
  EXPECT_EQ(lines[7].look, Look::refused);
  TopPicture picture = two_runs();
  picture.in_requests = true;
  picture.request = 1;
  lines = draw_top(picture, {20, 80});
  EXPECT_EQ(lines[2].look, Look::asks);
  EXPECT_EQ(lines[6].look, Look::chosen);
  EXPECT_TRUE(lines[6].text.starts_with("             > 4: 203.0.113.7:22")) << lines[6].text;
}

TEST(TopDraw, NoSizeIsTooSmallAndNothingIsWiderThanTheScreen) {
  TopPicture picture = two_runs();
  for (int i = 0; i < 60; i++)
    picture.runs.push_back({"run-" + std::to_string(i), "äöü", "running", "1s", 1, 2, 3, "/w"});
  picture.runs[5].workspace = std::string(3000, 'x');
  for (uint16_t rows = 1; rows < 40; rows++) {
    for (uint16_t columns : std::initializer_list<uint16_t>{1, 2, 13, 14, 30, 79, 80, 200, 2000}) {
      for (bool help : {false, true}) {
        picture.shows_help = help;
        auto lines = draw_top(picture, {rows, columns});
        ASSERT_EQ(lines.size(), rows);
        for (const DrawnLine& line : lines)
          ASSERT_LE(layout::columns(line.text), columns) << line.text;
      }
    }
  }
}

TEST(TopDraw, TheChosenRunAndRequestAreSeenHoweverManyThereAre) {
  TopPicture picture = two_runs();
  for (int i = 0; i < 60; i++)
    picture.runs.push_back({"run-" + std::to_string(i), "sh", "running", "1s"});
  picture.requests.clear();
  for (uint64_t id = 1; id <= 32; id++)
    picture.requests.push_back({id, "203.0.113.7:443", "", 9});
  for (size_t chosen : {size_t{0}, size_t{30}, size_t{61}}) {
    picture.run = chosen;
    picture.request = chosen / 2;
    std::string text = text_of(draw_top(picture, {24, 80}));
    EXPECT_NE(text.find("> " + picture.runs[chosen].name), std::string::npos) << text;
    EXPECT_NE(text.find("> " + std::to_string(chosen / 2 + 1) + ": "), std::string::npos) << text;
  }
}

TEST(TopDraw, WhatWaitsIsSeenOnASmallScreen) {
  std::string text = text_of(draw_top(two_runs(), {8, 60}));
  EXPECT_NE(text.find("3: pypi.org:443"), std::string::npos) << text;
}

TEST(TopDraw, TextsOfOthersAreQuoted) {
  TopPicture picture = two_runs();
  std::string hostile =
      "x\x1b[2J\x07\n\xc2\x9b"
      "1m\xe2\x80\xae";
  picture.runs[0].agent = hostile;
  picture.runs[0].workspace = hostile;
  picture.requests[0].destination = hostile;
  picture.requests[0].program = hostile;
  picture.connections = {hostile};
  picture.processes = {{1, hostile}};
  for (const std::string& text :
       {text_of(draw_top(picture, {24, 200})), text_of(draw_top_once(picture, 200))}) {
    for (std::string_view harm : {"\x1b", "\x07", "\xc2\x9b", "\xe2\x80\xae"})
      EXPECT_EQ(text.find(harm), std::string::npos) << text;
  }
}

TEST(TopDraw, AQuestionTakesTheMessagesPlace) {
  TopPicture picture = two_runs();
  picture.question = "kill app-1 and everything in it? y n";
  auto lines = draw_top(picture, {20, 80});
  EXPECT_EQ(lines[17].text, picture.question);
  EXPECT_EQ(lines[17].look, Look::asks);
}

TEST(TopDraw, OncePrintsEverythingAndNoKeys) {
  TopPicture picture = two_runs();
  for (int i = 0; i < 300; i++)
    picture.processes.push_back({10000 + i, "worker"});
  std::string text = text_of(draw_top_once(picture, 80));
  EXPECT_NE(text.find("10299 worker"), std::string::npos);
  EXPECT_EQ(text.find("quit"), std::string::npos);
  EXPECT_EQ(text.find(" \n"), std::string::npos);
}

}  // namespace
}  // namespace ringwall::cli
