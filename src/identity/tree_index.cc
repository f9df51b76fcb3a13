#include "identity/tree_index.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>

#include "base/file.h"
#include "base/path.h"
#include "base/plain_records.h"

namespace ringwall::identity {
namespace {

constexpr uint64_t kMagic = 0x34676f7270777201;  // changes with the layout
constexpr size_t kMostBytes = size_t{1} << 30;

}  // namespace

struct TreeIndex::Header {
  uint64_t sum = 0;  // of all that follows
  uint64_t magic = kMagic;
  int64_t whole_at = 0;
  uint32_t folders = 0;
  uint32_t files = 0;
  uint32_t texts = 0;
  uint32_t key = 0;
  uint32_t sizes = 0;
  uint32_t unused = 0;

  size_t bytes() const {
    return sizeof(Header) + folders * sizeof(ListedFolder) + files * sizeof(ListedFile) +
           sizes * sizeof(uint32_t) + texts + key;
  }
};

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
  TreeIndex index;
  auto fd = file::open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (!fd && fd.error().err == ENOENT) return index;
  if (fd && index.fill(fd->get())) return index;
  TreeIndex damaged;
  damaged.damaged_ = true;
  return damaged;
}

bool TreeIndex::fill(int fd) {
  Header header;
  struct stat facts;
  if (fstat(fd, &facts) < 0 || !S_ISREG(facts.st_mode)) return false;
  if (::read(fd, &header, sizeof header) != sizeof header) return false;
  if (header.magic != kMagic) return true;  // of another version
  auto size = static_cast<size_t>(facts.st_size);
  if (size != header.bytes() || size > kMostBytes || header.folders == 0 || header.texts == 0)
    return false;
  folders.resize(header.folders);
  files.resize(header.files);
  sizes.resize(header.sizes);
  texts_.resize(header.texts);
  key_.resize(header.key);
  iovec parts[] = {{folders.data(), folders.size() * sizeof(ListedFolder)},
                   {files.data(), files.size() * sizeof(ListedFile)},
                   {sizes.data(), sizes.size() * sizeof(uint32_t)},
                   {texts_.data(), texts_.size()},
                   {key_.data(), key_.size()}};
  if (readv(fd, parts, std::size(parts)) != static_cast<ssize_t>(size - sizeof header))
    return false;
  whole_at = header.whole_at;
  changed_ = false;
  return header.sum == checksum(header) && is_sound();
}

uint64_t TreeIndex::checksum(const Header& header) const {
  const char* after_sum = reinterpret_cast<const char*>(&header) + sizeof header.sum;
  uint64_t sum = records::checksum({after_sum, sizeof header - sizeof header.sum});
  sum = records::checksum(records::bytes_of(folders), sum);
  sum = records::checksum(records::bytes_of(files), sum);
  sum = records::checksum(records::bytes_of(sizes), sum);
  sum = records::checksum(texts_, sum);
  return records::checksum(key_, sum);
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
  Header header{.whole_at = out.whole_at,
                .folders = static_cast<uint32_t>(out.folders.size()),
                .files = static_cast<uint32_t>(out.files.size()),
                .texts = static_cast<uint32_t>(out.texts_.size()),
                .key = static_cast<uint32_t>(out.key_.size()),
                .sizes = static_cast<uint32_t>(out.sizes.size())};
  header.sum = out.checksum(header);
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  records::append(bytes, out.folders);
  records::append(bytes, out.files);
  records::append(bytes, out.sizes);
  bytes += out.texts_;
  bytes += out.key_;
  return bytes;
}

Status TreeIndex::write(const std::string& path) const {
  TRY_ASSIGN(Fd folder, file::make_dirs(path::parent(path)));
  return file::replace_at(folder.get(), std::string(path::basename(path)), serialize());
}

}  // namespace ringwall::identity
