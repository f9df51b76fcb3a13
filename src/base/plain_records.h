// Records that are kept between runs as they lie in memory: lists of them in one file, with a
// checksum. The file is of this machine and this version; whoever reads one checks both, and that
// what the records say of each other is sound.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ringwall::records {

template <class T>
concept Plain = std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>;

template <Plain T>
std::string_view bytes_of(const std::vector<T>& list) {
  return {reinterpret_cast<const char*>(list.data()), list.size() * sizeof(T)};
}

template <Plain T>
void append(std::string& bytes, const std::vector<T>& list) {
  bytes += bytes_of(list);
}

// Takes `count` of them off the front: there are as many.
template <Plain T>
std::vector<T> take(std::string_view& bytes, size_t count) {
  std::vector<T> list(count);
  if (count > 0) memcpy(list.data(), bytes.data(), count * sizeof(T));
  bytes.remove_prefix(count * sizeof(T));
  return list;
}

// Tells damage, not intent: the file lies where nobody else can write. Of bytes in several places,
// each with the sum of those before.
uint64_t checksum(std::string_view bytes, uint64_t before = 0);

}  // namespace ringwall::records
