// Names of files, as the tables of this room and the policy write them, matched against the end of
// a path: ".envrc", ".vscode/", ".claude/settings*.json", "/top".
//
// ASCII case is ignored: on a Windows drive under WSL and in a casefolded folder, .GIT is .git, and
// where it is not, guarding it too costs nothing. PatternSet asks many patterns at once and is fast
// enough for every file of a big tree.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ringwall::files {

// One name against one part of a pattern, which is in lower case; `*` stands for any characters.
bool fits(std::string_view name, std::string_view part);

bool same_name(std::string_view a, std::string_view b);

// What follows the last slash; std::string_view looks for it byte by byte.
inline std::string_view last_name(std::string_view path) {
  const void* slash = memrchr(path.data(), '/', path.size());
  if (slash == nullptr) return path;
  return path.substr(static_cast<size_t>(static_cast<const char*>(slash) - path.data()) + 1);
}

class NamePattern {
 public:
  static Result<NamePattern> parse(std::string_view text);

  // `path` is relative to the workspace. "NAME/" fits whatever stands there, since a link there
  // leads to a folder; "NAME" fits everything but a folder.
  bool matches(std::string_view path, bool is_folder) const;
  // For "NAME/": a folder above `path` fits, so that `path` lies in what is named.
  bool holds(std::string_view path) const;

  const std::string& text() const { return text_; }
  std::span<const std::string> parts() const { return parts_; }
  bool is_folder() const { return is_folder_; }
  bool is_anchored() const { return is_anchored_; }

 private:
  bool fits_end_of(std::string_view path) const;

  std::string text_;
  std::vector<std::string> parts_;  // in lower case
  bool is_folder_ = false;
  bool is_anchored_ = false;
};

// Some path is named by both, as far as their texts tell.
bool may_overlap(const NamePattern& a, const NamePattern& b);

class PatternSet {
 public:
  void add(NamePattern pattern);  // numbered from 0
  size_t size() const { return patterns_.size(); }
  const NamePattern& operator[](size_t number) const { return patterns_[number]; }

  // Could a path that ends with this name be matched?
  bool may_match(std::string_view name) const;

  // The first pattern that fits and of which `accept(number)` is true.
  template <class Accept>
  std::optional<size_t> match(std::string_view path, bool is_folder, Accept accept) const {
    std::string_view name = last_name(path);
    std::optional<size_t> found;
    visit(name, [&](size_t number) {
      if ((!found || number < *found) && patterns_[number].matches(path, is_folder) &&
          accept(number))
        found = number;
      return false;
    });
    return found;
  }
  std::optional<size_t> match(std::string_view path, bool is_folder) const {
    return match(path, is_folder, [](size_t) { return true; });
  }
  // A pattern fits `path`, or a folder pattern one that holds it.
  bool covers(std::string_view path, bool is_folder) const;

 private:
  // A pattern is filed by the last three bytes of its last part, or by the first three when that
  // ends with a star. So nearly every name of a tree is told apart by one look at two bits.
  struct Filed {
    uint32_t key;
    uint32_t number;
  };
  using Bits = std::array<uint64_t, 64>;

  static uint32_t key_of(const char* three) {
    auto byte = [&](int i) { return static_cast<uint32_t>(static_cast<unsigned char>(three[i])); };
    return (byte(0) << 16 | byte(1) << 8 | byte(2)) | 0x202020;
  }
  static uint32_t bit_of(uint32_t key) { return (key * 2654435761u) >> 20; }
  static bool is_set(const Bits& bits, uint32_t key) {
    uint32_t bit = bit_of(key);
    return (bits[bit / 64] >> (bit % 64) & 1) != 0;
  }
  static void file(std::vector<Filed>& list, Bits& bits, Filed filed);

  // Calls visit(number) for the patterns whose last part fits `name`, until it returns true.
  template <class Visit>
  bool visit(std::string_view name, Visit visitor) const {
    if (name.size() >= 3) {
      uint32_t tail = key_of(name.data() + name.size() - 3);
      if (is_set(tail_bits_, tail) && visit_filed(tails_, tail, name, visitor)) return true;
      uint32_t head = key_of(name.data());
      if (is_set(head_bits_, head) && visit_filed(heads_, head, name, visitor)) return true;
    }
    for (uint32_t number : others_) {
      if (fits(name, patterns_[number].parts().back()) && visitor(number)) return true;
    }
    return false;
  }
  template <class Visit>
  bool visit_filed(const std::vector<Filed>& list, uint32_t key, std::string_view name,
                   Visit& visitor) const {
    for (size_t at = first_of(list, key); at < list.size() && list[at].key == key; at++) {
      uint32_t number = list[at].number;
      if (fits(name, patterns_[number].parts().back()) && visitor(number)) return true;
    }
    return false;
  }
  static size_t first_of(const std::vector<Filed>& list, uint32_t key);

  std::vector<NamePattern> patterns_;
  std::vector<Filed> tails_;  // sorted by key
  std::vector<Filed> heads_;
  std::vector<uint32_t> others_;
  std::vector<uint32_t> folders_;  // patterns that hold what is below them
  Bits tail_bits_{};
  Bits head_bits_{};
};

// A number over texts that say which rules hold, for the key of an index.
class Fingerprint {
 public:
  void add(std::string_view text);
  std::string hex() const;

 private:
  uint64_t value_ = 14695981039346656037u;  // FNV-1a
};

}  // namespace ringwall::files
