#include "desks/waiting_requests.h"

#include <gtest/gtest.h>

#include "base/fixed_message.h"

namespace ringwall::desks {
namespace {

net::Destination to(const char* name, uint16_t port) {
  net::Destination destination;
  fixed::put(destination.name, name);
  destination.port = port;
  return destination;
}

}  // namespace

TEST(WaitingRequests, ConnectionsToOnePlaceWaitTogether) {
  WaitingRequests waiting;
  uint64_t first = waiting.add(1, to("a.example", 443), 0, 100)->id;
  EXPECT_EQ(waiting.add(2, to("a.example", 443), 50, 100)->id, first);
  uint64_t other = waiting.add(3, to("a.example", 22), 60, 100)->id;
  EXPECT_NE(other, first);
  EXPECT_EQ(waiting.take(first)->connections, (std::vector<uint32_t>{1, 2}));
  EXPECT_FALSE(waiting.take(first));
  EXPECT_EQ(waiting.all().size(), 1u);
}

TEST(WaitingRequests, NothingWaitsForEver) {
  WaitingRequests waiting;
  EXPECT_EQ(waiting.next_deadline(), 0);
  waiting.add(1, to("a.example", 443), 0, 100);
  waiting.add(2, to("b.example", 443), 50, 100);
  EXPECT_EQ(waiting.next_deadline(), 100);
  EXPECT_FALSE(waiting.take_expired(99));
  EXPECT_EQ(waiting.take_expired(100)->connections, std::vector<uint32_t>{1});
  EXPECT_FALSE(waiting.take_expired(100));
}

TEST(WaitingRequests, WhoLeavesWaitsNoMore) {
  WaitingRequests waiting;
  uint64_t id = waiting.add(1, to("a.example", 443), 0, 100)->id;
  waiting.add(2, to("a.example", 443), 0, 100);
  EXPECT_FALSE(waiting.forget(3));
  EXPECT_FALSE(waiting.forget(1));
  EXPECT_EQ(waiting.all().size(), 1u);
  EXPECT_EQ(waiting.forget(2)->id, id);
  EXPECT_TRUE(waiting.all().empty());
}

TEST(WaitingRequests, WhoAsksAndLeavesAgainIsNotAskedForEver) {
  WaitingRequests waiting;
  size_t asked = 0;
  for (uint32_t i = 1; i <= 1000; i++) {
    if (waiting.add(i, to("a.example", static_cast<uint16_t>(i)), 5, 100)) asked++;
    waiting.forget(i);
  }
  EXPECT_EQ(asked, WaitingRequests::kMostInAMinute);
  EXPECT_TRUE(waiting.add(1, to("a.example", 1), 61'000'000'000, 100));  // a minute later
}

TEST(WaitingRequests, ANumberMeansOneThingInARun) {
  WaitingRequests waiting, others;
  EXPECT_NE(waiting.add(1, to("a.example", 443), 0, 100)->id,
            others.add(1, to("a.example", 443), 0, 100)->id);
}

TEST(WaitingRequests, NotEverythingCanWait) {
  WaitingRequests waiting;
  for (uint32_t i = 0; i < WaitingRequests::kMost; i++)
    EXPECT_TRUE(waiting.add(i, to("a.example", static_cast<uint16_t>(1000 + i)), 0, 100));
  EXPECT_FALSE(waiting.add(99, to("b.example", 1), 0, 100));
  EXPECT_TRUE(waiting.add(99, to("a.example", 1000), 0, 100));
}

}  // namespace ringwall::desks
