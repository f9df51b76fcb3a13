// What lies in the quarantine: one folder for each thing that was taken, with a record of ours and
// the thing itself, which stays hostile. This is the side of the person, who lists, looks at,
// restores and removes items.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::broker {

// The two names in an item's folder.
inline constexpr const char* kRecordName = "item.json";
inline constexpr const char* kContentName = "content";

// How things are called that are on their way, in the folder that they leave or go to. A crash may
// leave one; its name is protected, so the next start takes it.
inline constexpr std::string_view kAsidePrefix = ".ringwall-quarantine-";
std::string make_aside_name();
std::string make_spare_name();

// How folders in the store are called that wait to become items.
inline constexpr std::string_view kSparePrefix = ".next-";

enum class Kind { regular, folder, link, fifo, socket, device, unknown };
Kind kind_of(mode_t mode);
std::string_view in_words(Kind kind);  // "file", "folder", "link", …

// Written before the thing is moved.
struct Record {
  std::string path;    // where it lay, absolute; any bytes
  std::string run;     // the run that made it
  std::string rule;    // the pattern that it matched
  std::string reason;  // why it was taken, for the person
  int64_t time = 0;    // seconds since 1970
  Kind kind = Kind::unknown;
};
std::string to_json(const Record& record);
Result<Record> parse_record(std::string_view json);

struct Item {
  std::string name;
  std::optional<Record> record;  // none if a crash or a full disk kept it from being written
  bool kept = false;             // false: only the record is there
  Kind kind = Kind::unknown;     // of what is there now, else of what was there
  uint64_t bytes = 0;
  size_t entries = 0;  // with those in a folder
  bool whole = true;   // false: not everything was counted
};

// "20260131-121314-7-9f3a2c1b": time, counter, random.
std::string make_item_name(uint64_t counter);
bool is_item_name(std::string_view name);

// The store at `path`; null if nothing was ever taken.
Result<Fd> open_store(const std::string& path);
Result<Item> look_at_item(int store, const std::string& name);
// The oldest first. `run`: of this run only, unless empty.
Result<std::vector<Item>> list_items(int store, std::string_view run = {});
// The item that `word` names: its whole name or enough of its end.
Result<std::string> find_item(int store, std::string_view word);
Status remove_item(int store, const std::string& name);

}  // namespace ringwall::broker
