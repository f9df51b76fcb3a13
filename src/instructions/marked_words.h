// The words of a text that instructions could be made of, as a reader takes them: whatever alphabet
// they borrow letters from, whatever stands invisibly between these, and with blanks between all of
// them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringwall::instructions {

struct MarkedWord {
  uint64_t classes = 0;
  uint32_t at = 0, end = 0;  // bytes of the text
  uint32_t number = 0;       // among all words
  uint32_t sentence = 0;
  bool starts_line = false;
  bool disguised = false;  // spelled with letters of other scripts, digits, or hidden characters
  char behind = ' ';       // the character that ends it
};

struct MarkedText {
  std::vector<MarkedWord> words;
  // Words whose letters stand apart ("i g n o r e"), joined, and where they began.
  std::vector<std::pair<uint32_t, std::string>> spaced;
};

MarkedText mark_words(std::string_view text);

}  // namespace ringwall::instructions
