#include "identity/hash_cache.h"

#include <gtest/gtest.h>

namespace ringwall::identity {
namespace {

FileKey key(uint64_t inode) { return {1, inode, 1'000'000'001, 10}; }
Digest digest(uint8_t first) {
  Digest out;
  out.bytes[0] = first;
  return out;
}

TEST(HashCache, RemembersByTheWholeKey) {
  HashCache cache;
  for (uint64_t i = 0; i < 1000; i++)
    cache.add(key(i), digest(static_cast<uint8_t>(i)));
  HashCache again = HashCache::parse(cache.serialize());
  EXPECT_FALSE(again.is_damaged());
  EXPECT_EQ(again.size(), 1000u);
  ASSERT_NE(again.find(key(7)), nullptr);
  EXPECT_EQ(*again.find(key(7)), digest(7));
  FileKey other = key(7);
  other.ctime++;
  EXPECT_EQ(again.find(other), nullptr);
  other = key(7);
  other.size++;
  EXPECT_EQ(again.find(other), nullptr);
  EXPECT_EQ(again.size_of(digest(7)), 10u);
  EXPECT_FALSE(again.size_of(Digest::parse(std::string(64, 'f')).value()));
}

TEST(HashCache, DoesNotRememberWhatIsTooYoung) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  FileKey young = key(1);
  young.ctime = now.tv_sec * 1'000'000'000 + now.tv_nsec;
  HashCache cache;
  cache.add(young, digest(1));
  EXPECT_EQ(cache.find(young), nullptr);
}

TEST(HashCache, ThrowsAwayWhatWasChanged) {
  HashCache cache;
  cache.add(key(1), digest(1));
  cache.add(key(2), digest(2));
  std::string bytes = cache.serialize();
  for (size_t at : {size_t{0}, bytes.size() / 2, bytes.size() - 1}) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    HashCache read = HashCache::parse(changed);
    EXPECT_TRUE(read.is_damaged());
    EXPECT_EQ(read.size(), 0u);
  }
  EXPECT_TRUE(HashCache::parse(bytes.substr(0, bytes.size() - 1)).is_damaged());
  EXPECT_TRUE(HashCache::parse("").is_damaged());
}

}  // namespace
}  // namespace ringwall::identity
