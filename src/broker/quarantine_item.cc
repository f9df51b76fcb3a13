#include "broker/quarantine_item.h"

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <chrono>

#include "base/byte_text.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "base/tree.h"
#include "broker/hostile_tree.h"

namespace ringwall::broker {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 7> kKinds = {"file",   "folder", "link",   "FIFO",
                                                    "socket", "device", "unknown"};

// What listing counts of one item: a folder of millions must not make it wait.
constexpr Bounds kCounted{UINT64_MAX, 2000};
constexpr size_t kMostRecord = 1 << 16;
// Who removes an item may meet a process that goes on writing into it.
constexpr int kMostRemovals = 20;
constexpr size_t kLeastOfName = 4;

// Text of the record; nothing if it is missing or was not written by us.
std::optional<std::string> read_text(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return bytes_of_text(value->get_string());
}

Kind kind_named(std::string_view name) {
  auto at = std::find(kKinds.begin(), kKinds.end(), name);
  return at == kKinds.end() ? Kind::unknown : static_cast<Kind>(at - kKinds.begin());
}

std::string random_digits() {
  uint32_t number = 0;
  // Without randomness the name is still told apart by time and counter, and NOREPLACE guards it.
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number)
    number = static_cast<uint32_t>(clock::monotonic());
  char text[16];
  snprintf(text, sizeof text, "%08x", number);
  return text;
}

std::optional<Record> read_record(int store, const std::string& item) {
  auto file = file::open_beneath(store, item + "/" + kRecordName, O_RDONLY | O_NONBLOCK);
  if (!file) return std::nullopt;
  auto bytes = file::read_all(file->get(), kMostRecord);
  if (!bytes) return std::nullopt;
  auto record = parse_record(*bytes);
  return record ? std::optional(*record) : std::nullopt;
}

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string make_aside_name() {
  return std::string(kAsidePrefix) + random_digits() + random_digits();
}

std::string make_spare_name() { return std::string(kSparePrefix) + random_digits(); }

Kind kind_of(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return Kind::regular;
    case S_IFDIR:
      return Kind::folder;
    case S_IFLNK:
      return Kind::link;
    case S_IFIFO:
      return Kind::fifo;
    case S_IFSOCK:
      return Kind::socket;
    case S_IFCHR:
    case S_IFBLK:
      return Kind::device;
    default:
      return Kind::unknown;
  }
}

std::string_view in_words(Kind kind) { return kKinds.at(static_cast<size_t>(kind)); }

std::string to_json(const Record& record) {
  json::object object{{"path", text_of_bytes(record.path)},
                      {"run", text_of_bytes(record.run)},
                      {"rule", text_of_bytes(record.rule)},
                      {"reason", text_of_bytes(record.reason)},
                      {"time", record.time},
                      {"kind", in_words(record.kind)}};
  return json::serialize(object) + "\n";
}

Result<Record> parse_record(std::string_view text) {
  json::error_code error;
  json::value value = json::parse(text, error);
  if (error || !value.is_object()) return fail("the record is broken");
  const json::object& object = value.get_object();
  auto path = read_text(object, "path");
  const json::value* time = object.if_contains("time");
  bool usable = path && path->starts_with('/') && path->find('\0') == std::string::npos &&
                time != nullptr && time->is_int64();
  if (!usable) return fail("the record is broken");
  Record record;
  record.path = *path;
  record.run = read_text(object, "run").value_or("");
  record.rule = read_text(object, "rule").value_or("");
  record.reason = read_text(object, "reason").value_or("");
  record.time = time->get_int64();
  record.kind = kind_named(read_text(object, "kind").value_or(""));
  return record;
}

