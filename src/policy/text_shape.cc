#include "policy/text_shape.h"

namespace ringwall::policy {
namespace {

constexpr int kMostDots = 8;  // "limits.cpu = 1.5" has two

class Line {
 public:
  Line(std::string_view text, uint32_t number) : text_(text), number_(number) {}

  Misshape check() {
    if (text_.ends_with('\r')) text_.remove_suffix(1);
    for (size_t i = 0; i < text_.size(); i++) {
      if (is_control(i)) return at(i, "holds a control character", "write it as an escape");
    }
    int dots = 0;
    for (size_t i = 0; i < text_.size(); i++) {
      char c = text_[i];
      if (c == '#') return {};
      if (c == '"' || c == '\'') {
        if (text_.substr(i, 3) == std::string_view(c == '"' ? "\"\"\"" : "'''"))
          return at(i, "has a string over several lines", "write it in one");
        i = end_of_string(i);
      }
      if (c == '.' && ++dots > kMostDots)
        return at(i, "has a key of too many parts", "a key is a section and a name: files.read");
    }
    return {};
  }

 private:
  // What the library takes for the end of a line counts too: U+0085, U+2028, U+2029.
  bool is_control(size_t i) const {
    auto c = static_cast<unsigned char>(text_[i]);
    if ((c < 0x20 && c != '\t') || c == 0x7f) return true;
    std::string_view rest = text_.substr(i);
    return rest.starts_with("\xc2\x85") || rest.starts_with("\xe2\x80\xa8") ||
           rest.starts_with("\xe2\x80\xa9");
  }

  // The closing quote; the last character if there is none, which the library will refuse.
  size_t end_of_string(size_t start) const {
    char quote = text_[start];
    for (size_t i = start + 1; i < text_.size(); i++) {
      if (text_[i] == '\\' && quote == '"') {
        i++;
      } else if (text_[i] == quote) {
        return i;
      }
    }
    return text_.size() - 1;
  }

  Misshape at(size_t i, const char* what, const char* hint) const {
    return {what, hint, number_, static_cast<uint32_t>(i + 1)};
  }

  std::string_view text_;
  uint32_t number_;
};

}  // namespace

Misshape find_misshape(std::string_view toml) {
  uint32_t number = 1;
  if (toml.starts_with("\xef\xbb\xbf")) toml.remove_prefix(3);
  while (true) {
    size_t end = toml.find('\n');
    Misshape found = Line(toml.substr(0, end), number).check();
    if (found.what != nullptr || end == std::string_view::npos) return found;
    toml.remove_prefix(end + 1);
    number++;
  }
}

}  // namespace ringwall::policy
