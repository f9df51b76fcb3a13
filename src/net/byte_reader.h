// Reads numbers and runs of bytes out of a message that a stranger made. A read beyond the end
// gives zeros and nothing, and is remembered: who reads on can do no harm and asks once, at the
// end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ringwall::net {

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  uint8_t u8() { return static_cast<uint8_t>(number(1)); }
  uint16_t u16() { return static_cast<uint16_t>(number(2)); }
  uint32_t u24() { return number(3); }
  uint32_t u32() { return number(4); }

  std::string_view take(size_t length) {
    if (length > left()) {
      at_ = bytes_.size();
      failed_ = true;
      return {};
    }
    std::string_view run = bytes_.substr(at_, length);
    at_ += length;
    return run;
  }

  size_t at() const { return at_; }
  size_t left() const { return bytes_.size() - at_; }
  bool failed() const { return failed_; }
  // Everything was there, and nothing is left.
  bool is_whole() const { return !failed_ && left() == 0; }

 private:
  uint32_t number(size_t length) {
    uint32_t value = 0;
    for (char byte : take(length))
      value = value << 8 | static_cast<uint8_t>(byte);
    return value;
  }

  std::string_view bytes_;
  size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace ringwall::net