std::string make_item_name(uint64_t counter) {
  // Not by gmtime, which reads a file of time zones: the broker cannot open any.
  std::chrono::sys_seconds now{std::chrono::seconds(clock::wall_seconds())};
  auto day = std::chrono::floor<std::chrono::days>(now);
  std::chrono::year_month_day date{day};
  std::chrono::hh_mm_ss time{now - day};
  char text[64];
  snprintf(text, sizeof text, "%04d%02u%02u-%02d%02d%02d-", static_cast<int>(date.year()),
           static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
           static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
           static_cast<int>(time.seconds().count()));
  return text + std::to_string(counter) + "-" + random_digits();
}

bool is_item_name(std::string_view name) {
  std::vector<std::string> parts = text::split(name, '-');
  if (parts.size() != 4 || name.size() > 64 || parts[3].size() != 8) return false;
  bool numbers = is_number(parts[0]) && is_number(parts[1]) && is_number(parts[2]);
  return numbers && std::all_of(parts[3].begin(), parts[3].end(), is_hex_digit);
}

Result<Fd> open_store(const std::string& path) {
  auto store = file::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!store && store.error().err == ENOENT) return Fd();
  return store;
}

Result<Item> look_at_item(int store, const std::string& name) {
  TRY_ASSIGN(Fd folder, file::open_beneath(store, name, O_PATH | O_DIRECTORY));
  Item item{.name = name, .record = read_record(store, name)};
  if (item.record) item.kind = item.record->kind;
  struct stat top;
  if (fstatat(folder.get(), kContentName, &top, AT_SYMLINK_NOFOLLOW) < 0) {
    if (errno == ENOENT) return item;
    return fail_errno("cannot look at the item " + name);
  }
  item.kept = true;
  item.kind = kind_of(top.st_mode);
  item.whole = walk_hostile(folder.get(), kContentName, kCounted,
                            [&](const std::string&, const struct stat& facts) {
                              if (S_ISREG(facts.st_mode))
                                item.bytes += static_cast<uint64_t>(facts.st_size);
                              item.entries++;
                              return true;
                            });
  return item;
}

Result<std::vector<Item>> list_items(int store, std::string_view run) {
  TRY_ASSIGN(auto entries, file::list(store));
  std::vector<Item> items;
  for (const file::Entry& entry : entries) {
    if (!is_item_name(entry.name)) continue;
    auto item = look_at_item(store, entry.name);
    if (!item && item.error().err == ENOENT) continue;  // removed since it was listed
    if (!item) return std::unexpected(item.error());
    if (run.empty() || (item->record && item->record->run == run))
      items.push_back(std::move(*item));
  }
  auto age = [](const Item& item) {
    return std::pair(item.record ? item.record->time : 0, std::string_view(item.name));
  };
  std::sort(items.begin(), items.end(),
            [&](const Item& a, const Item& b) { return age(a) < age(b); });
  return items;
}

Result<std::string> find_item(int store, std::string_view word) {
  TRY_ASSIGN(auto entries, file::list(store));
  std::vector<std::string> found;
  for (const file::Entry& entry : entries) {
    if (!is_item_name(entry.name)) continue;
    if (entry.name == word) return entry.name;
    if (word.size() >= kLeastOfName && std::string_view(entry.name).ends_with(word))
      found.push_back(entry.name);
  }
  if (found.size() == 1) return found.front();
  std::sort(found.begin(), found.end());
  std::string what = found.empty() ? "no item in quarantine is called " + text::quote(word)
                                   : text::quote(word) + " may be one of several items";
  return fail(what, found.empty() ? "see: ringwall quarantine list"
                                  : "give more of its name: " + text::join(found, ", "));
}

Status remove_item(int store, const std::string& name) {
  Status removed;
  for (int i = 0; i < kMostRemovals; i++) {
    removed = tree::remove_at(store, name, kRecordName);
    if (removed || removed.error().err != ENOTEMPTY) break;
  }
  if (!removed) {
    removed.error().what = "cannot remove the item " + name;
    if (removed.error().err == ENOTEMPTY)
      removed.error().hint = "a run still writes into it: end the run first";
  }
  return removed;
}

}  // namespace ringwall::broker
