// Offers to speak something else on the connection, and what the server makes of them.
#include "net/http_judge_testing.h"

namespace ringwall::net {

TEST(Http, OffersThatHideNamesAreCrossedOut) {
  for (const char* field : {"Upgrade: h2c", "Upgrade: H2C", "Upgrade: websocket, h2c", "upgrade:h2",
                            "Upgrade: TLS/1.2", "Upgrade: HTTP/2.0", "HTTP2-Settings: AAMAAABk"}) {
    std::string whole = with(field + "\r\n"s), wanted = whole;
    size_t length = strcspn(field, ":");
    wanted.replace(wanted.find(field), length, length, 'X');
    for (size_t slice : {size_t{1}, size_t{100000}}) {
      HttpJudge judge("a.example", 80);
      Fed outcome = feed(judge, kGet + whole + whole + kGet, slice);
      EXPECT_EQ(outcome.passed, kGet + wanted + wanted + kGet) << field << outcome.why;
      EXPECT_FALSE(judge.awaits_switch());
    }
    // A body and what follows it stay as they are.
    std::string chunked =
        with("Transfer-Encoding: chunked\r\n"s + field + "\r\n", "POST / HTTP/1.1");
    std::string body = "2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n";
    Fed posted = fed(chunked + body);
    EXPECT_EQ(posted.passed.substr(posted.passed.size() - body.size()), body) << posted.why;
    // What it would have gone on with is judged as what it is.
    HttpJudge judge("a.example", 80);
    EXPECT_EQ(feed(judge, whole + "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").last, Kind::refuse);
  }
}

TEST(Http, AnOfferBesideAnotherSwitchIsCrossedOutAlone) {
  HttpJudge judge("a.example", 80);
  Fed outcome = feed(judge, with("Upgrade: h2c\r\nUpgrade: websocket\r\n"));
  EXPECT_EQ(outcome.passed, with("XXXXXXX: h2c\r\nUpgrade: websocket\r\n"));
  EXPECT_TRUE(judge.awaits_switch());
}

TEST(Http, SwitchesThatCannotBeReadAreRefused) {
  for (const char* field : {"Http2_Settings: x", "Upgrade:", "Upgrade: websocket,",
                            "Upgrade: x: h2c", "Upgrade: x h2c", "Upgrade: a;b"})
    expect_refused(with(field + "\r\n"s), "");
}

TEST(Http, ASwitchWaitsForTheServer) {
  HttpJudge judge("a.example", 80);
  Feeder feeder(judge);
  EXPECT_FALSE(judge.awaits_switch());
  judge.take_status(101);  // to nothing that was asked
  feeder.feed(kSwitch);
  EXPECT_TRUE(judge.awaits_switch());
  EXPECT_EQ(feeder.fed().passed, kSwitch);
  feeder.feed("\x81\x05hello");
  EXPECT_EQ(feeder.fed().last, Kind::wait);
  judge.take_status(100);
  EXPECT_TRUE(judge.awaits_switch());
  judge.take_status(101);
  EXPECT_FALSE(judge.awaits_switch());
  feeder.look();
  EXPECT_EQ(feeder.fed().last, Kind::pass_all);
  EXPECT_EQ(feeder.fed().passed, kSwitch + "\x81\x05hello");
}

TEST(Http, ASwitchThatIsDeclinedGoesOnAsBefore) {
  for (int status : {200, 400, 426, 500}) {
    HttpJudge judge("a.example", 80);
    Feeder feeder(judge);
    feeder.feed(kSwitch + kGet + "GET / HTTP/1.1\r\nHost: b.example\r\n\r\n");
    EXPECT_EQ(feeder.fed().passed, kSwitch);
    judge.take_status(status);
    feeder.look();
    EXPECT_EQ(feeder.fed().passed, kSwitch + kGet);
    EXPECT_EQ(feeder.fed().last, Kind::refuse);
    judge.take_status(101);
    EXPECT_EQ(judge.judge(kGet).kind, Kind::refuse);
  }
}

TEST(Http, OnlyTheFirstRequestMaySwitch) {
  Fed outcome = fed(kGet + kSwitch);
  EXPECT_EQ(outcome.last, Kind::refuse);
  EXPECT_EQ(outcome.passed, kGet);
  // Its body goes first.
  HttpJudge judge("a.example", 80);
  std::string bytes = with("Upgrade: tcp\r\nTransfer-Encoding: chunked\r\n", "POST / HTTP/1.1");
  Feeder feeder(judge);
  feeder.feed(bytes + "2\r\n{}\r\n");
  EXPECT_FALSE(judge.awaits_switch());
  feeder.feed("0\r\n\r\n");
  EXPECT_TRUE(judge.awaits_switch());
}

}  // namespace ringwall::net
