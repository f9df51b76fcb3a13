#include "review/change_words.h"

#include <sys/stat.h>

#include <cstdio>

#include "base/text.h"

namespace ringwall::review {

using changes::Change;
using changes::EntryFacts;
using changes::EntryType;

std::string short_size(uint64_t bytes) {
  if (bytes < 1000) return std::to_string(bytes) + " B";
  double value = static_cast<double>(bytes);
  const char* unit = "KMGTPE";
  value /= 1024;
  for (; value >= 999.5 && unit[1] != '\0'; unit++)
    value /= 1024;
  char number[32];
  snprintf(number, sizeof number, value < 9.95 ? "%.1f%c" : "%.0f%c", value, *unit);
  return number;
}

std::string octal_mode(uint32_t mode) {
  char text[16];
  snprintf(text, sizeof text, "%04o", mode);
  return text;
}

std::string type_words(const EntryFacts& facts) {
  switch (facts.type) {
    case EntryType::none:
      return "nothing";
    case EntryType::file:
      return "a file";
    case EntryType::folder:
      return "a folder";
    case EntryType::link:
      return "a link";
    case EntryType::fifo:
      return "a pipe";
    case EntryType::other:
      break;
  }
  return facts.raw_type == S_IFSOCK ? "a socket" : "a device";
}

std::string name_words(const std::string& path, const EntryFacts& facts) {
  constexpr size_t kLongest = 200;
  std::string slash = facts.type == EntryType::folder ? "/" : "";
  if (path.size() <= kLongest) return text::quote(path) + slash;
  return "…" + text::quote(path.substr(path.size() - kLongest)) + slash;
}

std::string size_words(const Change& change) {
  bool was_file = change.before.type == EntryType::file,
       is_file = change.after.type == EntryType::file;
  if (was_file && is_file && change.before.size != change.after.size)
    return short_size(change.before.size) + " -> " + short_size(change.after.size);
  if (is_file) return short_size(change.after.size);
  return was_file ? short_size(change.before.size) : "";
}

bool was_changed_outside(const Change& change, int64_t stamp) {
  return change.before.exists() && change.before.type != EntryType::folder &&
         change.before.changed > stamp;
}

}  // namespace ringwall::review
