#include "broker/plant_patience.h"

#include <gtest/gtest.h>

namespace ringwall::broker {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kSecond = 1000 * kMillisecond;

TEST(PlantPatience, EndsWhoPlantsInTheSamePlaceAgain) {
  PlantPatience patience;
  int64_t now = 100 * kSecond;
  int stops = 0;
  int64_t last = 0;
  for (; stops < 100 && !patience.is_over(); stops++) {
    int64_t pause = patience.pause_after({"/w/.envrc"}, now);
    EXPECT_GE(pause, last);
    last = pause;
    now += pause;
    patience.rest_until(now);
  }
  EXPECT_EQ(stops, 13);
  EXPECT_EQ(last, kSecond);
}

TEST(PlantPatience, DoesNotEndWhoMakesManyPackages) {
  PlantPatience patience;
  int64_t now = 100 * kSecond, waited = 0;
  for (int package = 0; package < 300; package++) {
    // A tool tries again a few times.
    for (int i = 0; i < 3; i++) {
      int64_t pause = patience.pause_after({"/w/p" + std::to_string(package) + "/.vscode"}, now);
      EXPECT_LE(pause, 64 * kMillisecond);
      waited += pause;
      patience.rest_until(now += pause);
    }
  }
  EXPECT_FALSE(patience.is_over());
  EXPECT_GT(waited, 10 * kSecond);
}

TEST(PlantPatience, EndsWhoNeverStops) {
  PlantPatience patience;
  int64_t now = 100 * kSecond;
  int stops = 0;
  for (; stops < 5000 && !patience.is_over(); stops++)
    patience.rest_until(now += patience.pause_after({"/w/d" + std::to_string(stops)}, now));
  EXPECT_EQ(stops, 1000);
}

TEST(PlantPatience, OneOfManyPlacesThatComesAgainCounts) {
  PlantPatience patience;
  int64_t now = 100 * kSecond;
  int stops = 0;
  for (; stops < 100 && !patience.is_over(); stops++) {
    std::string other = "/w/d" + std::to_string(stops);
    patience.rest_until(now += patience.pause_after({other, "/w/z"}, now));
  }
  EXPECT_EQ(stops, 13);
}

TEST(PlantPatience, ForgivesAfterAWhile) {
  PlantPatience patience;
  int64_t now = 100 * kSecond;
  for (int i = 0; i < 12; i++)
    patience.rest_until(now += patience.pause_after({"/w/.envrc"}, now));
  EXPECT_FALSE(patience.is_over());
  EXPECT_EQ(patience.pause_after({"/w/.envrc"}, now + 11 * kSecond), kMillisecond);
  EXPECT_FALSE(patience.is_over());
}

TEST(PlantPatience, AFloodOfPlacesFillsNoMemory) {
  PlantPatience patience;
  int64_t now = 100 * kSecond;
  std::set<std::string> places;
  for (int i = 0; i < 70'000; i++)
    places.insert("/w/d" + std::to_string(i));
  patience.rest_until(now += patience.pause_after(places, now));
  // Those beyond are known as one.
  EXPECT_EQ(patience.pause_after({"/w/new"}, now), kSecond);
}

}  // namespace
}  // namespace ringwall::broker
