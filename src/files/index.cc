#include "files/index.h"

#include <fcntl.h>

#include <cstring>
#include <unordered_map>

#include "base/file.h"
#include "base/path.h"
#include "base/plain_records.h"

namespace ringwall::files {
namespace {

// Of another machine or version, this number reads otherwise.
constexpr uint64_t kMagic = 0x31'78'65'64'6e'49'77'52;  // "RwIndex1"

struct Header {
  uint64_t magic;
  uint64_t checksum;  // of all that follows
  uint32_t folders;
  uint32_t notes;
  uint32_t texts;
  uint32_t key;
};

constexpr size_t kBiggestFile = size_t{1} << 30;

// As an index is written: children follow in the order of their parents, without gaps, so that
// every record belongs to one folder.
class Packing {
 public:
  explicit Packing(const Index& from) : from_(from) {}

  Index pack() {
    to_.clear(from_.key());
    to_.folders = {from_.folders[0]};
    for (size_t at = 0; at < to_.folders.size(); at++)
      pack_folder(at);
    return std::move(to_);
  }

 private:
  void pack_folder(size_t at) {
    IndexedFolder was = to_.folders[at];
    to_.folders[at].first_child = static_cast<uint32_t>(to_.folders.size());
    to_.folders[at].first_note = static_cast<uint32_t>(to_.notes.size());
    for (uint32_t i = 0; i < was.children; i++) {
      IndexedFolder child = from_.folders[was.first_child + i];
      child.name = to_.add_text(from_.name_of(child));
      to_.folders.push_back(child);
    }
    for (uint32_t i = 0; i < was.notes; i++) {
      Note note = from_.notes[was.first_note + i];
      note.name = to_.add_text(from_.name_of(note));
      note.why_protected = pack_reason(note.why_protected);
      note.why_hidden = pack_reason(note.why_hidden);
      to_.notes.push_back(note);
    }
  }

  // Few differ.
  uint32_t pack_reason(uint32_t offset) {
    if (offset == 0) return 0;
    std::string_view text = from_.text_at(offset);
    auto [at, is_new] = reasons_.try_emplace(text, 0);
    if (is_new) at->second = to_.add_text(text);
    return at->second;
  }

  const Index& from_;
  Index to_;
  std::unordered_map<std::string_view, uint32_t> reasons_;
};

}  // namespace

void Index::clear(std::string key) {
  key_ = std::move(key);
  folders.assign(1, {});
  notes.clear();
  texts_.assign(1, '\0');
  changed_ = true;
}

void Index::pack() {
  bool was_changed = changed_;
  *this = Packing(*this).pack();
  changed_ = was_changed;
}

uint32_t Index::add_text(std::string_view text) {
  auto offset = static_cast<uint32_t>(texts_.size());
  texts_.append(text);
  texts_ += '\0';
  return offset;
}

Index Index::read(const std::string& path) {
  auto fd = file::open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  auto bytes = fd ? file::read_all(fd->get(), kBiggestFile) : std::unexpected(fd.error());
  return bytes ? parse(*bytes) : Index();
}

Index Index::parse(std::string_view bytes) {
  Header header;
  if (bytes.size() < sizeof header) return {};
  memcpy(&header, bytes.data(), sizeof header);
  bytes.remove_prefix(sizeof header);
  size_t expected = size_t{header.folders} * sizeof(IndexedFolder) +
                    size_t{header.notes} * sizeof(Note) + header.texts + header.key;
  if (header.magic != kMagic || bytes.size() != expected ||
      header.checksum != records::checksum(bytes))
    return {};
  Index index;
  index.folders = records::take<IndexedFolder>(bytes, header.folders);
  index.notes = records::take<Note>(bytes, header.notes);
  index.texts_ = bytes.substr(0, header.texts);
  index.key_ = bytes.substr(header.texts);
  if (!index.is_sound()) return {};
  index.changed_ = false;
  return index;
}

bool Index::name_is_sound(uint32_t offset, size_t length) const {
  if (length == 0 || length > 255 || offset >= texts_.size() || texts_.size() - offset <= length)
    return false;
  std::string_view name(texts_.data() + offset, length);
  return texts_[offset + length] == '\0' && name.find('/') == name.npos &&
         name.find('\0') == name.npos && name != "." && name != "..";
}

bool Index::is_sound() const {
  if (folders.empty() || texts_.empty() || texts_[0] != '\0' || texts_.back() != '\0') return false;
  size_t next_child = 1, next_note = 0;
  for (size_t i = 0; i < folders.size(); i++) {
    const IndexedFolder& folder = folders[i];
    // A folder that is no folder's child could be one's own parent.
    if (i >= next_child || folder.first_child != next_child || folder.first_note != next_note)
      return false;
    next_child += folder.children;
    next_note += folder.notes;
    if (i > 0 && !name_is_sound(folder.name, folder.name_length)) return false;
  }
  if (next_child != folders.size() || next_note != notes.size()) return false;
  for (const Note& note : notes) {
    if (!name_is_sound(note.name, note.name_length) || note.why_protected >= texts_.size() ||
        note.why_hidden >= texts_.size())
      return false;
  }
  return true;
}

std::string Index::serialize() const {
  Index packed = Packing(*this).pack();
  std::string bytes(sizeof(Header), '\0');
  records::append(bytes, packed.folders);
  records::append(bytes, packed.notes);
  bytes += packed.texts_;
  bytes += packed.key_;
  Header header{.magic = kMagic,
                .checksum = records::checksum(std::string_view(bytes).substr(sizeof(Header))),
                .folders = static_cast<uint32_t>(packed.folders.size()),
                .notes = static_cast<uint32_t>(packed.notes.size()),
                .texts = static_cast<uint32_t>(packed.texts_.size()),
                .key = static_cast<uint32_t>(packed.key_.size())};
  memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

Status Index::write(const std::string& path) const {
  TRY_ASSIGN(Fd folder, file::make_dirs(path::parent(path)));
  return file::replace_at(folder.get(), std::string(path::basename(path)), serialize());
}

}  // namespace ringwall::files
