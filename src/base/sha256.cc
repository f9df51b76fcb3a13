// The plain SHA256_* calls are marked as deprecated for the sake of providers that are loaded at
// run time. They are what is wanted here: linked statically they are 20 KB, use the processor's
// own instructions, and need nothing set up at start.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "base/sha256.h"

#include <openssl/sha.h>

namespace ringwall {
namespace {

SHA256_CTX* context(std::byte* state) { return reinterpret_cast<SHA256_CTX*>(state); }

}  // namespace

Sha256::Sha256() {
  static_assert(sizeof state_ >= sizeof(SHA256_CTX) && alignof(SHA256_CTX) <= 8);
  SHA256_Init(context(state_));
}

void Sha256::add(const void* data, size_t size) { SHA256_Update(context(state_), data, size); }

Digest Sha256::finish() {
  Digest digest;
  SHA256_Final(digest.bytes.data(), context(state_));
  return digest;
}

std::string sha256(std::string_view data) {
  Sha256 hash;
  hash.add(data.data(), data.size());
  return hash.finish().hex();
}

}  // namespace ringwall
