#include "net/http_judge_testing.h"

namespace ringwall::net {

TEST(Http, RequestsForTheNamePass) {
  for (const char* line :
       {"GET / HTTP/1.1", "GET / HTTP/1.0", "POST /a?b=c HTTP/1.1", "OPTIONS * HTTP/1.1",
        "PROPFIND /x HTTP/1.1", "X-OWN /x HTTP/1.1", "GET http://a.example/ HTTP/1.1",
        "GET http://a.example HTTP/1.1", "GET HTTP://A.EXAMPLE?x HTTP/1.1",
        "GET http://a.example:80/x HTTP/1.1", "GET //b.example/x HTTP/1.1",
        "GET /http://b.example/ HTTP/1.1", "GET /\xc3\xbc HTTP/1.1", "GET /@b.example HTTP/1.1"})
    expect_passes(request(line));
  expect_passes(with("Empty:\r\nBlank: \t \r\nLatin: \xfc\r\nTab: a\tb\r\n!#$%&'*+-.^_`|~: x\r\n"));
  expect_passes(with("Connection: close\r\nTE: trailers\r\nExpect: 100-continue\r\n"));
  expect_passes("GET / HTTP/1.1\r\nhOsT:A.Example\r\n\r\n");
  expect_passes("GET / HTTP/1.1\r\nHost: \t a.example:80 \t\r\n\r\n");
  HttpJudge judge("A.example", 80);
  EXPECT_EQ(feed(judge, kGet).passed, kGet);
  EXPECT_EQ(judge.shown(), "a.example");
}

TEST(Http, RequestsForAnotherHostAreRefused) {
  for (const char* host : {"b.example", "a.example.", "a.example.b", "xa.example", "b.example:80",
                           "10.0.0.1", "[::1]", "www.a.example"})
    expect_refused("GET / HTTP/1.1\r\nHost: "s + host + "\r\n\r\n", "");
  expect_refused("GET / HTTP/1.1\r\nHost: b.example\r\n\r\n", "for b.example, not for a.example");
  for (const char* host : {"",
                           "a.example:",
                           "a.example:080",
                           "a.example:0",
                           "a.example:65536",
                           "a.example:8x",
                           "a.example:80:80",
                           "a.example, b.example",
                           "a.example b.example",
                           "u@a.example",
                           "a.example/",
                           "a.example#",
                           "a.example\\b",
                           "http://a.example",
                           "127.1",
                           "[a.example]",
                           "[::1",
                           "[::1]x",
                           "[]",
                           "[fe80::1%25eth0]",
                           "a_b.example",
                           "*",
                           "a..example"})
    expect_refused("GET / HTTP/1.1\r\nHost: "s + host + "\r\n\r\n", "none");
  expect_refused("GET / HTTP/1.1\r\nHost: a.example:81\r\n\r\n", "port 81, not for 80");
  HttpJudge judge("a.example", 80);
  feed(judge, "GET / HTTP/1.1\r\nHost: B.example:8\r\n\r\n");
  EXPECT_EQ(judge.shown(), "b.example");
  EXPECT_EQ(judge.judge(kGet).kind, Kind::refuse);
}

TEST(Http, ThePortIsThatOfTheConnection) {
  expect_passes("GET / HTTP/1.1\r\nHost: a.example:8080\r\n\r\n", 8080);
  expect_passes("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", 8080);
  expect_passes("GET http://a.example:8080/ HTTP/1.1\r\nHost: a.example\r\n\r\n", 8080);
  expect_refused("GET / HTTP/1.1\r\nHost: a.example:80\r\n\r\n", "port 80", 8080);
  expect_refused("GET http://a.example:80/ HTTP/1.1\r\nHost: a.example\r\n\r\n", "port 80", 8080);
}

TEST(Http, OneHostIsNamed) {
  expect_refused("GET / HTTP/1.1\r\n\r\n", "no Host");
  expect_refused("GET / HTTP/1.0\r\n\r\n", "no Host");
  expect_refused("GET http://a.example/ HTTP/1.1\r\n\r\n", "no Host");
  for (const char* second : {"Host: a.example", "Host: b.example", "host: a.example", "HOST:"})
    expect_refused(with(second + "\r\n"s), second == "HOST:"s ? "" : "two Host");
  for (const char* hidden : {"Host : b.example", " Host: b.example", "\tHost: b.example",
                             "Host\t: b.example", "Host", ": b.example", "Ho st: b.example"})
    expect_refused(with(hidden + "\r\n"s), "header");
  expect_refused("GET / HTTP/1.1\r\n Host: b.example\r\nHost: a.example\r\n\r\n", "second line");
  expect_refused("GET / HTTP/1.1\r\nHost: a.example\r\n b.example\r\n\r\n", "second line");
  expect_refused("GET / HTTP/1.1\r\nHost:\r\n a.example\r\n\r\n", "");
}

TEST(Http, TargetsOfOtherFormsAreRefused) {
  for (const char* line :
       {"GET http://b.example/ HTTP/1.1", "GET http://a.example:81/ HTTP/1.1",
        "GET http://a.example@b.example/ HTTP/1.1", "GET http://u:p@a.example/ HTTP/1.1",
        "GET http://b.example\\@a.example/ HTTP/1.1", "GET http:///x HTTP/1.1",
        "GET http://?x HTTP/1.1", "GET http://a.example./ HTTP/1.1", "GET http:/x HTTP/1.1",
        "GET https://a.example/ HTTP/1.1", "GET ftp://a.example/ HTTP/1.1", "GET * HTTP/1.1",
        "GET a.example HTTP/1.1", "GET a.example:80 HTTP/1.1", "OPTIONS ** HTTP/1.1",
        "GET /#x HTTP/1.1", "GET ?x HTTP/1.1", "GET \\\\b.example HTTP/1.1"})
    expect_refused(request(line), "the request");
  for (const char* line : {"CONNECT a.example:80 HTTP/1.1", "CONNECT / HTTP/1.1"})
    expect_refused(request(line), "tunnel");
}

TEST(Http, RequestLinesOfOtherFormsAreRefused) {
  for (const char* line :
       {"GET /", "GET", "GET  / HTTP/1.1", "GET /  HTTP/1.1", "GET / HTTP/1.1 ", " GET / HTTP/1.1",
        "GET\t/\tHTTP/1.1", "GET / x HTTP/1.1", "GET / HTTP/1.2", "GET / HTTP/0.9",
        "GET / HTTP/1.1x", "GET / http/1.1", "GET / HTTP/11", "GET / HTTP/3", "G(T / HTTP/1.1",
        "GET@ / HTTP/1.1", "\x16\x03\x01", "SSH-2.0-x", "HTTP/1.1 200 OK"})
    expect_refused(request(line), "");
  expect_refused(request(std::string(33, 'A') + " / HTTP/1.1"), "does not begin");
  expect_refused("\r\n" + kGet, "does not begin");
  expect_refused("\n" + kGet, "does not begin");
  expect_refused("\0"s + kGet, "does not begin");
  expect_refused("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/2");
  // What is no request is told so at once.
  EXPECT_EQ(fed("\x16").last, Kind::refuse);
}

TEST(Http, LinesEndInOneWay) {
  for (size_t at = 0; at < kGet.size(); at++) {
    if (kGet[at] != '\r' && kGet[at] != '\n') continue;
    std::string missing = kGet, doubled = kGet;
    missing.erase(at, 1);
    doubled.insert(at, 1, kGet[at]);
    Fed outcome = fed(missing + kGet);
    EXPECT_EQ(outcome.last, Kind::refuse) << missing;
    EXPECT_EQ(fed(doubled + kGet).last, Kind::refuse) << doubled;
  }
  for (size_t at = 0; at <= kGet.size() - 2; at++) {
    for (char c : {'\r', '\n', '\0', '\x01', '\x0b', '\x0c', '\x7f', '\x1b'}) {
      std::string wrong = kGet;
      wrong.insert(at, 1, c);
      Fed outcome = fed(wrong + kGet);
      EXPECT_EQ(outcome.last, Kind::refuse) << at << " " << int{c};
      EXPECT_EQ(outcome.passed, "") << at << " " << int{c};
    }
  }
}

TEST(Http, HeadsAreBounded) {
  std::string start = "GET / HTTP/1.1\r\nHost: a.example\r\nA: ";
  std::string most = start + std::string(65536 - start.size() - 4, 'x') + "\r\n\r\n";
  for (size_t slice : {size_t{1}, size_t{1000}, most.size()}) {
    HttpJudge judge("a.example", 80);
    Fed outcome = feed(judge, most, slice);
    EXPECT_EQ(outcome.passed, most) << outcome.why;
    EXPECT_LE(outcome.most_waiting, HttpJudge::kMostWaiting);
  }
  most.insert(start.size(), 1, 'x');
  expect_refused(most, "64 KB");
  expect_refused(std::string(70000, 'A'), "64 KB");
  std::string fields;
  for (int i = 0; i < 199; i++)
    fields += "A: b\r\n";
  expect_passes(with(fields));
  expect_refused(with(fields + "A: b\r\n"), "200 headers");
}

TEST(Http, CutAtEveryByteWaitsAndThenPasses) {
  std::string bytes = kGet + with("Content-Length: 5\r\n", "POST / HTTP/1.1") + "GET /" +
                      with("Transfer-Encoding: chunked\r\n", "PUT / HTTP/1.1") +
                      "5\r\nHost:\r\n0B\r\n\r\n\r\nGET /\r\n\r\n0\r\nX: y\r\n\r\n" + kGet;
  HttpJudge whole("a.example", 80);
  Fed all = feed(whole, bytes);
  EXPECT_EQ(all.passed, bytes) << all.why;
  for (size_t cut = 0; cut <= bytes.size(); cut++) {
    HttpJudge judge("a.example", 80);
    Feeder feeder(judge);
    feeder.feed(bytes.substr(0, cut));
    EXPECT_NE(feeder.fed().last, Kind::refuse) << cut << feeder.fed().why;
    feeder.feed(bytes.substr(cut));
    EXPECT_EQ(feeder.fed().verdict(), all.verdict()) << cut;
  }
  for (size_t slice = 1; slice < 40; slice++) {
    HttpJudge judge("a.example", 80);
    EXPECT_EQ(feed(judge, bytes, slice).verdict(), all.verdict()) << slice;
  }
}

TEST(Http, EveryRequestIsChecked) {
  const std::string bodies[] = {"", "Content-Length: 0\r\n", "Content-Length: 3\r\n",
                                "Transfer-Encoding: chunked\r\n"};
  const std::string data[] = {"", "", "abc", "3\r\nabc\r\n0\r\n\r\n"};
  std::string other = "GET / HTTP/1.1\r\nHost: b.example\r\n\r\n";
  for (size_t i = 0; i < std::size(bodies); i++) {
    std::string first = with(bodies[i], "POST / HTTP/1.1") + data[i];
    for (int repeat = 1; repeat < 4; repeat++) {
      std::string good;
      for (int j = 0; j < repeat; j++)
        good += first;
      expect_passes(good);
      for (size_t slice : {1u, 3u, 10000u}) {
        HttpJudge judge("a.example", 80);
        Fed outcome = feed(judge, good + other + kGet, slice);
        EXPECT_EQ(outcome.last, Kind::refuse);
        EXPECT_EQ(outcome.passed, good);
      }
    }
  }
}

TEST(Http, BodiesHaveOneLength) {
  for (const char* length : {"", "x", "-1", "+1", "1 ", "1,1", "1, 1", "0x1", "1e3", "1.0", "\"1\"",
                             "1000000000000000000", "18446744073709551616"}) {
    std::string bytes = with("Content-Length: "s + length + "\r\n", "POST / HTTP/1.1");
    if (length == "1 "s) {
      EXPECT_EQ(fed(bytes).owed, 1u);  // blanks around a value are none of it
    } else {
      expect_refused(bytes, "Content-Length");
    }
  }
  for (const char* coding : {"", "Chunked", "chunked, chunked", "gzip, chunked", "identity",
                             "xchunked", "chunked;q=1", "\"chunked\"", "chunked,", "chunked\tx",
                             "\x0b"
                             "chunked"})
    expect_refused(with("Transfer-Encoding: "s + coding + "\r\n", "POST / HTTP/1.1"), "");
  std::string length = "Content-Length: 1\r\n", chunked = "Transfer-Encoding: chunked\r\n";
  expect_refused(with(length + length), "two Content-Length");
  expect_refused(with(chunked + chunked), "two Transfer-Encoding");
  expect_refused(with(length + chunked), "both");
  expect_refused(with(chunked + length), "both");
  expect_refused(with(chunked, "POST / HTTP/1.0"), "HTTP/1.0");
  for (const char* name : {"Content_Length", "Transfer_Encoding", "content_length"})
    expect_refused(with(name + ": 1\r\n"s), "disguise");
  Fed outcome = fed(with("Content-Length: 00000999999999999\r\n", "POST / HTTP/1.1") + "abc");
  EXPECT_EQ(outcome.last, Kind::pass);
  EXPECT_EQ(outcome.owed, 999999999999u - 3);
}

TEST(Http, ChunksAreFollowed) {
  std::string head = with("Transfer-Encoding: chunked\r\n", "POST / HTTP/1.1");
  for (const char* body :
       {"0\r\n\r\n", "000\r\n\r\n", "1\r\na\r\n0\r\n\r\n", "a\r\n0123456789\r\n0\r\n\r\n",
        "A\r\n0123456789\r\n1\r\nx\r\n0\r\nX-Sum: 1\r\nY: 2\r\n\r\n"}) {
    expect_passes(head + body);
    expect_passes(head + body + kGet);
    Fed outcome = fed(head + body + "GET / HTTP/1.1\r\nHost: b.example\r\n\r\n");
    EXPECT_EQ(outcome.passed, head + body);
    EXPECT_EQ(outcome.last, Kind::refuse);
  }
  const std::pair<std::string, const char*> wrong[] = {
      {"\r\n", "without a size"},
      {"x\r\n", "without a size"},
      {"-1\r\n", "without a size"},
      {" 1\r\na\r\n", "without a size"},
      {"0x1\r\na\r\n", "more than a size"},
      {"1 \r\na\r\n", "more than a size"},
      {"1;x=y\r\na\r\n", "more than a size"},
      {"1\na\r\n", "more than a size"},
      {"1\ra\r\n", "more than a size"},
      {"1\r\nab\r\n", "longer than"},
      {"1\r\na\n0\r\n\r\n", "longer than"},
      {"1\r\na\r0\r\n\r\n", "longer than"},
      {"1000000000000000\r\n", "too long"},
      {"0000000000000000\r\n", "too long"},
      {"0\r\nHost: a.example\r\n\r\n", "belongs before"},
      {"0\r\nContent-Length: 1\r\n\r\n", "belongs before"},
      {"0\r\ntransfer-encoding: chunked\r\n\r\n", "belongs before"},
      {"0\r\nUpgrade: websocket\r\n\r\n", "belongs before"},
      {"0\r\nContent_Length: 1\r\n\r\n", "disguise"},
      {"0\r\nX: y\r\n z\r\n\r\n", "second line"},
      {"0\r\nX : y\r\n\r\n", "malformed"},
      {"0\r\nX: y\n\r\n", "CR LF"},
      {"0\r\n\n", "CR LF"},
      {"0\r\n" + std::string(65537, 'x'), "64 KB"},
  };
  for (const auto& [body, why] : wrong) {
    for (size_t slice : {size_t{1}, size_t{100000}}) {
      HttpJudge judge("a.example", 80);
      Fed outcome = feed(judge, head + body + kGet, slice);
      EXPECT_EQ(outcome.last, Kind::refuse) << body;
      EXPECT_NE(outcome.why.find(why), std::string::npos) << body << ": " << outcome.why;
      EXPECT_LT(outcome.passed.size(), head.size() + body.size()) << body;
    }
  }
}

TEST(Http, RequestsToAnAddressNameOneHost) {
  for (const char* host : {"a.example", "10.0.0.1", "[fd00::1]", "a.example:8080", "localhost"}) {
    std::string one = "GET / HTTP/1.1\r\nHost: "s + host + "\r\n\r\n";
    HttpJudge judge("", 8080);
    Fed outcome = feed(judge, one + one);
    EXPECT_EQ(outcome.passed, one + one) << outcome.why;
    EXPECT_EQ(judge.shown(), host[0] == '[' ? "fd00::1" : std::string(host, strcspn(host, ":")));
    outcome = fed(one + "GET / HTTP/1.1\r\nHost: c.example\r\n\r\n", 8080, "");
    EXPECT_EQ(outcome.passed, one);
    EXPECT_EQ(outcome.last, Kind::refuse);
    outcome = fed("GET http://c.example/ HTTP/1.1\r\nHost: "s + host + "\r\n\r\n", 8080, "");
    EXPECT_EQ(outcome.last, Kind::refuse);
  }
  expect_refused("GET / HTTP/1.1\r\nHost: a.example:81\r\n\r\n", "port", 8080, "");
  expect_refused("GET / HTTP/1.1\r\nHost: 127.1\r\n\r\n", "none", 80, "");
  expect_passes("GET http://b.example/ HTTP/1.1\r\nHost: B.example\r\n\r\n", 80, "");
}

TEST(Http, ThatLostBytesIsRefused) {
  HttpJudge judge("a.example", 80);
  EXPECT_EQ(judge.judge(kGet.substr(0, 20)).kind, Kind::wait);
  EXPECT_EQ(judge.judge(kGet.substr(0, 3)).kind, Kind::refuse);
}

}  // namespace ringwall::net
