#include "risk/decayed_sum.h"

#include <algorithm>

namespace ringwall::risk {
namespace {

constexpr uint64_t kOne = 1 << 16;            // a weight of 1
constexpr uint64_t kStep = 4'245'635'389;     // 2^32 / 2^(1/60)
constexpr uint64_t kMostAtOnce = 1ull << 36;  // far beyond what makes a difference

// 2^16 / 2^(age/60), made of whole numbers so that every machine has the same.
template <size_t kCount>
constexpr std::array<uint64_t, kCount> make_weights() {
  std::array<uint64_t, kCount> weights{};
  uint64_t exact = kOne << 15;
  for (size_t age = 0; age < kCount; age++) {
    if (age > 0 && age % 60 == 0) exact = (kOne << 15) >> (age / 60);
    weights[age] = exact >> 15;
    exact = (exact * kStep) >> 32;
  }
  return weights;
}

constexpr auto kWeights = make_weights<480>();

// Wide enough for all windows, however full.
using Wide = unsigned __int128;

Wide weigh(uint64_t thousandths, int64_t age) {
  if (age < 0) age = 0;
  if (age >= static_cast<int64_t>(kWeights.size())) return 0;
  return Wide{thousandths} * kWeights[static_cast<size_t>(age)];
}

}  // namespace

int64_t DecayedSum::add(int64_t at, uint64_t thousandths) {
  int64_t window = std::max(at, int64_t{0}) / window_;
  first_ = std::min(first_, std::max(window, latest_));
  // Windows that fell out of the ring make room for new ones.
  int64_t gone = std::min(window - latest_, kWindows);
  for (int64_t i = 1; i <= gone; i++)
    added_[static_cast<size_t>((latest_ + i) % kWindows)] = 0;
  latest_ = std::max(latest_, window);
  added_[static_cast<size_t>(latest_ % kWindows)] += std::min(thousandths, kMostAtOnce);
  return latest_;
}

void DecayedSum::take_back(int64_t window, uint64_t thousandths) {
  if (latest_ - window >= kWindows) return;  // it is gone already
  added_[static_cast<size_t>(window % kWindows)] -= std::min(thousandths, kMostAtOnce);
}

uint64_t DecayedSum::look(int64_t at) const {
  int64_t window = std::max(std::max(at, int64_t{0}) / window_, latest_);
  Wide sum = 0;
  for (int64_t i = 0; i < kWindows; i++) {
    int64_t number = latest_ - i;
    if (number < first_) break;
    sum += weigh(added_[static_cast<size_t>(number % kWindows)], window - number);
  }
  return static_cast<uint64_t>(std::min<Wide>(sum / kOne, UINT64_MAX));
}

uint64_t DecayedSum::left_of(uint64_t thousandths, int64_t added, int64_t at) const {
  Wide left = weigh(std::min(thousandths, kMostAtOnce), at / window_ - added / window_);
  return static_cast<uint64_t>(left / kOne);
}

}  // namespace ringwall::risk
