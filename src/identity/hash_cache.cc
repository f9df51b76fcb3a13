#include "identity/hash_cache.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "base/file.h"
#include "base/path.h"
#include "base/sha256.h"

namespace ringwall::identity {
namespace {

constexpr uint64_t kMagic = 0x3168736168777201;  // changes with the layout
// Beyond this it is begun anew: files come and go, and nothing tells when the last one went.
constexpr size_t kMostEntries = 400'000;
constexpr size_t kDigest = sizeof(Digest);

Digest digest_of(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes.data(), bytes.size());
  return hash.finish();
}

}  // namespace

HashCache HashCache::read(const std::string& path) {
  struct stat facts;
  if (stat(path.c_str(), &facts) < 0) return {};
  auto bytes = file::read(path, 2 * kMostEntries * sizeof(Entry));
  if (bytes) return parse(*bytes);
  HashCache damaged;
  damaged.damaged_ = true;
  return damaged;
}

HashCache HashCache::parse(std::string_view bytes) {
  HashCache damaged;
  damaged.damaged_ = true;
  uint64_t magic = 0;
  if (bytes.size() < kDigest + sizeof magic) return damaged;
  Digest said;
  memcpy(&said, bytes.data(), kDigest);
  bytes.remove_prefix(kDigest);
  if (digest_of(bytes) != said) return damaged;
  memcpy(&magic, bytes.data(), sizeof magic);
  bytes.remove_prefix(sizeof magic);
  if (magic != kMagic) return {};  // of another version
  if (bytes.size() % sizeof(Entry) != 0) return damaged;
  HashCache cache;
  cache.known_.resize(bytes.size() / sizeof(Entry));
  memcpy(cache.known_.data(), bytes.data(), bytes.size());
  return std::is_sorted(cache.known_.begin(), cache.known_.end()) ? cache : damaged;
}

const Digest* HashCache::find(const FileKey& key) const {
  auto at = std::lower_bound(known_.begin(), known_.end(), key,
                             [](const Entry& entry, const FileKey& k) { return entry.key < k; });
  if (at != known_.end() && at->key == key) return &at->digest;
  for (const Entry& entry : added_) {
    if (entry.key == key) return &entry.digest;
  }
  return nullptr;
}

std::optional<uint64_t> HashCache::size_of(const Digest& digest) const {
  for (const std::vector<Entry>* list : {&known_, &added_}) {
    for (const Entry& entry : *list) {
      if (entry.digest == digest) return entry.key.size;
    }
  }
  return std::nullopt;
}

void HashCache::add(const FileKey& key, const Digest& digest) {
  if (!moment_.is_settled(key.ctime)) return;
  added_.push_back({key, digest});
  constexpr size_t kMany = 256;  // find() looks through these one by one
  if (added_.size() >= kMany) {
    settle();
    changed_ = true;
  }
}

void HashCache::settle() {
  // An inode that was used again has one key only: the latest.
  std::sort(added_.begin(), added_.end());
  size_t middle = known_.size();
  known_.insert(known_.end(), added_.begin(), added_.end());
  std::inplace_merge(known_.begin(), known_.begin() + static_cast<ptrdiff_t>(middle), known_.end());
  known_.erase(std::unique(known_.begin(), known_.end()), known_.end());
  added_.clear();
}

std::string HashCache::serialize() {
  settle();
  if (known_.size() > kMostEntries) known_.clear();
  std::string bytes(reinterpret_cast<const char*>(&kMagic), sizeof kMagic);
  bytes.append(reinterpret_cast<const char*>(known_.data()), known_.size() * sizeof(Entry));
  Digest digest = digest_of(bytes);
  return std::string(reinterpret_cast<const char*>(&digest), kDigest) + bytes;
}

Status HashCache::write(const std::string& path) {
  TRY_ASSIGN(Fd folder, file::make_dirs(path::parent(path)));
  TRY(file::replace_at(folder.get(), std::string(path::basename(path)), serialize()));
  changed_ = false;
  return {};
}

}  // namespace ringwall::identity
