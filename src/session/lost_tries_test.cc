#include "session/lost_tries.h"

#include <gtest/gtest.h>

#include <string>

namespace ringwall::session {
namespace {

std::string counters(const char* ip, const char* udp) {
  return "Ip: Forwarding InReceives OutNoRoutes ReasmTimeout\nIp: 2 61 " + std::string(ip) +
         " 0\nIcmp: InMsgs\nIcmp: 4\nUdp: InDatagrams NoPorts InErrors\nUdp: 3 " + udp +
         " 0\nUdpLite: InDatagrams NoPorts\nUdpLite: 0 7\n";
}

}  // namespace

TEST(LostTries, AreWhatHadNowhereToGo) {
  EXPECT_FALSE(shows_lost_tries(counters("0", "0")));
  EXPECT_TRUE(shows_lost_tries(counters("1", "0")));
  EXPECT_TRUE(shows_lost_tries(counters("0", "12")));
  EXPECT_FALSE(shows_lost_tries("Ip6OutNoRoutes                  \t0\nUdp6NoPorts  \t0\n"));
  EXPECT_TRUE(shows_lost_tries("Ip6InReceives \t9\nIp6OutNoRoutes                  \t10\n"));
  EXPECT_TRUE(shows_lost_tries("Udp6NoPorts \t1\n"));
}

TEST(LostTries, AreNoneWhereNothingIsSaid) {
  for (const char* said :
       {"", "Ip:", "Ip: OutNoRoutes\n", "Ip: A OutNoRoutes\nIp: 1\n", "Udp: x\nUdp: y\n"})
    EXPECT_FALSE(shows_lost_tries(said)) << said;
  LostTries nobodys;
  EXPECT_FALSE(nobodys.were_made());
  nobodys.watch(-1);
  EXPECT_FALSE(nobodys.were_made());
}

}  // namespace ringwall::session
