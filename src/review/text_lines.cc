#include "review/text_lines.h"

#include <algorithm>

namespace ringwall::review {

TextLines::TextLines(std::string_view text) {
  ends_with_newline_ = text.empty() || text.ends_with('\n');
  while (!text.empty()) {
    size_t end = text.find('\n');
    lines_.push_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  numbers_.resize(lines_.size());
}

LineNumbers::LineNumbers(std::initializer_list<std::string_view> texts) {
  struct Place {
    std::string_view line;
    bool is_open;  // the last one, without a newline: another line than the same with one
    uint32_t* number;
  };
  texts_.reserve(texts.size());
  for (std::string_view text : texts)
    texts_.emplace_back(text);
  std::vector<Place> places;
  for (TextLines& text : texts_) {
    for (size_t i = 0; i < text.size(); i++)
      places.push_back(
          {text.lines_[i], i + 1 == text.size() && !text.ends_with_newline_, &text.numbers_[i]});
  }
  // Sorted, not hashed: who wrote the lines cannot make this slow.
  auto key = [](const Place& place) { return std::pair(place.line, place.is_open); };
  std::ranges::sort(places, {}, key);
  uint32_t number = 0;
  for (size_t i = 0; i < places.size(); i++) {
    if (i > 0 && key(places[i]) != key(places[i - 1])) number++;
    *places[i].number = number;
  }
}

}  // namespace ringwall::review
