// The last of what a terminal has shown, so that its screen can be made again. Appending copies
// each byte once and allocates nothing: all output goes through here.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace ringwall::terminal {

class History {
 public:
  static constexpr size_t kUsualCapacity = 1 << 20;

  explicit History(size_t capacity = kUsualCapacity);

  // `ends_at_rest`: no character or sequence is cut after these bytes, so what is appended next can
  // stand at the beginning.
  void append(std::string_view bytes, bool ends_at_rest);
  void clear();
  bool empty() const { return end_ == 0; }

  // What is left, in order and in few pieces. Where the oldest was dropped it begins at rest; empty
  // if there is no such place.
  template <class Function>
  void for_each(Function function) const {
    uint64_t from = beginning();
    while (from < end_) {
      std::string_view piece = piece_at(from);
      function(piece);
      from += piece.size();
    }
  }

 private:
  // Counted in bytes since the start; `at % capacity_` is the place in the ring.
  uint64_t beginning() const;
  std::string_view piece_at(uint64_t from) const;
  void copy(std::string_view bytes);
  void note_rest(uint64_t at);

  // Places at rest, the oldest overwritten. Not every one is noted, so that they reach as far back
  // as the ring does, however short the appended pieces are.
  static constexpr size_t kMostRests = 512;

  size_t capacity_;
  std::unique_ptr<char[]> ring_;
  uint64_t end_ = 0;
  std::array<uint64_t, kMostRests> rests_{};
  uint64_t rest_count_ = 0;
};

}  // namespace ringwall::terminal
