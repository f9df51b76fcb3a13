// Texts as lines, and equal lines of several texts as equal numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ringwall::review {

class TextLines {
 public:
  explicit TextLines(std::string_view text);

  size_t size() const { return lines_.size(); }
  std::string_view line(size_t at) const { return lines_[at]; }  // without its end
  bool ends_with_newline() const { return ends_with_newline_; }
  std::span<const uint32_t> numbers() const { return numbers_; }

 private:
  friend class LineNumbers;
  std::vector<std::string_view> lines_;
  std::vector<uint32_t> numbers_;
  bool ends_with_newline_ = true;
};

class LineNumbers {
 public:
  explicit LineNumbers(std::initializer_list<std::string_view> texts);
  const TextLines& text(size_t which) const { return texts_[which]; }

 private:
  std::vector<TextLines> texts_;
};

}  // namespace ringwall::review
