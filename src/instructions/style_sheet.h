// What a page says of the look of its elements, in its style sheets and in each tag.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace ringwall::instructions {

// What the <style> elements of a text say of classes, ids and elements.
class StyleSheet {
 public:
  explicit StyleSheet(std::string_view text);

  // An opening tag, from "<" to ">": by this sheet, its own style, its attributes, or a class that
  // hides in the sheets of everybody.
  bool hides(std::string_view tag) const;

 private:
  void read(std::string_view sheet);

  std::set<std::string, std::less<>> hiding_;  // ".class", "#id", "element"
};

}  // namespace ringwall::instructions
