// Requests as the tests of the judge of HTTP write them, and what is expected of each.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "net/http_judge.h"
#include "net/judge_testing.h"

namespace ringwall::net {
using namespace std::string_literals;
using Kind = Judgement::Kind;

inline const std::string kGet = "GET /x HTTP/1.1\r\nHost: a.example\r\nAccept: */*\r\n\r\n";
inline const std::string kSwitch =
    "GET /chat HTTP/1.1\r\nHost: a.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";

inline std::string with(const std::string& fields, const std::string& line = "GET / HTTP/1.1") {
  return line + "\r\nHost: a.example\r\n" + fields + "\r\n";
}

inline std::string request(const std::string& line) { return with("", line); }

inline Fed fed(const std::string& bytes, uint16_t port = 80,
               const std::string& name = "a.example") {
  HttpJudge judge(name, port);
  return feed(judge, bytes);
}

inline void expect_passes(const std::string& bytes, uint16_t port = 80,
                          const std::string& name = "a.example") {
  Fed outcome = fed(bytes, port, name);
  EXPECT_EQ(outcome.last, Kind::wait) << bytes << outcome.why;
  EXPECT_EQ(outcome.passed, bytes);
  EXPECT_EQ(outcome.owed, 0u);
}

inline void expect_refused(const std::string& bytes, const std::string& why, uint16_t port = 80,
                           const std::string& name = "a.example") {
  Fed outcome = fed(bytes, port, name);
  EXPECT_EQ(outcome.last, Kind::refuse) << bytes;
  EXPECT_NE(outcome.why.find(why), std::string::npos) << bytes << outcome.why << ", not: " << why;
  EXPECT_EQ(outcome.passed, "");
  EXPECT_LT(outcome.why.size(), 400u);
  // As the second on the connection too.
  Fed second = fed(kGet + bytes, port, name);
  EXPECT_EQ(second.last, Kind::refuse) << bytes;
  EXPECT_LE(second.passed.size(), kGet.size());
}

}  // namespace ringwall::net
