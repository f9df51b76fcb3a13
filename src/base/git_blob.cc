// As in sha256.cc: the plain calls are what is wanted.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "base/git_blob.h"

#include <openssl/sha.h>

#include "base/sha256.h"

namespace ringwall {

std::string git_blob_id(std::string_view content, size_t id_size) {
  std::string head = "blob " + std::to_string(content.size());
  if (id_size != SHA_DIGEST_LENGTH) {
    Sha256 hash;
    hash.add(head.c_str(), head.size() + 1);  // with the zero at its end
    hash.add(content.data(), content.size());
    Digest digest = hash.finish();
    return std::string(reinterpret_cast<const char*>(digest.bytes.data()), digest.bytes.size());
  }
  SHA_CTX hash;
  SHA1_Init(&hash);
  SHA1_Update(&hash, head.c_str(), head.size() + 1);
  SHA1_Update(&hash, content.data(), content.size());
  unsigned char id[SHA_DIGEST_LENGTH];
  SHA1_Final(id, &hash);
  return std::string(reinterpret_cast<const char*>(id), sizeof id);
}

}  // namespace ringwall
