#include "terminal/history.h"

#include <algorithm>
#include <cstring>

namespace ringwall::terminal {
namespace {

// Where a tail of output can begin: behind a line, at an escape, else at a character.
size_t good_start(std::string_view tail) {
  size_t found = tail.find_first_of("\n\x1b");
  if (found != tail.npos) return tail[found] == '\n' ? found + 1 : found;
  auto goes_on = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  return static_cast<size_t>(std::find_if_not(tail.begin(), tail.end(), goes_on) - tail.begin());
}

}  // namespace

History::History(size_t capacity)
    : capacity_(std::max<size_t>(capacity, 1)),
      ring_(std::make_unique_for_overwrite<char[]>(capacity_)) {}

void History::clear() {
  end_ = 0;
  rest_count_ = 0;
}

void History::append(std::string_view bytes, bool ends_at_rest) {
  if (bytes.size() > capacity_) {
    // Only its tail has room. What was before is overwritten whole.
    std::string_view tail = bytes.substr(bytes.size() - capacity_);
    rest_count_ = 0;
    end_ += bytes.size() - capacity_;
    uint64_t start = end_ + good_start(tail);
    copy(tail);
    if (start < end_) note_rest(start);
  } else {
    copy(bytes);
  }
  if (ends_at_rest) note_rest(end_);
}

void History::copy(std::string_view bytes) {
  size_t at = static_cast<size_t>(end_ % capacity_);
  size_t first = std::min(bytes.size(), capacity_ - at);
  memcpy(ring_.get() + at, bytes.data(), first);
  memcpy(ring_.get(), bytes.data() + first, bytes.size() - first);
  end_ += bytes.size();
}

void History::note_rest(uint64_t at) {
  uint64_t last = rest_count_ == 0 ? 0 : rests_[(rest_count_ - 1) % kMostRests];
  if (rest_count_ > 0 && at - last < capacity_ / kMostRests) return;
  rests_[rest_count_++ % kMostRests] = at;
}

uint64_t History::beginning() const {
  if (end_ <= capacity_) return 0;
  uint64_t oldest = end_ - capacity_;
  uint64_t first = rest_count_ > kMostRests ? rest_count_ - kMostRests : 0;
  for (uint64_t i = first; i < rest_count_; i++) {
    if (rests_[i % kMostRests] >= oldest) return rests_[i % kMostRests];
  }
  return end_;
}

std::string_view History::piece_at(uint64_t from) const {
  size_t at = static_cast<size_t>(from % capacity_);
  return {ring_.get() + at, std::min<size_t>(static_cast<size_t>(end_ - from), capacity_ - at)};
}

}  // namespace ringwall::terminal
