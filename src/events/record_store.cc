#include "events/record_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <ctime>
#include <map>
#include <tuple>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"

namespace ringwall::events {
namespace {

// Where the head lies: it moves when the run ends.
std::string head_path(const std::string& state, const std::string& id, bool is_open) {
  return path::join(state, std::string(is_open ? "heads/open/" : "heads/") + id);
}

// "NAME@20260131T090000Z-1234"
std::optional<RecordEntry> parse_id(const std::string& id) {
  size_t sign = id.rfind('@');
  if (sign == std::string::npos || sign == 0) return std::nullopt;
  tm parts{};
  const char* end = strptime(id.c_str() + sign + 1, "%Y%m%dT%H%M%SZ", &parts);
  if (end == nullptr || *end != '-') return std::nullopt;
  return RecordEntry{id, id.substr(0, sign), timegm(&parts), false};
}

}  // namespace

std::string records_folder(const std::string& state) { return path::join(state, "records"); }
std::string open_heads_folder(const std::string& state) { return path::join(state, "heads/open"); }

std::string segment_name(const std::string& id, unsigned number) {
  return id + (number > 1 ? "." + std::to_string(number) : "") + ".jsonl";
}

std::string make_record_id(const std::string& run, int64_t started, int pid) {
  auto seconds = static_cast<time_t>(started);
  tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &parts);
  return run + "@" + text + "-" + std::to_string(pid);
}

Result<std::vector<RecordEntry>> list_records(const std::string& state) {
  std::map<std::string, RecordEntry> found;
  struct {
    std::string folder;
    bool is_open;
  } const places[] = {{records_folder(state), false},
                      {path::join(state, "heads"), false},
                      {open_heads_folder(state), true}};
  for (const auto& place : places) {
    auto folder = file::open(place.folder, O_RDONLY | O_DIRECTORY);
    if (!folder && folder.error().err == ENOENT) continue;
    if (!folder) return std::unexpected(folder.error());
    TRY_ASSIGN(auto names, file::list(folder->get()));
    for (const file::Entry& name : names) {
      // A record whose head is gone is one all the same.
      auto entry = parse_id(name.name.substr(0, name.name.find(".jsonl")));
      bool is_further = name.name.find('.') != name.name.rfind('.');
      if (!entry || (is_further && name.name.ends_with(".jsonl"))) continue;
      entry->is_open = place.is_open;
      found.insert_or_assign(entry->id, *entry);
    }
  }
  std::vector<RecordEntry> entries;
  for (auto& [id, entry] : found)
    entries.push_back(std::move(entry));
  std::ranges::sort(entries, [](const RecordEntry& a, const RecordEntry& b) {
    return std::tie(a.started, a.id) < std::tie(b.started, b.id);
  });
  return entries;
}

Result<RecordEntry> find_record(const std::string& state, const std::string& run_or_id) {
  TRY_ASSIGN(std::vector<RecordEntry> entries, list_records(state));
  std::vector<std::string> names;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (run_or_id.empty() || entry->run == run_or_id || entry->id == run_or_id) return *entry;
    names.push_back(entry->run);
  }
  if (run_or_id.empty()) return fail("nothing was recorded yet");
  std::string near = text::nearest(run_or_id, names);
  return fail("no record of a run named " + text::quote(run_or_id),
              near.empty() ? "see: ringwall log --list" : "did you mean " + near + "?");
}

std::vector<std::string> record_paths(const std::string& state, const std::string& id) {
  std::vector<std::string> paths;
  for (unsigned number = 1;; number++) {
    std::string path = path::join(records_folder(state), segment_name(id, number));
    if (!file::exists(path)) return paths;
    paths.push_back(std::move(path));
  }
}

bool is_going_on(const std::string& state, const std::string& id) {
  auto heads = file::open(open_heads_folder(state), O_RDONLY | O_DIRECTORY);
  return heads && is_going_on(heads->get(), id);
}

bool is_going_on(int open_heads, const std::string& id) {
  Fd head(openat(open_heads, id.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  return head && flock(head.get(), LOCK_SH | LOCK_NB) < 0;
}

std::optional<Head> read_head(const std::string& state, const std::string& id) {
  auto head = file::read(head_path(state, id, true));
  if (!head) head = file::read(head_path(state, id, false));
  return head ? parse_head(*head) : std::nullopt;
}

Result<ReadRecord> read_record(const std::string& state, const std::string& id) {
  ReadRecord record;
  record.goes_on = is_going_on(state, id);
  record.head = read_head(state, id);
  for (const std::string& path : record_paths(state, id)) {
    TRY_ASSIGN(std::string text, file::read(path, kLargestRecord));
    record.text += text;
  }
  return record;
}

Result<RecordStart> read_start(const std::string& state, const std::string& id) {
  constexpr size_t kLongestLine = 1 << 20;
  auto path = path::join(records_folder(state), segment_name(id, 1));
  TRY_ASSIGN(Fd file, file::open(path, O_RDONLY | O_NOFOLLOW));
  std::string text(kLongestLine, '\0');
  ssize_t count = pread(file.get(), text.data(), text.size(), 0);
  if (count < 0) return fail_errno("cannot read " + text::quote(path));
  text.resize(std::min(text.find('\n'), static_cast<size_t>(count)));
  boost::system::error_code error;
  boost::json::value first = boost::json::parse(text, error);
  if (error || !first.is_object()) return RecordStart();
  auto member = [&](const char* key) {
    const boost::json::value* value = first.get_object().if_contains(key);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
  };
  return RecordStart{member("workspace"), member("home")};
}

Status remove_record(const std::string& state, const std::string& id) {
  for (const std::string& path : record_paths(state, id)) {
    if (unlink(path.c_str()) < 0) return fail_errno("cannot remove " + text::quote(path));
  }
  for (bool is_open : {false, true}) {
    if (unlink(head_path(state, id, is_open).c_str()) < 0 && errno != ENOENT)
      return fail_errno("cannot remove the head of the record " + text::quote(id));
  }
  return {};
}

std::vector<RecordRemoved> remove_old_records(const std::string& state, uint64_t most_bytes) {
  std::vector<RecordRemoved> removed;
  auto folder = file::open(records_folder(state), O_RDONLY | O_DIRECTORY);
  auto names = folder ? file::list(folder->get()) : std::unexpected(folder.error());
  if (!names) return removed;
  uint64_t total = 0;
  auto size_of = [&](const std::string& name) {
    struct stat facts;
    bool known = fstatat(folder->get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0;
    return known ? static_cast<uint64_t>(facts.st_size) : 0;
  };
  for (const file::Entry& name : *names)
    total += size_of(name.name);
  if (total <= most_bytes) return removed;
  auto entries = list_records(state);
  if (!entries) return removed;
  for (const RecordEntry& entry : *entries) {
    if (total <= most_bytes) break;
    if (entry.is_open) continue;
    Head head = read_head(state, entry.id).value_or(Head());
    uint64_t bytes = 0;
    for (const std::string& path : record_paths(state, entry.id))
      bytes += size_of(std::string(path::basename(path)));
    if (!remove_record(state, entry.id)) continue;
    total -= std::min(total, bytes);
    removed.push_back({entry.id, head.last.number, head.refusals});
  }
  return removed;
}

}  // namespace ringwall::events
