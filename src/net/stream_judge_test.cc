#include "net/stream_judge.h"

#include <gtest/gtest.h>

#include <string>

#include "net/judge_testing.h"

namespace ringwall::net {
namespace {

using namespace std::string_literals;
using Kind = Judgement::Kind;

constexpr uint16_t kOther = 3000;  // a port where anything may be spoken

Fed spoken(const std::string& bytes, size_t slice, uint16_t port = kOther) {
  StreamJudge judge("a.example", port);
  return feed(judge, bytes, slice);
}

std::string request_for(const std::string& host, const std::string& line) {
  return line + "\r\nHost: " + host + "\r\n\r\n";
}

}  // namespace

// Servers look for the name before the method, and take what is nearly a request for one.
TEST(StreamJudge, ReadsRequestsOfAnyMethodAtEveryPort) {
  const std::string lines[] = {
      "GET / HTTP/1.1",   "FOO / HTTP/1.1",
      "get / HTTP/1.1",   "GET\t/ HTTP/1.1",
      "G(T / HTTP/1.1",   "X-A /" + std::string(3000, 'a') + " HTTP/1.1",
      "SSH-2 / HTTP/1.1", "PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\nGET / HTTP/1.1",
      " FOO / HTTP/1.1",  "FOO http://b.example/ HTTP/1.1",
      "FOO / http/1.0",   "\r\nFOO / HTTP/1.1"};
  for (uint16_t port : {uint16_t{80}, uint16_t{443}, kOther}) {
    for (const std::string& line : lines) {
      std::string request = request_for("b.example", line);
      for (size_t slice : {size_t{1}, size_t{7}, request.size()}) {
        Fed fed = spoken(request, slice, port);
        EXPECT_EQ(fed.last, Kind::refuse) << port << " " << line << " by " << slice;
        // Whatever went on before it was known: no end of a head, and not the Host.
        EXPECT_EQ(fed.passed.find("Host"), std::string::npos) << line;
        EXPECT_EQ(fed.owed, 0u) << line;
      }
    }
  }
}

TEST(StreamJudge, PassesRequestsOfAnyMethodForTheName) {
  std::string two =
      request_for("a.example", "FOO / HTTP/1.1") + request_for("a.example", "get / HTTP/1.1");
  for (uint16_t port : {uint16_t{80}, kOther}) {
    for (size_t slice : {size_t{1}, size_t{9}, two.size()}) {
      EXPECT_EQ(spoken(two, slice, port).passed, two) << port << " by " << slice;
      Fed later = spoken(two + request_for("b.example", "GET / HTTP/1.1"), slice, port);
      EXPECT_EQ(later.last, Kind::refuse) << port << " by " << slice;
      EXPECT_EQ(later.passed, two) << port << " by " << slice;
    }
  }
}

TEST(StreamJudge, CrossesOutWhatHidesNamesBehindALineThatCameInPieces) {
  std::string line = "FOO / HTTP/1.1\r\nHost: a.example\r\n";
  std::string request = line + "HTTP2-Settings: x\r\nConnection: y\r\n\r\n";
  for (size_t slice : {size_t{1}, size_t{5}, request.size()})
    EXPECT_EQ(spoken(request, slice).passed, line + "XXXXXXXXXXXXXX: x\r\nConnection: y\r\n\r\n")
        << slice;
}

// A client waits for the answer to what it has said, whether its line is whole or not.
TEST(StreamJudge, HoldsNothingBackWhereAnythingMayBeSpoken) {
  for (const std::string& said : {"hello"s, "GET"s, "PING\r\n"s, "SSH-2.0-x\r\n"s, "\0\0\0\x08"s,
                                  "003egit-upload-pack /x.git\0host=a.example\0"s, "\r\n"s}) {
    EXPECT_EQ(spoken(said, said.size()).passed, said) << said;
    EXPECT_EQ(spoken(said, 1).passed, said) << said;
  }
  // What may become TLS is judged whole, and where HTTP or TLS is due nothing else goes on.
  EXPECT_EQ(spoken("\x16", 1).passed, "");
  for (uint16_t port : {uint16_t{80}, uint16_t{443}})
    EXPECT_EQ(spoken("hello", 1, port).passed, "") << port;
}

// So long a line is not kept; what it was is seen all the same.
TEST(StreamJudge, RefusesARequestWhoseLineCameInPiecesAndIsTooLongToKeep) {
  std::string request = request_for("a.example", "FOO /" + std::string(9000, 'a') + " HTTP/1.1");
  EXPECT_EQ(spoken(request, 500).last, Kind::refuse);
  EXPECT_EQ(spoken(request, request.size()).passed, request);
}

}  // namespace ringwall::net
