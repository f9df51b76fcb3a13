#include "broker/late_links.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"

namespace ringwall::broker {
namespace {

constexpr int64_t kDelay = 200'000'000;  // nanoseconds

}  // namespace

void LateLinks::note(int folder) {
  if (folder == last_) return;  // mostly many come to one folder
  last_ = folder;
  if (folders_.empty()) due_ = clock::monotonic() + kDelay;
  folders_.insert(folder);
}

bool LateLinks::are_due() const { return !folders_.empty() && clock::monotonic() >= due_; }

int LateLinks::wait_time(int longest) const {
  if (folders_.empty()) return longest;
  int64_t left = std::max<int64_t>(due_ - clock::monotonic(), 0);
  int wait = static_cast<int>((left + 999'999) / 1'000'000);
  return longest < 0 ? wait : std::min(wait, longest);
}

void LateLinks::work(std::vector<Culprit>& culprits) {
  if (!are_due()) return;
  last_ = -1;
  for (int folder : std::exchange(folders_, {})) {
    const TreeWatch::Place* place = watch_.place_of(folder);
    if (place != nullptr && !place->is_file)
      vetter_.look_for_links(place->tree, std::string(place->path), culprits);
  }
}

}  // namespace ringwall::broker
