// Finds the rows of a table by a program's name. A row names several programs in one text, "cat tac
// nl"; the index over all names is made while compiling.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ringwall::shell {

struct NameEntry {
  std::string_view name;
  uint16_t row = 0;
};

// Shorter names first: of most names the length alone tells that they are others.
constexpr bool is_before(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

constexpr size_t count_names(std::string_view names) {
  size_t count = 0;
  for (size_t i = 0; i < names.size(); i++)
    count += names[i] != ' ' && (i == 0 || names[i - 1] == ' ') ? 1 : 0;
  return count;
}

// `Names` takes a row and gives its text of names.
template <const auto& Rows, auto Names>
consteval auto make_name_index() {
  constexpr size_t kCount = [] {
    size_t count = 0;
    for (const auto& row : Rows)
      count += count_names(Names(row));
    return count;
  }();
  std::array<NameEntry, kCount> index{};
  size_t next = 0;
  for (size_t i = 0; i < Rows.size(); i++) {
    std::string_view names = Names(Rows[i]);
    while (!names.empty()) {
      std::string_view name = names.substr(0, names.find(' '));
      if (!name.empty()) index[next++] = {name, static_cast<uint16_t>(i)};
      names.remove_prefix(std::min(name.size() + 1, names.size()));
    }
  }
  std::ranges::sort(index, [](const NameEntry& a, const NameEntry& b) {
    return a.name != b.name ? is_before(a.name, b.name) : a.row < b.row;
  });
  return index;
}

constexpr std::span<const NameEntry> entries_named(std::span<const NameEntry> index,
                                                   std::string_view name) {
  auto found = std::ranges::equal_range(index, name, is_before, &NameEntry::name);
  return {found.begin(), found.end()};
}

}  // namespace ringwall::shell
