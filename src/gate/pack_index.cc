#include "gate/pack_index.h"

namespace ringwall::gate {
namespace {

// "git push|pull --force" → p
uint64_t first_letters_of(std::string_view spec) {
  size_t at = spec.find(' ');
  if (at == spec.npos) return 0;
  std::string_view token = spec.substr(at + 1, spec.find(' ', at + 1) - at - 1);
  uint64_t letters = 0;
  bool any = any_part(token, '|', [&](std::string_view word) {
    letters |= ProgramIndex::bit_of(word[0]);
    return !isalnum(static_cast<unsigned char>(word[0]));  // another kind of token, or a star
  });
  return any ? 0 : letters;
}

}  // namespace

ProgramIndex::ProgramIndex() {
  entries_.reserve(1536);
  for (uint16_t pack = 0; pack < packs().size(); pack++) {
    auto commands = packs()[pack].commands;
    for (uint16_t row = 0; row < commands.size(); row++)
      add(pack, row, commands[row].spec);
  }
}

void ProgramIndex::add(uint16_t pack, uint16_t row, std::string_view spec) {
  uint64_t first_letters = first_letters_of(spec);
  any_part(spec.substr(0, spec.find(' ')), '|', [&](std::string_view name) {
    entries_.push_back({name, pack, row, 0, first_letters});
    if (name.ends_with('*')) {
      starred_.push_back(static_cast<uint16_t>(entries_.size() - 1));
    } else {
      entries_.back().next = heads_[hash(name)];
      heads_[hash(name)] = static_cast<uint16_t>(entries_.size());
    }
    return false;
  });
}

const ProgramIndex& program_index() {
  static const ProgramIndex index;
  return index;
}

const KeyedPaths<IndexedPath>& path_index() {
  static const KeyedPaths<IndexedPath> index = [] {
    KeyedPaths<IndexedPath> out;
    for (uint16_t pack = 0; pack < packs().size(); pack++) {
      auto paths = packs()[pack].paths;
      for (uint16_t row = 0; row < paths.size(); row++)
        out.add(paths[row].pattern, {pack, row, PathRule::parse(paths[row].pattern, false)});
    }
    return out;
  }();
  return index;
}

}  // namespace ringwall::gate
