// A shell text with nothing left but its structure: operators and reserved words stay, what stands
// between them becomes an x. So the grammar never sees what words are made of, which this room
// reads itself, and how long they are costs it nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringwall::shell {

// More words, or operators between them, nobody writes.
constexpr size_t kMostWords = 16 * 1024;
constexpr size_t kMostOperators = 32 * 1024;

struct Skeleton {
  std::string text;
  std::vector<uint32_t> places;  // where each byte of it begins in the whole text, and the end
  bool is_whole = true;          // false: there is more than anybody writes, and this is nothing
};

// `text` has blanks in place of here-documents.
Skeleton skeleton_of(std::string_view text);

// Behind the [[ … ]] or (( … )) at `at`; `at` if there is none.
size_t end_of_test(std::string_view text, size_t at);

}  // namespace ringwall::shell
