#include "undo/outcome.h"

#include <fcntl.h>

#include <map>

#include "base/file.h"
#include "undo/codec.h"

namespace ringwall::undo {
namespace {

using changes::EntryType;
using Kind = Touched::Kind;

constexpr std::string_view kKind = "ringwall undo outcome 3\n";
constexpr std::string_view kKindWithoutIndexes = "ringwall undo outcome 2\n";
constexpr const char* kName = "outcome";
constexpr uint64_t kIsRenaming = 1, kWasFolder = 2, kHasAttributes = 4;
constexpr size_t kMostBytes = size_t{1} << 30;

bool is_counted(EntryType type) { return type != EntryType::folder; }

// A deletion and an addition of the same inode with the same content.
void find_renamings(const ManifestTree& before, std::vector<Touched>& touched, size_t first) {
  std::map<uint64_t, size_t> added;
  for (size_t i = first; i < touched.size(); i++) {
    bool is_file = touched[i].after.type == EntryType::file;
    if (touched[i].kind == Kind::added && is_file) added[touched[i].after.inode] = i;
  }
  if (added.empty()) return;
  auto entry = before.entries.begin();
  for (size_t i = first; i < touched.size(); i++) {
    if (touched[i].kind != Kind::deleted) continue;
    while (entry->path != touched[i].after.path)
      entry++;  // both are in the same order
    auto found = added.find(entry->inode);
    if (entry->type != EntryType::file || found == added.end()) continue;
    Touched& twin = touched[found->second];
    if (twin.is_renaming || twin.after.size != entry->size ||
        twin.after.modified != entry->modified)
      continue;
    twin.is_renaming = touched[i].is_renaming = true;
  }
}

void encode_touched(Encoder& out, const Touched& one) {
  out.number(one.tree);
  out.number(static_cast<uint64_t>(one.kind));
  out.number((one.is_renaming ? kIsRenaming : 0) | (one.was_folder ? kWasFolder : 0) |
             (one.after.has_attributes() ? kHasAttributes : 0));
  out.text(one.after.path);
  out.number(static_cast<uint64_t>(one.after.type));
  out.number(one.after.mode);
  out.number(one.after.uid);
  out.number(one.after.gid);
  out.number(one.after.inode);
  out.number(one.after.size);
  out.signed_number(one.after.modified);
  out.signed_number(one.after.changed);
  if (one.after.has_attributes()) out.attributes(one.after.attributes);
}

bool decode_touched(Decoder& in, Touched& one) {
  one.tree = static_cast<uint32_t>(in.number());
  uint64_t kind = in.number();
  uint64_t marks = in.number();
  one.is_renaming = (marks & kIsRenaming) != 0;
  one.was_folder = (marks & kWasFolder) != 0;
  one.after.path = in.text();
  uint64_t type = in.number();
  if (kind > static_cast<uint64_t>(Kind::deleted) || type > static_cast<uint64_t>(EntryType::other))
    return false;
  one.kind = static_cast<Kind>(kind);
  one.after.type = static_cast<EntryType>(type);
  one.after.mode = static_cast<uint32_t>(in.number());
  one.after.uid = static_cast<uint32_t>(in.number());
  one.after.gid = static_cast<uint32_t>(in.number());
  one.after.inode = in.number();
  one.after.size = in.number();
  one.after.modified = in.signed_number();
  one.after.changed = in.signed_number();
  if ((marks & kHasAttributes) != 0) {
    one.after.kept = Kept::attributes;
    one.after.attributes = in.attributes();
  }
  return !in.is_torn();
}

Touched deletion(uint32_t tree, const SavedEntry& before) {
  Touched one{tree, Kind::deleted, {}};
  one.after.path = before.path;
  one.was_folder = before.type == EntryType::folder;
  return one;
}

SavedEntry facts_alone(SavedEntry entry) {
  if (entry.kept != Kept::attributes) entry.kept = Kept::none;
  entry.link.clear();
  return entry;
}

}  // namespace

void compare(const ManifestTree& before, const std::vector<SavedEntry>& now, uint32_t tree,
             std::vector<Touched>& touched) {
  size_t first = touched.size();
  auto old = before.entries.begin();
  auto current = now.begin();
  while (old != before.entries.end() || current != now.end()) {
    bool no_more = current == now.end();
    if (no_more || (old != before.entries.end() && lies_before(old->path, current->path))) {
      touched.push_back(deletion(tree, *old));
      old++;
    } else if (old == before.entries.end() || lies_before(current->path, old->path)) {
      touched.push_back({tree, Kind::added, facts_alone(*current)});
      current++;
    } else {
      // What was changed before it was seen may look the same now.
      bool was_late = old->kept == Kept::changed || old->kept == Kept::earlier;
      if (was_late || !is_untouched(*old, *current))
        touched.push_back({tree, Kind::changed, facts_alone(*current)});
      old++;
      current++;
    }
  }
  find_renamings(before, touched, first);
}

std::vector<IndexNote> note_indexes(const std::vector<Touched>& touched,
                                    const std::vector<int>& trees) {
  std::vector<IndexNote> notes;
  uint64_t left = kMostIndexes;
  for (const Touched& one : touched) {
    if (one.kind == Kind::deleted || !is_index(one.after.path)) continue;
    auto digest = describe_index_at(trees[one.tree], one.after.path, left);
    if (digest) notes.push_back({one.tree, one.after.path, *digest});
  }
  return notes;
}

uint64_t count_unkept(const Manifest& before, const std::vector<Touched>& touched) {
  uint64_t unkept = 0;
  for (const Touched& one : touched) {
    if (one.kind == Kind::added) continue;
    const SavedEntry* entry = find_entry(before.trees[one.tree], one.after.path);
    unkept += entry != nullptr && !entry->can_be_put_back() ? 1 : 0;
  }
  return unkept;
}

Counts count(const std::vector<Touched>& touched) {
  Counts counts;
  for (const Touched& one : touched) {
    if (one.was_folder || !is_counted(one.after.type)) continue;
    if (one.is_renaming) {
      counts.renamed += one.kind == Kind::added ? 1 : 0;
      continue;
    }
    counts.added += one.kind == Kind::added ? 1 : 0;
    counts.changed += one.kind == Kind::changed ? 1 : 0;
    counts.deleted += one.kind == Kind::deleted ? 1 : 0;
    counts.bytes += one.after.size;
  }
  return counts;
}

std::string encode(const Outcome& outcome) {
  Encoder out(kKind);
  out.signed_number(outcome.ended);
  out.number(outcome.compared ? 1 : 0);
  out.number(outcome.clocks.size());
  for (int64_t clock : outcome.clocks)
    out.signed_number(clock);
  out.number(outcome.starts.size());
  for (int64_t clock : outcome.starts)
    out.signed_number(clock);
  out.number(outcome.has_earlier_manifest ? 1 : 0);
  out.number(outcome.unkept);
  out.number(outcome.touched.size());
  for (const Touched& one : outcome.touched)
    encode_touched(out, one);
  out.number(outcome.indexes.size());
  for (const IndexNote& note : outcome.indexes) {
    out.number(note.tree);
    out.text(note.path);
    out.digest(note.digest);
  }
  return out.finish();
}

Result<Outcome> parse_outcome(std::string_view bytes) {
  bool is_older = bytes.starts_with(kKindWithoutIndexes);
  TRY_ASSIGN(Decoder in, Decoder::open(bytes, is_older ? kKindWithoutIndexes : kKind));
  Outcome outcome;
  outcome.ended = in.signed_number();
  outcome.compared = in.number() != 0;
  for (size_t left = in.count(); left > 0; left--)
    outcome.clocks.push_back(in.signed_number());
  for (size_t left = in.count(); left > 0; left--)
    outcome.starts.push_back(in.signed_number());
  if (!outcome.starts.empty() && outcome.starts.size() != outcome.clocks.size())
    return fail("it is damaged: its clocks do not fit");
  outcome.has_earlier_manifest = in.number() != 0;
  outcome.unkept = in.number();
  for (size_t left = in.count(); left > 0; left--) {
    if (!decode_touched(in, outcome.touched.emplace_back()))
      return fail("it is damaged: an entry does not fit");
    if (outcome.touched.back().tree >= outcome.clocks.size())
      return fail("it is damaged: an entry is of no tree");
  }
  for (size_t left = is_older ? 0 : in.count(); left > 0; left--) {
    IndexNote& note = outcome.indexes.emplace_back();
    note.tree = static_cast<uint32_t>(in.number());
    note.path = in.text();
    note.digest = in.digest();
  }
  TRY(in.finish());
  return outcome;
}

Status write_outcome(int run_folder, const Outcome& outcome) {
  return file::replace_at(run_folder, kName, encode(outcome));
}

Result<Outcome> read_outcome(int run_folder) {
  TRY_ASSIGN(Fd opened, file::open_beneath(run_folder, kName, O_RDONLY | O_NOFOLLOW));
  TRY_ASSIGN(std::string bytes, file::read_all(opened.get(), kMostBytes));
  auto outcome = parse_outcome(bytes);
  if (!outcome) outcome.error().what = "what the run did: " + outcome.error().what;
  return outcome;
}

}  // namespace ringwall::undo
