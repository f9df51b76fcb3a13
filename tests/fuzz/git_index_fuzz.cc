// Fuzz target: git's index, as a layer of a review or a workspace may hold it. Whatever the bytes,
// the same index is described the same, one of which only the beginning is there by nothing, and
// what is described has no entries but those that were read.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "git/index_file.h"
#include "git/index_path.h"

using ringwall::git::describe_index;
using ringwall::git::IndexEntry;

namespace {

constexpr size_t kLongest = 4096;

// A path is judged the same as a whole and from where its last component begins, and never holds a
// component that every file system takes for another folder.
ringwall::Status check_entry(const IndexEntry& entry) {
  std::string_view path = entry.path;
  if (path.size() > kLongest || path.find('\0') != path.npos) abort();
  bool is_fine = ringwall::git::is_index_path(path, entry.mode);
  if (is_fine && (path.starts_with('/') || path.find("../") == 0 || path.starts_with(".git/")))
    abort();
  if (is_fine &&
      !ringwall::git::is_index_path(path, entry.mode, path.rfind('/', path.size() - 2) + 1))
    abort();
  return {};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (size_t id_size : {20, 32})
    (void)ringwall::git::read_index(bytes, id_size, check_entry);
  auto described = describe_index(bytes);
  if (!described) return 0;
  auto again = describe_index(bytes);
  if (!again || *again != *described) abort();
  if (describe_index(bytes.substr(0, 11)).has_value()) abort();
  return 0;
}
