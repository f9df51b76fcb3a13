#include "undo/saved_entry.h"

#include <algorithm>

namespace ringwall::undo {

std::string_view why_not(Kept kept) {
  switch (kept) {
    case Kept::none:
    case Kept::content:
    case Kept::link:
    case Kept::earlier:
    case Kept::attributes:
      return {};
    case Kept::hidden:
      return "it is hidden from runs, and not kept";
    case Kept::beyond:
      return "more than undo.size would have been kept";
    case Kept::unreadable:
      return "it could not be read";
    case Kept::changed:
      return "it was changed before it could be kept";
    case Kept::unread:
      return "the run was over before it was kept";
    case Kept::special:
      return "it is no file, folder, link or pipe";
    case Kept::no_room:
      return "there was no room to keep it";
  }
  return "it was not kept";
}

SavedEntry entry_of(std::string path, const struct stat& seen) {
  changes::EntryFacts facts = changes::facts_of(seen);
  SavedEntry entry;
  entry.path = std::move(path);
  entry.type = facts.type;
  entry.mode = facts.mode;
  entry.uid = seen.st_uid;
  entry.gid = seen.st_gid;
  entry.inode = facts.inode;
  entry.size = facts.size;
  entry.modified = facts.modified;
  entry.changed = facts.changed;
  return entry;
}

bool is_untouched(const SavedEntry& before, const SavedEntry& now) {
  bool same = before.type == now.type && before.mode == now.mode && before.uid == now.uid &&
              before.gid == now.gid;
  if (before.kept == Kept::attributes && now.kept == Kept::attributes)
    same &= before.attributes == now.attributes;
  if (!same || before.type == changes::EntryType::folder) return same;
  return before.inode == now.inode && before.size == now.size && before.modified == now.modified &&
         before.changed == now.changed;
}

bool lies_before(std::string_view left, std::string_view right) {
  // As if '/' were the least of all bytes.
  auto rank = [](char c) { return c == '/' ? 0 : static_cast<unsigned char>(c) + 1; };
  return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end(),
                                      [&](char a, char b) { return rank(a) < rank(b); });
}

}  // namespace ringwall::undo
