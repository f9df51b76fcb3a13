// The records of all runs, as files: where they lie, which there are, and what they hold. See
// record_file.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "events/chain.h"
#include "events/event.h"

namespace ringwall::events {

inline constexpr size_t kLargestRecord = size_t{4} << 30;

std::string records_folder(const std::string& state);
std::string open_heads_folder(const std::string& state);
// Of its files, the first being number 1.
std::string segment_name(const std::string& id, unsigned number);

// Of a run that has ended or goes on.
struct RecordEntry {
  std::string id;
  std::string run;       // its name
  int64_t started = 0;   // seconds since 1970
  bool is_open = false;  // when it was listed: it goes on, or was killed
};

std::string make_record_id(const std::string& run, int64_t started, int pid);

// Oldest first.
Result<std::vector<RecordEntry>> list_records(const std::string& state);

// The newest record of a run of that name, or the one with that id; the newest of all if it is
// empty.
Result<RecordEntry> find_record(const std::string& state, const std::string& run_or_id);

// The paths of its files, in order; those that are there.
std::vector<std::string> record_paths(const std::string& state, const std::string& id);

struct ReadRecord {
  std::string text;
  std::optional<Head> head;  // read first: what is behind it was written since
  bool goes_on = false;
};
Result<ReadRecord> read_record(const std::string& state, const std::string& id);

std::optional<Head> read_head(const std::string& state, const std::string& id);

// What its first line says; empty where it does not.
struct RecordStart {
  std::string workspace;
  std::string home;  // the private one's name
};
Result<RecordStart> read_start(const std::string& state, const std::string& id);

// True if its supervisor holds it.
bool is_going_on(const std::string& state, const std::string& id);
bool is_going_on(int open_heads, const std::string& id);

// Removes its lines and its head.
Status remove_record(const std::string& state, const std::string& id);

// Until all records together have at most so many bytes, those of ended runs go, the oldest first.
std::vector<RecordRemoved> remove_old_records(const std::string& state, uint64_t most_bytes);

}  // namespace ringwall::events
