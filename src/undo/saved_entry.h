// What lay at a path when it was looked at, and what was kept of it.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "changes/attributes.h"
#include "changes/entry.h"

namespace ringwall::undo {

enum class Kept : uint8_t {
  none,        // a pipe, or a folder that nobody could look into: nothing but its facts
  content,     // a file whose bytes are in the store
  link,        // a link, whose text stands here
  hidden,      // hidden from the inside, which cannot change it
  beyond,      // more than undo.size
  unreadable,  // closed to us
  changed,     // it was changed before it could be read
  unread,      // the run was over before it was read
  special,     // no file, folder, link or pipe
  no_room,     // the store could not be written
  earlier,     // the command was faster: these are the bytes that an earlier run has kept of it
  attributes,  // a folder, with what it has of these
};
inline constexpr Kept kLastKept = Kept::attributes;

// Why it cannot be put back, for a person; empty if it can.
std::string_view why_not(Kept kept);

struct SavedEntry {
  std::string path;  // relative to its tree, any bytes
  changes::EntryType type = changes::EntryType::none;
  Kept kept = Kept::none;
  uint32_t mode = 0;
  uint32_t uid = 0, gid = 0;
  uint64_t inode = 0;
  uint64_t size = 0;
  int64_t modified = 0;
  int64_t changed = 0;
  Digest digest{};                      // of what has content
  std::string link;                     // of Kept::link
  changes::Attributes attributes = {};  // of what has content, and of Kept::attributes

  bool has_content() const { return kept == Kept::content || kept == Kept::earlier; }
  bool has_attributes() const { return has_content() || kept == Kept::attributes; }
  bool can_be_put_back() const { return why_not(kept).empty(); }
  bool operator==(const SavedEntry&) const = default;
};

// Everything but what was kept.
SavedEntry entry_of(std::string path, const struct stat& seen);

// Nobody has touched it: the same thing, by all that the kernel says of it. Of a folder only what a
// person has set on it, since its times change with what lies in it.
bool is_untouched(const SavedEntry& before, const SavedEntry& now);

// The order of manifests: folders before what lies in them, and then that, before their siblings.
bool lies_before(std::string_view left, std::string_view right);

}  // namespace ringwall::undo
