// Rules for paths, found by one name that a path has to have to fit: of many only a few are tried.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text.h"
#include "gate/path_rule.h"

namespace ringwall::gate {

// Calls visit(part) for each part between the separators, until it returns true.
template <class Visit>
bool any_part(std::string_view text, char separator, Visit visit) {
  while (true) {
    size_t end = std::min(text.find(separator), text.size());
    if (end > 0 && visit(text.substr(0, end))) return true;
    if (end == text.size()) return false;
    text.remove_prefix(end + 1);
  }
}

// For look-ups that need no copy of the text.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

template <class Row>
class KeyedPaths {
 public:
  void add(std::string_view pattern, Row row) {
    std::string key = key_of(pattern);
    if (!key.empty()) bits_.set(bit_of(key));
    keys_[key].push_back(static_cast<uint32_t>(rows_.size()));
    rows_.push_back(std::move(row));
  }

  // Each row that could fit, and maybe some twice, in no order. Of a path with gaps that is every
  // one.
  template <class Visit>
  void visit(const NamedFile& file, Visit visitor) const {
    if (rows_.empty()) return;
    if (!file.is_known()) {
      for (const Row& row : rows_)
        visitor(row);
      return;
    }
    visit_key("", visitor);
    visit_names(file.path.text, visitor);
    if (file.target != file.path.text) visit_names(file.target, visitor);
  }

  // Each row, in the order in which they were added.
  const std::vector<Row>& all() const { return rows_; }

 private:
  // The last name without a wildcard.
  static std::string key_of(std::string_view pattern) {
    std::string key;
    any_part(pattern, '/', [&](std::string_view part) {
      bool is_plain = part != "~" && part != "." && part.find_first_of("*?[\\") == part.npos;
      if (is_plain) key = text::in_small_letters(part);
      return false;
    });
    return key;
  }

  template <class Visit>
  void visit_key(std::string_view key, Visit visitor) const {
    auto found = keys_.find(key);
    if (found == keys_.end()) return;
    for (uint32_t number : found->second)
      visitor(rows_[number]);
  }

  template <class Visit>
  void visit_names(std::string_view path, Visit visitor) const {
    std::string small = text::in_small_letters(path);
    any_part(small, '/', [&](std::string_view name) {
      if (bits_[bit_of(name)]) visit_key(name, visitor);
      return false;
    });
  }

  // Nearly every name of a path is told apart by its ends and length.
  static size_t bit_of(std::string_view name) {
    auto byte = [](char c) { return static_cast<size_t>(static_cast<unsigned char>(c)); };
    return (byte(name.front()) * 31 + byte(name.back()) * 7 + name.size()) % 512;
  }

  std::vector<Row> rows_;
  std::bitset<512> bits_;
  std::unordered_map<std::string, std::vector<uint32_t>, TextHash, std::equal_to<>> keys_;
};

}  // namespace ringwall::gate
