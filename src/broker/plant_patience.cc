#include "broker/plant_patience.h"

#include <time.h>

#include <algorithm>

#include "base/clock.h"

namespace ringwall::broker {
namespace {

constexpr int64_t kFirstPause = 1'000'000;  // nanoseconds
constexpr int64_t kLongestPause = 1'000'000'000;
constexpr int64_t kForgiveAfter = 10'000'000'000;  // without a plant
constexpr int kMostLongPauses = 3;
// In places that are new each time a plant is seen by whoever looks there, but what leads to them,
// a link for example, may be the same: so there is a pause, and an end, for these too.
constexpr int kMostDoublings = 10;
constexpr int kMostDoublingsElsewhere = 6;
constexpr int kMostStops = 1000;
constexpr size_t kMostPlaces = 65536;

}  // namespace

int PlantPatience::times_at(const std::string& place) {
  auto known = times_.find(place);
  if (known != times_.end()) return ++known->second;
  // Beyond, all are one place.
  return ++times_[times_.size() < kMostPlaces ? place : std::string()];
}

int64_t PlantPatience::pause_after(const std::set<std::string>& places, int64_t now) {
  if (now - last_ > kForgiveAfter) {
    times_.clear();
    stops_ = long_pauses_ = 0;
  }
  int doublings = std::min(stops_++, kMostDoublingsElsewhere);
  for (const std::string& place : places)
    doublings = std::max(doublings, std::min(times_at(place) - 1, kMostDoublings));
  int64_t pause = std::min(kFirstPause << doublings, kLongestPause);
  if (pause == kLongestPause) long_pauses_++;
  return pause;
}

void PlantPatience::sit_out(const std::set<std::string>& places) {
  int64_t pause = pause_after(places, clock::monotonic());
  timespec time{pause / 1'000'000'000, pause % 1'000'000'000};
  nanosleep(&time, nullptr);
  rest_until(clock::monotonic());
}

bool PlantPatience::is_over() const {
  return long_pauses_ >= kMostLongPauses || stops_ >= kMostStops;
}

}  // namespace ringwall::broker
