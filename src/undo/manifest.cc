#include "undo/manifest.h"

#include <fcntl.h>

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "undo/codec.h"

namespace ringwall::undo {
namespace {

constexpr std::string_view kKind = "ringwall undo manifest 1\n";
constexpr size_t kMostBytes = size_t{2} << 30;

// Paths in order share their beginnings: only what is new is written.
size_t shared_beginning(std::string_view before, std::string_view now) {
  auto [end, other] = std::mismatch(before.begin(), before.end(), now.begin(), now.end());
  return static_cast<size_t>(end - before.begin());
}

void encode_entry(Encoder& out, const SavedEntry& entry, std::string_view before) {
  size_t shared = shared_beginning(before, entry.path);
  out.number(shared);
  out.text(std::string_view(entry.path).substr(shared));
  out.number(static_cast<uint64_t>(entry.type));
  out.number(static_cast<uint64_t>(entry.kept));
  out.number(entry.mode);
  out.number(entry.uid);
  out.number(entry.gid);
  out.number(entry.inode);
  out.number(entry.size);
  out.signed_number(entry.modified);
  out.signed_number(entry.changed);
  if (entry.kept == Kept::link) out.text(entry.link);
  if (entry.has_content()) out.digest(entry.digest);
  if (entry.has_attributes()) out.attributes(entry.attributes);
}

bool decode_entry(Decoder& in, SavedEntry& entry, std::string& path) {
  size_t shared = in.number();
  if (shared > path.size()) return false;
  path.resize(shared);
  path += in.text();
  entry.path = path;
  uint64_t type = in.number(), kept = in.number();
  if (type > static_cast<uint64_t>(changes::EntryType::other) ||
      kept > static_cast<uint64_t>(kLastKept))
    return false;
  entry.type = static_cast<changes::EntryType>(type);
  entry.kept = static_cast<Kept>(kept);
  entry.mode = static_cast<uint32_t>(in.number());
  entry.uid = static_cast<uint32_t>(in.number());
  entry.gid = static_cast<uint32_t>(in.number());
  entry.inode = in.number();
  entry.size = in.number();
  entry.modified = in.signed_number();
  entry.changed = in.signed_number();
  if (entry.kept == Kept::link) entry.link = in.text();
  if (entry.has_content()) entry.digest = in.digest();
  if (entry.has_attributes()) entry.attributes = in.attributes();
  return !in.is_torn();
}

Status decode_tree(Decoder& in, ManifestTree& tree) {
  tree.path = in.text();
  tree.device = in.number();
  tree.inode = in.number();
  tree.clock = in.signed_number();
  tree.whole = in.number() != 0;
  size_t count = in.count();
  tree.entries.reserve(count);
  std::string path;
  for (size_t i = 0; i < count; i++) {
    SavedEntry entry;
    if (!decode_entry(in, entry, path)) return fail("it is damaged: an entry does not fit");
    tree.entries.push_back(std::move(entry));
  }
  return {};
}

}  // namespace

std::string encode(const Manifest& manifest) {
  Encoder out(kKind);
  out.number(manifest.trees.size());
  for (const ManifestTree& tree : manifest.trees) {
    out.text(tree.path);
    out.number(tree.device);
    out.number(tree.inode);
    out.signed_number(tree.clock);
    out.number(tree.whole ? 1 : 0);
    out.number(tree.entries.size());
    std::string_view before;
    for (const SavedEntry& entry : tree.entries) {
      encode_entry(out, entry, before);
      before = entry.path;
    }
  }
  return out.finish();
}

Result<Manifest> parse_manifest(std::string_view bytes) {
  TRY_ASSIGN(Decoder in, Decoder::open(bytes, kKind));
  Manifest manifest;
  for (size_t left = in.count(); left > 0; left--)
    TRY(decode_tree(in, manifest.trees.emplace_back()));
  TRY(in.finish());
  return manifest;
}

const SavedEntry* find_entry(const ManifestTree& tree, std::string_view path) {
  auto found = std::lower_bound(tree.entries.begin(), tree.entries.end(), path,
                                [](const SavedEntry& entry, std::string_view wanted) {
                                  return lies_before(entry.path, wanted);
                                });
  return found != tree.entries.end() && found->path == path ? &*found : nullptr;
}

SavedEntry* find_entry(ManifestTree& tree, std::string_view path) {
  const SavedEntry* found = find_entry(std::as_const(tree), path);
  return found == nullptr ? nullptr
                          : &tree.entries[static_cast<size_t>(found - tree.entries.data())];
}

Status write_manifest(int run_folder, const Manifest& manifest) {
  return file::replace_at(run_folder, kManifestName, encode(manifest));
}

Result<Manifest> read_manifest(int run_folder) {
  TRY_ASSIGN(Fd opened, file::open_beneath(run_folder, kManifestName, O_RDONLY | O_NOFOLLOW));
  TRY_ASSIGN(std::string bytes, file::read_all(opened.get(), kMostBytes));
  auto manifest = parse_manifest(bytes);
  if (manifest) return manifest;
  return fail("what lay there before the run: " + manifest.error().what,
              "of this run nothing can be put back; of others it can: ringwall history");
}

Result<std::vector<Digest>> read_digests(int run_folder) {
  TRY_ASSIGN(Manifest manifest, read_manifest(run_folder));
  std::vector<Digest> digests;
  for (const ManifestTree& tree : manifest.trees) {
    for (const SavedEntry& entry : tree.entries) {
      if (entry.has_content()) digests.push_back(entry.digest);
    }
  }
  return digests;
}

}  // namespace ringwall::undo
