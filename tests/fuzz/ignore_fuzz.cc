// Fuzz target: a .gitignore, which a repository writes. What precedes the first \x1e are its lines,
// what follows a path. All of its patterns at once say the same as each of them in turn.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/text.h"
#include "files/ignore_rules.h"

using namespace ringwall;
using namespace ringwall::files;

namespace {

// The last line that fits decides.
bool slowly(std::string_view rules, std::string_view path, EntryKind kind) {
  bool is_ignored = false;
  for (std::string_view line : text::split_in_place(rules, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with('#')) continue;
    bool is_negated = line.starts_with('!');
    if (is_negated) line.remove_prefix(1);
    auto pattern = NamePattern::parse(line);
    if (pattern && pattern->matches(path, kind)) is_ignored = !is_negated;
  }
  return is_ignored;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  size_t end = bytes.find('\x1e');
  if (end == std::string_view::npos) return 0;
  std::string_view rules = bytes.substr(0, end), path = bytes.substr(end + 1);
  if (path.empty() || path.starts_with('/') || path.ends_with('/')) return 0;
  IgnoreRules::Level level;
  IgnoreRules::read_lines(rules, level);
  for (EntryKind kind : {EntryKind::file, EntryKind::folder, EntryKind::link})
    if (IgnoreRules::is_ignored(&level, path, kind) != slowly(rules, path, kind)) abort();
  return 0;
}
