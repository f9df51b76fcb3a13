#include "identity/tree_index.h"

#include <sys/stat.h>

#include <cstring>

#include "base/file.h"
#include "base/path.h"
#include "base/plain_records.h"

namespace ringwall::identity {
namespace {

constexpr uint64_t kMagic = 0x33676f7270777201;  // changes with the layout
constexpr size_t kMostBytes = size_t{1} << 30;

// The checksum of all that follows stands before it.
struct Header {
  uint64_t magic = kMagic;
  int64_t whole_at = 0;
  uint32_t folders = 0;
  uint32_t files = 0;
  uint32_t texts = 0;
  uint32_t key = 0;
  uint32_t sizes = 0;
  uint32_t unused = 0;
};

}  // namespace

void TreeIndex::clear(std::string key) {
  folders.assign(1, {});
  files.clear();
  sizes.clear();
  texts_.assign(1, '\0');
  key_ = std::move(key);
  whole_at = 0;
  changed_ = true;
}

uint32_t TreeIndex::add_text(std::string_view text) {
  auto at = static_cast<uint32_t>(texts_.size());
  texts_ += text;
  texts_ += '\0';
  return at;
}

TreeIndex TreeIndex::read(const std::string& path) {
  struct stat facts;
  if (stat(path.c_str(), &facts) < 0) return {};
  auto bytes = file::read(path, kMostBytes);
  TreeIndex index;
  if (bytes) index = parse(*bytes);
  if (!bytes) index.damaged_ = true;
  return index;
}

TreeIndex TreeIndex::parse(std::string_view bytes) {
  TreeIndex damaged;
  damaged.damaged_ = true;
  uint64_t sum;
  if (bytes.size() < sizeof sum + sizeof(Header)) return damaged;
  memcpy(&sum, bytes.data(), sizeof sum);
  bytes.remove_prefix(sizeof sum);
  if (sum != records::checksum(bytes)) return damaged;
  Header header;
  memcpy(&header, bytes.data(), sizeof header);
  bytes.remove_prefix(sizeof header);
  if (header.magic != kMagic) return {};  // of another version
  size_t wanted = header.folders * sizeof(ListedFolder) + header.files * sizeof(ListedFile) +
                  header.texts + header.key + header.sizes * sizeof(uint32_t);
  if (bytes.size() != wanted || header.folders == 0 || header.texts == 0) return damaged;
  TreeIndex index;
  index.folders = records::take<ListedFolder>(bytes, header.folders);
  index.files = records::take<ListedFile>(bytes, header.files);
  index.sizes = records::take<uint32_t>(bytes, header.sizes);
  index.texts_ = bytes.substr(0, header.texts);
  index.key_ = bytes.substr(header.texts);
  index.whole_at = header.whole_at;
  index.changed_ = false;
  return index.is_sound() ? index : damaged;
}

// What a scan relies on: children and entries in order and in range, names that are names.
bool TreeIndex::is_sound() const {
  auto name_is_sound = [&](uint32_t name, uint16_t length) {
    return length > 0 && name < texts_.size() && length < texts_.size() - name;
  };
  if (texts_.back() != '\0') return false;
  uint64_t next_child = 1, next_file = 0, next_size = 0;
  for (size_t i = 0; i < folders.size(); i++) {
    const ListedFolder& folder = folders[i];
    if (folder.first_child != next_child || folder.first_entry != next_file) return false;
    if (i >= next_child) return false;
    next_child += folder.children;
    next_file += folder.entries;
    if (folder.examined == 0 && folder.first_size != next_size) return false;
    next_size += folder.examined == 0 ? folder.data : 0;
    if (i > 0 && !name_is_sound(folder.name, folder.name_length)) return false;
  }
  if (next_child != folders.size() || next_file != files.size() || next_size != sizes.size())
    return false;
  for (const ListedFile& file : files) {
    if (!name_is_sound(file.name, file.name_length) || file.wraps >= texts_.size() ||
        file.kind > ProgramKind::link)
      return false;
  }
  return true;
}

// Only what can be reached from the top: a folder that was listed again left its old records.
TreeIndex TreeIndex::packed() const {
  TreeIndex out;
  out.clear(key_);
  out.whole_at = whole_at;
  std::vector<uint32_t> order = {0};
  for (size_t i = 0; i < order.size(); i++) {
    const ListedFolder& from = folders[order[i]];
    ListedFolder to = from;
    to.name = i == 0 ? 0 : out.add_text(name_of(from));
    to.first_child = static_cast<uint32_t>(order.size());
    to.first_entry = static_cast<uint32_t>(out.files.size());
    for (uint32_t k = 0; k < from.children; k++)
      order.push_back(from.first_child + k);
    for (uint32_t k = 0; k < from.entries; k++) {
      ListedFile file = files[from.first_entry + k];
      file.wraps = file.wraps == 0 ? 0 : out.add_text(text_at(file.wraps));
      file.name = out.add_text(name_of(files[from.first_entry + k]));
      out.files.push_back(file);
    }
    to.first_size = static_cast<uint32_t>(out.sizes.size());
    for (uint32_t k = 0; from.examined == 0 && k < from.data; k++)
      out.sizes.push_back(sizes[from.first_size + k]);
    if (i == 0) {
      out.folders[0] = to;
    } else {
      out.folders.push_back(to);
    }
  }
  return out;
}

std::string TreeIndex::serialize() const {
  TreeIndex out = packed();
  std::string bytes(sizeof(uint64_t) + sizeof(Header), '\0');
  records::append(bytes, out.folders);
  records::append(bytes, out.files);
  records::append(bytes, out.sizes);
  bytes += out.texts_;
  bytes += out.key_;
  Header header{.whole_at = out.whole_at,
                .folders = static_cast<uint32_t>(out.folders.size()),
                .files = static_cast<uint32_t>(out.files.size()),
                .texts = static_cast<uint32_t>(out.texts_.size()),
                .key = static_cast<uint32_t>(out.key_.size()),
                .sizes = static_cast<uint32_t>(out.sizes.size())};
  memcpy(bytes.data() + sizeof(uint64_t), &header, sizeof header);
  uint64_t sum = records::checksum(std::string_view(bytes).substr(sizeof sum));
  memcpy(bytes.data(), &sum, sizeof sum);
  return bytes;
}

Status TreeIndex::write(const std::string& path) const {
  TRY_ASSIGN(Fd folder, file::make_dirs(path::parent(path)));
  return file::replace_at(folder.get(), std::string(path::basename(path)), serialize());
}

}  // namespace ringwall::identity
