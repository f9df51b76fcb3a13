// Fuzz target: git's index, as a layer of a review may hold it. Whatever the bytes, the same index
// is described the same, and one of which only the beginning is there by nothing.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "changes/git_index.h"

using ringwall::changes::describe_index;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  auto described = describe_index(bytes);
  if (!described) return 0;
  auto again = describe_index(bytes);
  if (!again || *again != *described) abort();
  if (describe_index(bytes.substr(0, 11)).has_value()) abort();
  return 0;
}
