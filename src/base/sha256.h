// SHA-256, to know bytes again: of a text in one call, of a file piece by piece.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/digest.h"

namespace ringwall {

// 64 hexadecimal digits.
std::string sha256(std::string_view data);

class Sha256 {
 public:
  Sha256();
  void add(const void* data, size_t size);
  // Once.
  Digest finish();

 private:
  // libcrypto's state, not shown here so that its headers stay in one file.
  alignas(8) std::byte state_[112];
};

}  // namespace ringwall
