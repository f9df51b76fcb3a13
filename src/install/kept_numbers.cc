#include "install/kept_numbers.h"

#include <vector>

#include "base/readable_json.h"

namespace ringwall::install {
namespace {

bool is_of_a_number(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

// As they are written. The text is JSON.
std::vector<std::string_view> numbers_of(std::string_view text) {
  std::vector<std::string_view> numbers;
  for (size_t at = 0; at < text.size(); at++) {
    if (text[at] == '"') {
      for (at++; at < text.size() && text[at] != '"'; at++)
        at += text[at] == '\\' ? 1 : 0;
    } else if (text[at] == '-' || (text[at] >= '0' && text[at] <= '9')) {
      size_t from = at;
      while (at < text.size() && is_of_a_number(text[at]))
        at++;
      numbers.push_back(text.substr(from, at - from));
      at--;
    }
  }
  return numbers;
}

}  // namespace

std::string number_that_would_change(std::string_view text, const boost::json::object& parsed) {
  std::string written = readable_json(parsed);
  std::vector<std::string_view> before = numbers_of(text), after = numbers_of(written);
  for (size_t i = 0; i < before.size(); i++) {
    if (i >= after.size() || before[i] != after[i]) return std::string(before[i]);
  }
  return "";
}

}  // namespace ringwall::install
