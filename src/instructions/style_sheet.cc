#include "instructions/style_sheet.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "instructions/character_reference.h"
#include "instructions/invisible_style.h"

namespace ringwall::instructions {
namespace {

constexpr size_t kMostSheets = 16;
constexpr size_t kLongestSheet = 1 << 18;
constexpr size_t kMostRules = 2000;
constexpr std::string_view kBlanks = " \t\n\r";

// Names that the sheets of half the web give to what only screen readers are to read.
constexpr std::string_view kHidingClasses[] = {"hidden", "sr-only", "visually-hidden"};

// An opening tag, read as browsers do, in small letters.
class Tag {
 public:
  explicit Tag(std::string_view tag) : small_(text::in_small_letters(tag)) {
    rest_ = small_;
    rest_.remove_prefix(1);
    if (rest_.ends_with('>')) rest_.remove_suffix(1);
    element_ = take_until(" \t\n\r/");
    while (skip(" \t\n\r/"), !rest_.empty())
      take_attribute();
  }

  std::string_view element() const { return element_; }

  bool has(std::string_view name) const { return attributes_.contains(name); }

  // Empty: there is none.
  std::string value_of(std::string_view name) const {
    auto found = attributes_.find(name);
    return found == attributes_.end() ? std::string() : with_references_resolved(found->second);
  }

 private:
  void take_attribute() {
    std::string_view begin = rest_.substr(0, 1);  // an "=" there belongs to the name
    rest_.remove_prefix(1);
    std::string_view name(begin.data(), 1 + take_until(" \t\n\r/=").size());
    skip(kBlanks);
    std::string_view value;
    if (rest_.starts_with('=')) {
      rest_.remove_prefix(1);
      skip(kBlanks);
      value = take_value();
    }
    attributes_.emplace(name, value);  // of two with one name the first counts
  }

  std::string_view take_value() {
    if (!rest_.starts_with('"') && !rest_.starts_with('\'')) return take_until(kBlanks);
    std::string_view quote = rest_.substr(0, 1);
    rest_.remove_prefix(1);
    std::string_view value = take_until(quote);
    if (!rest_.empty()) rest_.remove_prefix(1);
    return value;
  }

  std::string_view take_until(std::string_view ends) {
    std::string_view taken = rest_.substr(0, rest_.find_first_of(ends));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  void skip(std::string_view all) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(all), rest_.size()));
  }

  std::string small_;
  std::string_view rest_;  // not read yet
  std::string_view element_;
  std::map<std::string_view, std::string_view> attributes_;
};

}  // namespace

StyleSheet::StyleSheet(std::string_view text) {
  size_t sheets = 0;
  for (std::string_view open : {"<style", "<STYLE", "<Style"}) {
    for (size_t at = text.find(open); at != std::string_view::npos && sheets < kMostSheets;
         at = text.find(open, at + 1)) {
      size_t from = text.find('>', at);
      if (from == std::string_view::npos) break;
      std::string_view rest = text.substr(from + 1, kLongestSheet);
      read(rest.substr(0, rest.find("</")));
      sheets++;
    }
  }
}

void StyleSheet::read(std::string_view sheet) {
  std::string css = resolve_css(sheet);
  size_t at = 0;
  for (size_t rules = 0; rules < kMostRules; rules++) {
    size_t open = css.find('{', at);
    size_t close = css.find('}', at);
    if (open == std::string::npos || close == std::string::npos) return;
    if (close < open) {  // the end of an @media
      at = close + 1;
      continue;
    }
    std::string_view selectors = std::string_view(css).substr(at, open - at);
    at = open + 1;
    if (selectors.contains('@')) continue;  // the rules within are read as any other
    if (hides_text(std::string_view(css).substr(open + 1, close - open - 1))) {
      for (std::string_view one : text::split_in_place(selectors, ',')) {
        one = text::trim(one);
        one.remove_prefix(one.find_last_of(" >+~\n\t") + 1);
        size_t sign = one.find_first_of(".#");
        if (sign != std::string_view::npos) one.remove_prefix(sign);
        if (!one.empty() && !one.contains(':')) hiding_.insert(std::string(one));
      }
    }
    at = close + 1;
  }
}

bool StyleSheet::hides(std::string_view opening) const {
  Tag tag(opening);
  if (tag.element() == "template" || hiding_.contains(tag.element()) || tag.has("hidden"))
    return true;
  if (!opening.contains('=')) return false;
  if (hides_text(tag.value_of("style")) || is_invisible_colour(tag.value_of("color"))) return true;
  std::string classes = tag.value_of("class");
  for (std::string_view one : text::split_in_place(classes, ' ')) {
    bool hides_everywhere = std::ranges::find(kHidingClasses, one) != std::end(kHidingClasses);
    if (hides_everywhere || hiding_.contains("." + std::string(one))) return true;
  }
  return !hiding_.empty() && hiding_.contains("#" + tag.value_of("id"));
}

}  // namespace ringwall::instructions
