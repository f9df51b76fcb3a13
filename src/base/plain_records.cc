#include "base/plain_records.h"

namespace ringwall::records {

uint64_t checksum(std::string_view bytes, uint64_t before) {
  uint64_t sum = bytes.size() ^ before;
  auto mix = [&](uint64_t word) {
    sum = (sum ^ word) * 0x9e3779b97f4a7c15;
    sum ^= sum >> 29;
  };
  while (bytes.size() >= 8) {
    uint64_t word;
    memcpy(&word, bytes.data(), 8);
    mix(word);
    bytes.remove_prefix(8);
  }
  uint64_t rest = 0;
  if (!bytes.empty()) memcpy(&rest, bytes.data(), bytes.size());
  mix(rest);
  return sum;
}

}  // namespace ringwall::records
