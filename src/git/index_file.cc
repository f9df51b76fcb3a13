#include "git/index_file.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/sha256.h"

namespace ringwall::git {
namespace {

constexpr size_t kHeader = 12;
constexpr size_t kStat = 40;  // ten numbers of four bytes; the seventh is the mode
constexpr size_t kModeAt = 24;
constexpr uint16_t kExtended = 0x4000;
constexpr uint16_t kNameLength = 0x0fff;
constexpr size_t kLongestName = 4096;
// An entry of version 4 takes seventy bytes and may repeat a name of thousands: a small index could
// say more than anybody can read.
constexpr size_t kNamesForBytes = 8;
constexpr size_t kFewNames = 1 << 20;

uint32_t read32(std::string_view bytes, size_t at) {
  auto byte = [&](size_t n) { return uint32_t{static_cast<unsigned char>(bytes[at + n])}; };
  return byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3);
}

uint16_t read16(std::string_view bytes, size_t at) {
  return static_cast<uint16_t>(static_cast<unsigned char>(bytes[at]) << 8 |
                               static_cast<unsigned char>(bytes[at + 1]));
}

std::string hex_of(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (char c : bytes) {
    auto byte = static_cast<unsigned char>(c);
    text += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return text;
}

uint64_t read64(std::string_view bytes, size_t at) {
  return uint64_t{read32(bytes, at)} << 32 | read32(bytes, at + 4);
}

// Two sets of numbers as git packs them, those that are deleted and those that are replaced: words
// that stand for so many equal ones, each followed by so many as they are.
constexpr size_t kWord = 8, kBitsOfWord = 64;
constexpr size_t kBeforeWords = 8;  // how many numbers, and how many words

Result<std::string_view> take_set(std::string_view& bytes) {
  size_t words = bytes.size() < kBeforeWords ? SIZE_MAX : read32(bytes, 4);
  if (words > bytes.size() / kWord || bytes.size() < kBeforeWords + words * kWord + 4)
    return fail("a damaged index of git");
  std::string_view set = bytes.substr(kBeforeWords, words * kWord);
  bytes.remove_prefix(kBeforeWords + words * kWord + 4);
  return set;
}

Status add_bits(uint64_t word, uint64_t first, size_t most, std::vector<uint32_t>& numbers) {
  for (uint64_t bit = 0; bit < kBitsOfWord; bit++) {
    if ((word >> bit & 1) == 0) continue;
    if (numbers.size() == most || first + bit > UINT32_MAX) return fail("a damaged index of git");
    numbers.push_back(static_cast<uint32_t>(first + bit));
  }
  return {};
}

Result<std::vector<uint32_t>> read_replaced(std::string_view bytes, size_t most) {
  std::vector<uint32_t> numbers;
  if (bytes.empty()) return numbers;
  TRY(take_set(bytes));
  TRY_ASSIGN(std::string_view set, take_set(bytes));
  uint64_t number = 0;
  for (size_t at = 0; at + kWord <= set.size();) {
    uint64_t mark = read64(set, at);
    uint64_t equal = mark >> 1 & UINT32_MAX, literal = mark >> 33;
    at += kWord;
    if ((mark & 1) == 0) number += equal * kBitsOfWord;
    for (uint64_t i = 0; (mark & 1) != 0 && i < equal; i++, number += kBitsOfWord)
      TRY(add_bits(UINT64_MAX, number, most, numbers));
    for (uint64_t i = 0; i < literal; i++, at += kWord, number += kBitsOfWord) {
      if (at + kWord > set.size()) return fail("a damaged index of git");
      TRY(add_bits(read64(set, at), number, most, numbers));
    }
  }
  return numbers;
}

class IndexReader {
 public:
  using Use = std::function<Status(const IndexEntry&)>;

  IndexReader(std::string_view bytes, size_t id_size, const Use& use)
      : bytes_(bytes), id_size_(id_size), use_(use) {}

  Result<IndexParts> read() {
    if (bytes_.size() < kHeader + id_size_ || !bytes_.starts_with("DIRC"))
      return fail("not an index of git");
    version_ = read32(bytes_, 4);
    if (version_ < 2 || version_ > 4) return fail("an index of git of another version");
    bytes_.remove_suffix(id_size_);  // the checksum of all
    uint32_t count = read32(bytes_, 8);
    at_ = kHeader;
    for (uint32_t i = 0; i < count; i++)
      TRY(read_entry());
    TRY(read_extensions());
    TRY(check_end_mark());
    if (unnamed_ != parts_.replaced.size()) return fail("an index of git with a nameless entry");
    return std::move(parts_);
  }

 private:
  Status read_entry() {
    size_t start = at_;
    size_t fixed = kStat + id_size_ + 2;
    if (bytes_.size() - at_ < fixed) return fail("a cut index of git");
    IndexEntry entry{.mode = read32(bytes_, at_ + kModeAt),
                     .id = bytes_.substr(at_ + kStat, id_size_)};
    uint16_t flags = read16(bytes_, at_ + kStat + id_size_);
    entry.flags = static_cast<uint16_t>(flags & ~kNameLength);
    at_ += fixed;
    if ((flags & kExtended) != 0) {
      if (version_ < 3 || bytes_.size() - at_ < 2) return fail("a damaged index of git");
      entry.more_flags = read16(bytes_, at_);
      at_ += 2;
    }
    bool stands_alone = true;
    TRY(version_ == 4 ? read_short_name(stands_alone) : read_name(start));
    // git takes as many bytes as are said here for the name, whatever ends it.
    size_t said = flags & kNameLength;
    if (said != std::min<size_t>(name_.size(), kNameLength)) return fail("a damaged index of git");
    names_ += name_.size();
    if (names_ > kFewNames + kNamesForBytes * bytes_.size())
      return fail("an index of git with too many names");
    begins_.push_back({start, stands_alone});
    unnamed_ += name_.empty() ? 1 : 0;
    entry.path = name_;
    return use_(entry);
  }

  Result<size_t> find_end() const {
    size_t end = bytes_.substr(0, std::min(bytes_.size(), at_ + kLongestName + 1)).find('\0', at_);
    if (end == std::string_view::npos) return fail("an index of git with a name that does not end");
    return end;
  }

  // Ends with NULs, up to a multiple of eight.
  Status read_name(size_t start) {
    TRY_ASSIGN(size_t end, find_end());
    name_ = bytes_.substr(at_, end - at_);
    at_ = start + (end - start + 8) / 8 * 8;
    return at_ <= bytes_.size() ? Status() : fail("a cut index of git");
  }

  // How much of the end of the last name goes, and what comes in its place.
  Status read_short_name(bool& stands_alone) {
    size_t dropped = 0;
    bool more = true;
    for (bool first = true; more; first = false) {
      if (at_ >= bytes_.size() || dropped > name_.size()) return fail("a damaged index of git");
      auto byte = static_cast<unsigned char>(bytes_[at_++]);
      dropped = first ? byte & 127 : ((dropped + 1) << 7) | (byte & 127);
      more = (byte & 128) != 0;
    }
    if (at_ > bytes_.size() || dropped > name_.size()) return fail("a damaged index of git");
    TRY_ASSIGN(size_t end, find_end());
    stands_alone = dropped == name_.size();
    name_.resize(name_.size() - dropped);
    name_.append(bytes_.substr(at_, end - at_));
    at_ = end + 1;
    if (name_.size() > kLongestName) return fail("an index of git with a name that is too long");
    return {};
  }

  // Those with a capital letter are there to be quicker; the others change what the entries mean.
  Status read_extensions() {
    entries_end_ = at_;
    while (at_ < bytes_.size()) {
      if (bytes_.size() - at_ < 8) return fail("a damaged index of git");
      std::string_view name = bytes_.substr(at_, 4);
      size_t size = read32(bytes_, at_ + 4);
      if (size > bytes_.size() - at_ - 8) return fail("a cut index of git");
      std::string_view data = bytes_.substr(at_ + 8, size);
      if (name == "link") {
        if (size < id_size_) return fail("a damaged index of git");
        std::string_view id = data.substr(0, id_size_);
        if (id.find_first_not_of('\0') != id.npos) parts_.below = "sharedindex." + hex_of(id);
        TRY_ASSIGN(parts_.replaced, read_replaced(data.substr(id_size_), unnamed_));
      } else if (name == "IEOT") {
        TRY(check_blocks(data));
      } else if (name != "sdir" && (name[0] < 'A' || name[0] > 'Z')) {
        return fail("an index of git with parts that are not known");
      }
      at_ += 8 + size;
    }
    return {};
  }

  // git reads the entries of a large index in several threads, each from a place that is said here:
  // any other than where an entry begins would be other entries than ours.
  Status check_blocks(std::string_view data) const {
    constexpr size_t kBlock = 8;
    if (data.size() < 4 || (data.size() - 4) % kBlock != 0 || read32(data, 0) != 1)
      return fail("a damaged index of git");
    size_t entry = 0;
    for (size_t at = 4; at < data.size(); at += kBlock) {
      bool begins = entry < begins_.size() && begins_[entry].at == read32(data, at) &&
                    begins_[entry].stands_alone;
      if (!begins) return fail("an index of git that says other places than its entries have");
      entry += read32(data, at + 4);
    }
    if (entry != begins_.size()) return fail("an index of git that leaves entries out");
    return {};
  }

  // Where the entries end, as git looks for it from the end of the file. Its digest is of either
  // size, whatever the repository's is.
  Status check_end_mark() const {
    for (size_t digest : {20, 32}) {
      size_t size = 8 + 4 + digest;
      if (bytes_.size() < kHeader + size) continue;
      size_t at = bytes_.size() - size;
      if (bytes_.substr(at, 4) == "EOIE" && read32(bytes_, at + 8) != entries_end_)
        return fail("an index of git that says another end than its entries have");
    }
    return {};
  }

  struct Begin {
    size_t at;
    bool stands_alone;  // no part of its name is that of the last one
  };

  std::string_view bytes_;
  size_t id_size_;
  const Use& use_;
  uint32_t version_ = 0;
  size_t at_ = 0;
  size_t entries_end_ = 0;
  size_t names_ = 0;
  size_t unnamed_ = 0;
  std::string name_;
  std::vector<Begin> begins_;
  IndexParts parts_;
};

Result<Digest> digest_index(std::string_view bytes, size_t id_size) {
  Sha256 hash;
  TRY_ASSIGN(IndexParts parts, read_index(bytes, id_size, [&](const IndexEntry& entry) {
               hash.add(&entry.mode, sizeof entry.mode);
               hash.add(entry.id.data(), entry.id.size());
               hash.add(&entry.flags, sizeof entry.flags);
               hash.add(&entry.more_flags, sizeof entry.more_flags);
               hash.add(entry.path.data(), entry.path.size());
               hash.add("", 1);
               return Status();
             }));
  if (!parts.below.empty()) return fail("an index of git in several parts");
  return hash.finish();
}

}  // namespace

Result<IndexParts> read_index(std::string_view bytes, size_t id_size,
                              const std::function<Status(const IndexEntry&)>& use) {
  return IndexReader(bytes, id_size, use).read();
}

Result<std::string> describe_index(std::string_view bytes) {
  // Which kind of ids a repository has its config says; the wrong one does not come out even.
  auto said = digest_index(bytes, 20);
  if (!said) said = digest_index(bytes, 32);
  if (!said) return std::unexpected(said.error());
  return said->hex();
}

}  // namespace ringwall::git
