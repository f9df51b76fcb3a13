#include "net/low_water.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fd.h"

namespace ringwall::net {
namespace {

constexpr uint64_t kMuch = 2 << 20;
int64_t time_now = 0;
int64_t now() { return time_now; }

// Both ends of a connection over loopback.
struct Line {
  Fd from, to;

  Line() : from(::socket(AF_INET, SOCK_STREAM, 0)) {
    Fd listener(::socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof here;
    auto* address = reinterpret_cast<sockaddr*>(&here);
    EXPECT_EQ(bind(listener.get(), address, size), 0);
    EXPECT_EQ(listen(listener.get(), 1), 0);
    EXPECT_EQ(getsockname(listener.get(), address, &size), 0);
    EXPECT_EQ(connect(from.get(), address, size), 0);
    to = Fd(accept(listener.get(), nullptr, nullptr));
  }

  bool wakes_reader() const {
    pollfd waits{to.get(), POLLIN, 0};
    return poll(&waits, 1, 50) == 1;
  }
};

TEST(LowWater, IsHighWhileAStreamIsFast) {
  Line line;
  LowWater mark;
  time_now = 1'000'000'000;
  mark.note(line.to.get(), kMuch, now);
  EXPECT_FALSE(mark.is_high());  // since when, nobody knows
  time_now += 1'000'000;
  mark.note(line.to.get(), kMuch / 2, now);
  EXPECT_FALSE(mark.is_high());
  mark.note(line.to.get(), kMuch / 2, now);
  EXPECT_TRUE(mark.is_high());
  time_now += 100'000'000;
  mark.note(line.to.get(), kMuch, now);
  EXPECT_FALSE(mark.is_high());
}

TEST(LowWater, LoweredItWakesForWhatIsThere) {
  Line line;
  LowWater mark;
  time_now += 1'000'000'000;
  mark.note(line.to.get(), kMuch, now);
  mark.note(line.to.get(), kMuch, now);
  ASSERT_TRUE(mark.is_high());
  ASSERT_EQ(send(line.from.get(), "rest", 4, 0), 4);
  EXPECT_FALSE(line.wakes_reader());
  mark.lower(line.to.get());
  EXPECT_TRUE(line.wakes_reader());
  // One fast piece alone does not raise it again.
  mark.note(line.to.get(), kMuch, now);
  EXPECT_FALSE(mark.is_high());
}

TEST(LowWater, TheEndWakesAtOnce) {
  Line line;
  LowWater mark;
  time_now += 1'000'000'000;
  mark.note(line.to.get(), kMuch, now);
  mark.note(line.to.get(), kMuch, now);
  ASSERT_TRUE(mark.is_high());
  shutdown(line.from.get(), SHUT_WR);
  EXPECT_TRUE(line.wakes_reader());
}

}  // namespace
}  // namespace ringwall::net
