// A SHA-256 as 32 bytes: what a file is known by, whatever its name.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace ringwall {

struct Digest {
  std::array<uint8_t, 32> bytes = {};

  auto operator<=>(const Digest&) const = default;

  std::string hex() const;
  // 64 hexadecimal digits, small or capital.
  static std::optional<Digest> parse(std::string_view hex);
};

// For unordered sets: any eight bytes of a digest are as good as others.
struct DigestHash {
  size_t operator()(const Digest& digest) const {
    size_t value;
    memcpy(&value, digest.bytes.data(), sizeof value);
    return value;
  }
};

}  // namespace ringwall
