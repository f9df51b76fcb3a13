// Where the rows of the packs are found: by the name of a program, or by a name that a path has to
// have. Made when the first call needs it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gate/keyed_paths.h"
#include "gate/packs.h"
#include "gate/path_rule.h"

namespace ringwall::gate {

// Rows by the names of their programs.
class ProgramIndex {
 public:
  struct Entry {
    std::string_view name;
    uint16_t pack;
    uint16_t row;
    uint16_t next;  // in the same chain, counted from 1
    // Of the words that the row takes as the first operand; 0 if that may be any.
    uint64_t first_letters;
  };

  static uint64_t bit_of(char letter) { return uint64_t{1} << (letter & 63); }

  ProgramIndex();

  template <class Visit>
  void visit(std::string_view program, Visit visitor) const {
    for (uint16_t at = heads_[hash(program)]; at != 0; at = entries_[at - 1].next) {
      if (entries_[at - 1].name == program) visitor(entries_[at - 1]);
    }
    for (uint16_t at : starred_) {
      std::string_view name = entries_[at].name;
      if (program.starts_with(name.substr(0, name.size() - 1))) visitor(entries_[at]);
    }
  }

 private:
  static size_t hash(std::string_view name) {
    uint32_t value = 2166136261u;
    for (char c : name)
      value = (value ^ static_cast<unsigned char>(c)) * 16777619u;
    return value % 512;
  }

  void add(uint16_t pack, uint16_t row, std::string_view spec);

  std::vector<Entry> entries_;
  std::vector<uint16_t> starred_;
  std::array<uint16_t, 512> heads_{};
};

struct IndexedPath {
  uint16_t pack;
  uint16_t row;
  PathRule rule;
};

const ProgramIndex& program_index();
const KeyedPaths<IndexedPath>& path_index();

}  // namespace ringwall::gate
