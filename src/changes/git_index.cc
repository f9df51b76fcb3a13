#include "changes/git_index.h"

#include <cstdint>
#include <cstring>

#include "base/sha256.h"

namespace ringwall::changes {
namespace {

constexpr size_t kHeader = 12;
constexpr size_t kStat = 40;  // ten numbers of four bytes; the seventh is the mode
constexpr size_t kModeAt = 24;
constexpr uint16_t kExtended = 0x4000;
constexpr uint16_t kNameLength = 0x0fff;

uint32_t read32(std::string_view bytes, size_t at) {
  auto byte = [&](size_t n) { return uint32_t{static_cast<unsigned char>(bytes[at + n])}; };
  return byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3);
}

uint16_t read16(std::string_view bytes, size_t at) {
  return static_cast<uint16_t>(static_cast<unsigned char>(bytes[at]) << 8 |
                               static_cast<unsigned char>(bytes[at + 1]));
}

class IndexReader {
 public:
  IndexReader(std::string_view bytes, size_t id_size) : bytes_(bytes), id_size_(id_size) {}

  Result<std::string> read() {
    if (bytes_.size() < kHeader + id_size_ || !bytes_.starts_with("DIRC"))
      return fail("not an index of git");
    version_ = read32(bytes_, 4);
    if (version_ < 2 || version_ > 4) return fail("an index of git of another version");
    bytes_.remove_suffix(id_size_);  // the checksum of all
    uint32_t count = read32(bytes_, 8);
    at_ = kHeader;
    for (uint32_t i = 0; i < count; i++)
      TRY(read_entry());
    TRY(check_extensions());
    return std::move(said_);
  }

 private:
  Status read_entry() {
    size_t start = at_;
    size_t fixed = kStat + id_size_ + 2;
    if (bytes_.size() - at_ < fixed) return fail("a cut index of git");
    said_.append(bytes_.substr(at_ + kModeAt, 4));
    said_.append(bytes_.substr(at_ + kStat, id_size_));
    uint16_t flags = read16(bytes_, at_ + kStat + id_size_);
    // The name's length follows from the name.
    uint16_t kept = static_cast<uint16_t>(flags & ~kNameLength);
    said_.append(reinterpret_cast<const char*>(&kept), sizeof kept);
    at_ += fixed;
    if ((flags & kExtended) != 0) {
      if (version_ < 3 || bytes_.size() - at_ < 2) return fail("a damaged index of git");
      said_.append(bytes_.substr(at_, 2));
      at_ += 2;
    }
    TRY(version_ == 4 ? read_short_name() : read_name(start));
    said_.append(name_);
    said_ += '\0';
    return {};
  }

  // Ends with NULs, up to a multiple of eight.
  Status read_name(size_t start) {
    size_t end = bytes_.find('\0', at_);
    if (end == std::string_view::npos) return fail("a cut index of git");
    name_ = bytes_.substr(at_, end - at_);
    at_ = start + (end - start + 8) / 8 * 8;
    return at_ <= bytes_.size() ? Status() : fail("a cut index of git");
  }

  // How much of the end of the last name goes, and what comes in its place.
  Status read_short_name() {
    size_t dropped = 0;
    bool more = true;
    for (bool first = true; more; first = false) {
      if (at_ >= bytes_.size() || dropped > name_.size()) return fail("a damaged index of git");
      auto byte = static_cast<unsigned char>(bytes_[at_++]);
      dropped = first ? byte & 127 : ((dropped + 1) << 7) | (byte & 127);
      more = (byte & 128) != 0;
    }
    size_t end = bytes_.find('\0', at_);
    if (end == std::string_view::npos || dropped > name_.size())
      return fail("a damaged index of git");
    name_.resize(name_.size() - dropped);
    name_.append(bytes_.substr(at_, end - at_));
    at_ = end + 1;
    return {};
  }

  // Those with a capital letter are there to be quicker; the others change what the entries mean.
  Status check_extensions() {
    while (at_ < bytes_.size()) {
      if (bytes_.size() - at_ < 8) return fail("a damaged index of git");
      char first = bytes_[at_];
      size_t size = read32(bytes_, at_ + 4);
      if (first < 'A' || first > 'Z') return fail("an index of git in several parts");
      if (size > bytes_.size() - at_ - 8) return fail("a cut index of git");
      at_ += 8 + size;
    }
    return {};
  }

  std::string_view bytes_;
  size_t id_size_;
  uint32_t version_ = 0;
  size_t at_ = 0;
  std::string name_;
  std::string said_;
};

}  // namespace

Result<std::string> describe_index(std::string_view bytes) {
  // Which kind of ids a repository has its config says; the wrong one does not come out even.
  auto said = IndexReader(bytes, 20).read();
  if (!said) said = IndexReader(bytes, 32).read();
  if (!said) return said;
  return sha256(*said);
}

}  // namespace ringwall::changes
