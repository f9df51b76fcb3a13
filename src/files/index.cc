#include "files/index.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <type_traits>
#include <unordered_map>

#include "base/file.h"
#include "base/path.h"

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

// They are written as they lie in memory.
template <class T>
constexpr bool kIsPlain =
    std::is_trivially_copyable_v<T>&& std::has_unique_object_representations_v<T>;
static_assert(kIsPlain<Header> && kIsPlain<IndexedFolder> && kIsPlain<Note>);

template <class T>
void append(std::string& bytes, const std::vector<T>& records) {
  bytes.append(reinterpret_cast<const char*>(records.data()), records.size() * sizeof(T));
}

template <class T>
std::vector<T> take(std::string_view& bytes, size_t count) {
  std::vector<T> records(count);
  if (count > 0) memcpy(records.data(), bytes.data(), count * sizeof(T));
  bytes.remove_prefix(count * sizeof(T));
  return records;
}

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
  Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat facts;
  if (!fd || fstat(fd.get(), &facts) < 0 || !S_ISREG(facts.st_mode)) return {};
  auto size = static_cast<size_t>(facts.st_size);
  if (size > kBiggestFile) return {};
  std::string bytes(size, '\0');
  size_t got = 0;
  while (got < size) {
    ssize_t count = ::read(fd.get(), bytes.data() + got, size - got);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return {};
    got += static_cast<size_t>(count);
  }
  return parse(bytes);
}

Index Index::parse(std::string_view bytes) {
  Header header;
  if (bytes.size() < sizeof header) return {};
  memcpy(&header, bytes.data(), sizeof header);
  bytes.remove_prefix(sizeof header);
  size_t expected = size_t{header.folders} * sizeof(IndexedFolder) +
                    size_t{header.notes} * sizeof(Note) + header.texts + header.key;
  if (header.magic != kMagic || bytes.size() != expected || header.checksum != checksum(bytes))
    return {};
  Index index;
  index.folders = take<IndexedFolder>(bytes, header.folders);
  index.notes = take<Note>(bytes, header.notes);
  index.texts_ = bytes.substr(0, header.texts);
  index.key_ = bytes.substr(header.texts);
  if (!index.is_sound()) return {};
  index.changed_ = false;
  return index;
}

uint64_t Index::checksum(std::string_view bytes) {
  uint64_t sum = bytes.size();
  auto mix = [&](uint64_t word) {
    sum = (sum ^ word) * 0x9e3779b97f4a7c15;
    sum ^= sum >> 29;
  };
  while (bytes.size() >= 8) {
    uint64_t word;
    memcpy(&word, bytes.data(), 8);
    mix(word);
    bytes.remove_prefix(8);
  }
  uint64_t rest = 0;
  if (!bytes.empty()) memcpy(&rest, bytes.data(), bytes.size());
  mix(rest);
  return sum;
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
  append(bytes, packed.folders);
  append(bytes, packed.notes);
  bytes += packed.texts_;
  bytes += packed.key_;
  Header header{.magic = kMagic,
                .checksum = checksum(std::string_view(bytes).substr(sizeof(Header))),
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
