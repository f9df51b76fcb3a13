#include "hand/wanted_table.h"

#include <limits.h>

#include <algorithm>
#include <cstring>

namespace ringwall::hand {
namespace {

constexpr size_t kLongestProgram = 255;

struct Head {
  uint64_t used;  // bytes of records behind this
  uint64_t records;
  uint64_t left_off;
};

struct Record {
  uint64_t times;
  uint32_t wanted;
  uint16_t path;  // bytes behind this
  uint16_t program;
};

template <class Part>
Part get(std::string_view memory, size_t at) {
  Part part;
  memcpy(&part, memory.data() + at, sizeof part);
  return part;
}

template <class Part>
void put(std::span<char> memory, size_t at, const Part& part) {
  memcpy(memory.data() + at, &part, sizeof part);
}

}  // namespace

void WantedTable::add(Wanted wanted, std::string_view path, std::string_view program) {
  program = program.substr(0, kLongestProgram);
  std::string key = std::string(path) + '\0' + std::string(program) + static_cast<char>(wanted);
  std::string_view all(memory_.data(), memory_.size());
  auto known = places_.find(key);
  if (known != places_.end()) {
    auto record = get<Record>(all, known->second);
    record.times++;
    return put(memory_, known->second, record);
  }
  auto head = get<Head>(all, 0);
  size_t at = sizeof head + head.used;
  size_t length = sizeof(Record) + path.size() + program.size();
  if (head.records >= kMostWanted || at + length > kWantedBytes || path.size() >= PATH_MAX) {
    head.left_off++;
    return put(memory_, 0, head);
  }
  put(memory_, at,
      Record{1, static_cast<uint32_t>(wanted), static_cast<uint16_t>(path.size()),
             static_cast<uint16_t>(program.size())});
  memcpy(memory_.data() + at + sizeof(Record), path.data(), path.size());
  memcpy(memory_.data() + at + sizeof(Record) + path.size(), program.data(), program.size());
  head.used += length;
  head.records++;
  put(memory_, 0, head);
  places_.emplace(std::move(key), at);
}

Result<WantedPaths> read_wanted(std::string_view memory) {
  memory = memory.substr(0, kWantedBytes);
  if (memory.size() < sizeof(Head)) return fail("a table of wanted files of the wrong size");
  auto head = get<Head>(memory, 0);
  if (head.used > memory.size() - sizeof head || head.records > kMostWanted)
    return fail("a table of wanted files that holds more than it can");
  memory = memory.substr(sizeof head, head.used);
  WantedPaths found{{}, head.left_off};
  for (uint64_t i = 0; i < head.records; i++) {
    if (memory.size() < sizeof(Record)) return fail("a table of wanted files that ends too early");
    auto record = get<Record>(memory, 0);
    memory.remove_prefix(sizeof record);
    if (memory.size() < size_t{record.path} + record.program)
      return fail("a table of wanted files that ends too early");
    std::string_view path = memory.substr(0, record.path);
    std::string_view program = memory.substr(record.path, record.program);
    memory.remove_prefix(path.size() + program.size());
    bool known = record.wanted >= 1 && record.wanted <= static_cast<uint32_t>(Wanted::reach);
    bool is_address = record.wanted == static_cast<uint32_t>(Wanted::reach);
    bool is_path = (is_address || path.starts_with('/')) && path.size() < PATH_MAX &&
                   path.find('\0') == std::string_view::npos;
    if (!known || !is_path) return fail("a table of wanted files with a broken entry");
    found.paths.push_back({static_cast<Wanted>(record.wanted), std::string(path),
                           std::string(program), std::max<uint64_t>(record.times, 1)});
  }
  return found;
}

}  // namespace ringwall::hand
