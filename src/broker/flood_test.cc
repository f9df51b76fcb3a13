#include "broker/flood.h"

#include <gtest/gtest.h>

namespace ringwall::broker {
namespace {

constexpr int64_t kMillisecond = 1'000'000;

bool is_on(Flood& flood, size_t events, int64_t now) {
  flood.note(events);
  return flood.is_on(now);
}

int64_t begin_flood(Flood& flood) {
  int64_t now = 0;
  while (!is_on(flood, 1, now))
    now += 10'000;
  return now;
}

TEST(Flood, WakesNowAndThenAreNone) {
  Flood flood;
  for (int i = 0; i < 100; i++)
    EXPECT_FALSE(is_on(flood, 1, i * kMillisecond));
}

TEST(Flood, ManyWakesAreOneAsLongAsNapsBringSeveral) {
  Flood flood;
  int64_t now = begin_flood(flood);
  EXPECT_EQ(now, 12 * 10'000);
  for (int i = 0; i < 100; i++)
    EXPECT_TRUE(is_on(flood, 3, now += kMillisecond));
}

TEST(Flood, SomeNapsThatBringLittleEndIt) {
  Flood flood;
  int64_t now = begin_flood(flood);
  int naps = 0;
  while (is_on(flood, 1, now += kMillisecond))
    naps++;
  EXPECT_EQ(naps, 8);
}

}  // namespace
}  // namespace ringwall::broker
