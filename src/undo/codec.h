// The bytes of the store's own files: numbers of variable length, texts with their length before
// them, and at the end a digest of everything, so that damage is seen before anything is believed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/result.h"
#include "changes/attributes.h"

namespace ringwall::undo {

class Encoder {
 public:
  explicit Encoder(std::string_view kind) : bytes_(kind) {}

  void number(uint64_t value);
  void signed_number(int64_t value) { number(static_cast<uint64_t>(value)); }
  void text(std::string_view text);
  void digest(const Digest& digest);
  void attributes(const changes::Attributes& attributes);
  // Once.
  std::string finish();

 private:
  std::string bytes_;
};

// Whoever reads beyond the end gets zeros, and is told of it in the end.
class Decoder {
 public:
  // Checks the kind and the digest. `bytes` must outlive it.
  static Result<Decoder> open(std::string_view bytes, std::string_view kind);

  uint64_t number();
  int64_t signed_number() { return static_cast<int64_t>(number()); }
  std::string_view text();
  Digest digest();
  changes::Attributes attributes();
  // A count of things of which each takes at least one byte: never more than there are bytes.
  size_t count();

  bool is_torn() const { return is_torn_; }
  // That everything was there, and nothing besides.
  Status finish() const;

 private:
  explicit Decoder(std::string_view rest) : rest_(rest) {}

  std::string_view rest_;
  bool is_torn_ = false;
};

}  // namespace ringwall::undo
