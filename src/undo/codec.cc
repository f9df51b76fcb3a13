#include "undo/codec.h"

#include <cstring>

#include "base/sha256.h"

namespace ringwall::undo {
namespace {

Digest digest_of(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes.data(), bytes.size());
  return hash.finish();
}

}  // namespace

void Encoder::number(uint64_t value) {
  while (value >= 0x80) {
    bytes_ += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  bytes_ += static_cast<char>(value);
}

void Encoder::text(std::string_view text) {
  number(text.size());
  bytes_ += text;
}

void Encoder::digest(const Digest& digest) {
  bytes_.append(reinterpret_cast<const char*>(digest.bytes.data()), digest.bytes.size());
}

void Encoder::attributes(const changes::Attributes& attributes) {
  number(attributes.size());
  for (const auto& [name, value] : attributes) {
    text(name);
    text(value);
  }
}

std::string Encoder::finish() {
  digest(digest_of(bytes_));
  return std::move(bytes_);
}

Result<Decoder> Decoder::open(std::string_view bytes, std::string_view kind) {
  constexpr size_t kDigest = sizeof(Digest::bytes);
  if (!bytes.starts_with(kind) || bytes.size() < kind.size() + kDigest)
    return fail("it is damaged, or of another version");
  std::string_view content = bytes.substr(0, bytes.size() - kDigest);
  Digest expected = digest_of(content);
  if (memcmp(expected.bytes.data(), bytes.data() + content.size(), kDigest) != 0)
    return fail("it is damaged: its digest does not fit");
  return Decoder(content.substr(kind.size()));
}

uint64_t Decoder::number() {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (rest_.empty()) break;
    auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  is_torn_ = true;
  return 0;
}

std::string_view Decoder::text() {
  uint64_t size = number();
  if (size > rest_.size()) {
    is_torn_ = true;
    return {};
  }
  std::string_view text = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return text;
}

Digest Decoder::digest() {
  Digest digest;
  if (rest_.size() < digest.bytes.size()) {
    is_torn_ = true;
    return digest;
  }
  memcpy(digest.bytes.data(), rest_.data(), digest.bytes.size());
  rest_.remove_prefix(digest.bytes.size());
  return digest;
}

changes::Attributes Decoder::attributes() {
  changes::Attributes found;
  for (size_t left = count(); left > 0 && !is_torn_; left--) {
    std::string name(text());
    found.emplace_back(std::move(name), text());
  }
  return found;
}

size_t Decoder::count() {
  uint64_t count = number();
  if (count <= rest_.size()) return count;
  is_torn_ = true;
  return 0;
}

Status Decoder::finish() const {
  if (is_torn_ || !rest_.empty()) return fail("it is damaged: its parts do not fit");
  return {};
}

}  // namespace ringwall::undo
