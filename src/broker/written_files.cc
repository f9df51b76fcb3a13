#include "broker/written_files.h"

#include <algorithm>

#include "base/clock.h"
#include "base/read_lease.h"

namespace ringwall::broker {
namespace {

constexpr int64_t kRest = 10'000'000;  // nanoseconds between two rounds
constexpr int64_t kSlice = 1'000'000;  // of one go: plants are more urgent

}  // namespace

bool is_open_for_writing(int file) { return file::probe_writers(file) == file::Writers::some; }

void WrittenFiles::meet(int number, int file) {
  if (is_open_for_writing(file)) numbers_.insert(number);
}

void WrittenFiles::opened(int number) {
  const TreeWatch::Place* place = watch_.place_of(number);
  if (place == nullptr || numbers_.contains(number)) return;
  auto file = watch_.open_unheard(number, trees_[place->tree].folder.get());
  if (file) meet(number, file.get());
}

int WrittenFiles::wait_time(int longest) const {
  if (numbers_.empty()) return longest;
  int64_t left = std::max<int64_t>(next_ - clock::monotonic(), 0);
  int wait = static_cast<int>((left + 999'999) / 1'000'000);
  return longest < 0 ? wait : std::min(wait, longest);
}

void WrittenFiles::work(std::vector<Culprit>& culprits) {
  int64_t now = clock::monotonic();
  if (numbers_.empty() || now < next_) return;
  for (int64_t until = now + kSlice; now < until; now = clock::monotonic()) {
    auto at = numbers_.upper_bound(last_);
    if (at == numbers_.end()) {
      last_ = -1;
      next_ = now + kRest;
      return;
    }
    last_ = *at;
    look(last_, culprits);
  }
}

// Whether it is open still is asked first: what was written before it was closed is seen.
void WrittenFiles::look(int number, std::vector<Culprit>& culprits) {
  const TreeWatch::Place* place = watch_.place_of(number);
  auto file =
      place != nullptr ? watch_.open_unheard(number, trees_[place->tree].folder.get()) : Fd();
  if (!file || !is_open_for_writing(file.get())) numbers_.erase(number);
  if (place == nullptr) return;
  size_t tree = place->tree;
  std::string path = place->path;  // looking at it may change what is known of places
  vetter_.note(tree, path, culprits);
}

}  // namespace ringwall::broker
