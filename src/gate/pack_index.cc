#include "gate/pack_index.h"

namespace ringwall::gate {
ProgramIndex::ProgramIndex() {
  entries_.reserve(1536);
  for (uint16_t pack = 0; pack < packs().size(); pack++) {
    auto commands = packs()[pack].commands;
    for (uint16_t row = 0; row < commands.size(); row++)
      add(pack, row, commands[row].spec.substr(0, commands[row].spec.find(' ')));
  }
}

void ProgramIndex::add(uint16_t pack, uint16_t row, std::string_view names) {
  any_part(names, '|', [&](std::string_view name) {
    entries_.push_back({name, pack, row, 0});
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
