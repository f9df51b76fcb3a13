#include "instructions/hidden_regions.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "instructions/style_sheet.h"

namespace ringwall::instructions {
namespace {

constexpr size_t kLongestTag = 2048;
constexpr size_t kLongestRegion = 8192;
constexpr size_t kTellingAttribute = 40;  // shorter ones name things
constexpr size_t kFarRight = 120;         // blanks
constexpr size_t kFarBelow = 40;          // empty lines

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 0x20) : c; }

bool begins_with(std::string_view text, std::string_view small_letters) {
  if (text.size() < small_letters.size()) return false;
  for (size_t i = 0; i < small_letters.size(); i++) {
    if (small(text[i]) != small_letters[i]) return false;
  }
  return true;
}

bool is_letter(char c) { return small(c) >= 'a' && small(c) <= 'z'; }

class Finder {
 public:
  explicit Finder(std::string_view text) : text_(text), sheet_(text) {}

  std::vector<Region> find() {
    for (size_t at = 0; at < text_.size();) {
      size_t next = text_.find_first_of("<[! \n", at);
      if (next == std::string_view::npos) break;
      at = take(next);
    }
    return std::move(found_);
  }

 private:
  // Returns where to go on.
  size_t take(size_t at) {
    switch (text_[at]) {
      case '<':
        return take_tag(at);
      case '[':
        return take_reference(at);
      case '!':
        return take_image(at);
      case ' ':
        return take_blanks(at);
      default:
        return take_lines(at);
    }
  }

  void add(size_t from, size_t to, std::string_view kind) {
    if (to > from) found_.push_back({from, std::min(to, text_.size()), kind});
  }

  size_t take_tag(size_t at) {
    std::string_view rest = text_.substr(at);
    if (rest.starts_with("<!--")) {
      size_t end = rest.find("-->", 4);
      size_t size = end == rest.npos ? rest.size() : end + 3;
      add(at, at + size, "in an HTML comment");
      return at + size;
    }
    if (rest.size() < 2 || !is_letter(rest[1])) return at + 1;
    size_t end = rest.substr(0, kLongestTag).find('>');
    if (end == rest.npos) return at + 1;
    std::string_view tag = rest.substr(0, end + 1);
    if (sheet_.hides(tag)) return take_invisible(at, tag);
    add_attributes(at, tag);
    return at + tag.size();
  }

  size_t take_invisible(size_t at, std::string_view tag) {
    std::string close = "</";
    for (size_t i = 1; i < tag.size() && (is_letter(tag[i]) || (tag[i] >= '0' && tag[i] <= '9'));
         i++)
      close += small(tag[i]);
    std::string_view rest = text_.substr(at, kLongestRegion);
    size_t end = tag.size();
    while (end < rest.size() && !begins_with(rest.substr(end), close))
      end++;
    add(at, at + end, "in an element that is not shown");
    return at + end;
  }

  void add_attributes(size_t at, std::string_view tag) {
    for (std::string_view name : {"alt=", "title=", "aria-label=", "content=", "placeholder="}) {
      size_t found = tag.find(name);
      if (found == tag.npos || found + name.size() >= tag.size()) continue;
      size_t from = found + name.size() + 1;
      size_t to = std::min(tag.find(tag[from - 1], from), tag.size());
      if (to - from >= kTellingAttribute) add(at + from, at + to, "in an attribute");
    }
  }

  // "[//]: # (…)" renders to nothing.
  size_t take_reference(size_t at) {
    if (at > 0 && text_[at - 1] != '\n') return at + 1;
    size_t line_end = std::min(text_.find('\n', at), text_.size());
    std::string_view line = text_.substr(at, line_end - at);
    size_t close = line.find("]:");
    if (close == line.npos || close > 40) return at + 1;
    std::string_view target = text::trim(line.substr(close + 2));
    if (!target.starts_with('#') && !target.starts_with("<>")) return at + 1;
    add(at, line_end, "in a markdown comment");
    return line_end;
  }

  size_t take_image(size_t at) {
    if (!text_.substr(at).starts_with("![")) return at + 1;
    size_t close = text_.substr(at, kLongestTag).find("](");
    if (close == std::string_view::npos) return at + 2;
    if (close - 2 >= kTellingAttribute) add(at + 2, at + close, "in the name of an image");
    return at + close + 2;
  }

  size_t take_blanks(size_t at) {
    size_t end = std::min(text_.find_first_not_of(" \t", at), text_.size());
    if (end - at < kFarRight) return end;
    size_t line_end = std::min(text_.find('\n', end), text_.size());
    add(end, std::min(line_end, end + kLongestRegion), "far to the right");
    return std::min(line_end, end + kLongestRegion);
  }

  size_t take_lines(size_t at) {
    size_t end = at;
    size_t lines = 0;
    for (; end < text_.size() && std::string_view(" \t\r\n").find(text_[end]) != text_.npos; end++)
      lines += text_[end] == '\n';
    if (lines >= kFarBelow) {
      add(end, std::min(text_.size(), end + kLongestRegion), "far below");
      return std::min(text_.size(), end + kLongestRegion);
    }
    return at + 1;
  }

  std::string_view text_;
  StyleSheet sheet_;
  std::vector<Region> found_;
};

}  // namespace

std::vector<Region> find_hidden_regions(std::string_view text) { return Finder(text).find(); }

}  // namespace ringwall::instructions
