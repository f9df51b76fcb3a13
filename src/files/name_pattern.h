// Names of files, as the tables of this room and the policy write them, matched against the end of
// a path: ".envrc", ".vscode/", ".claude/settings*.json", "/top".
//
// A person's pattern means what git makes of it in a .gitignore at the workspace's top
// (policy/pattern.h). The tables differ in two things that their names need: "A/B" fits at any
// depth, and "NAME" is never a folder.
//
// ASCII case is ignored: on a Windows drive under WSL and in a casefolded folder, .GIT is .git, and
// where it is not, guarding it too costs nothing. PatternSet asks many patterns at once and is fast
// enough for every file of a big tree.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ringwall::files {

// What stands at a path. A link may lead to a folder.
enum class EntryKind { file, folder, link };

// To be raised when patterns come to mean something else: indexes made before are then made anew.
inline constexpr std::string_view kPatternRules = "patterns 3";

// One name against one part of a pattern: `*`, `?`, `[a-z]` and `\` as in .gitignore. A slash in
// the name fits a slash only.
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
  static Result<NamePattern> parse(std::string_view text);  // as a person writes it
  // As the tables do; `text` stays where it is. Neither copied nor checked: every start of a run
  // takes hundreds of them, and the tests check each one.
  static NamePattern parse_table(std::string_view text);

  // `path` is relative to the workspace. A person's "NAME/" fits folders, and links, which may lead
  // to one; "NAME" fits everything. In a table "NAME/" fits everything, "NAME" all but a folder.
  bool matches(std::string_view path, EntryKind kind) const;

  // What lies on the way to what it names: "a/b" of "a/b/c", but not "a/**"; each for what is no
  // folder.
  std::vector<NamePattern> beginnings() const;
  // The last part alone, at any depth, for everything.
  NamePattern last_alone() const;

  // Both end with the last copy of this pattern, if it is a person's.
  std::string_view text() const { return text_; }
  std::string_view parts() const { return parts_; }
  std::string_view last_part() const { return last_name(parts_); }
  bool is_folder() const { return is_folder_; }

 private:
  static NamePattern outline(std::string_view text);
  void trim_any_folders();
  NamePattern part(std::string_view parts) const;
  bool fits_end_of(std::string_view path) const;

  std::shared_ptr<const std::string> kept_;  // what the views look at, unless that is in a table
  std::string_view text_;
  // With slashes between them; "**" in the middle stands for any number of folders, also none.
  std::string_view parts_;
  bool is_folder_ = false;
  bool is_anchored_ = false;
  bool is_of_table_ = false;
};

// Some path is named by both, as far as their texts tell.
bool may_overlap(const NamePattern& a, const NamePattern& b);

class PatternSet {
 public:
  void reserve(size_t count) { patterns_.reserve(count); }
  void add(NamePattern pattern);  // numbered from 0
  size_t size() const { return patterns_.size(); }
  const NamePattern& operator[](size_t number) const { return patterns_[number]; }

  // Could a path that ends with this name be matched?
  bool may_match(std::string_view name) const;

  // The first pattern that fits and of which `accept(number)` is true.
  template <class Accept>
  std::optional<size_t> match(std::string_view path, EntryKind kind, Accept accept) const {
    if (patterns_.empty()) return std::nullopt;
    std::string_view name = last_name(path);
    std::optional<size_t> found;
    visit(name, [&](size_t number) {
      if ((!found || number < *found) && patterns_[number].matches(path, kind) && accept(number))
        found = number;
      return false;
    });
    return found;
  }
  std::optional<size_t> match(std::string_view path, EntryKind kind) const {
    return match(path, kind, [](size_t) { return true; });
  }
  // A pattern fits `path` or a folder that holds it.
  bool covers(std::string_view path, EntryKind kind) const;

 private:
  // A pattern is filed by the last three bytes of its last part, or by the first three when other
  // characters may stand for those. So nearly every name of a tree is told apart by one look at two
  // bits.
  class Shelf {
   public:
    void file(uint32_t key, uint32_t number);
    bool may_hold(uint32_t key) const {
      uint32_t bit = bit_of(key);
      return (bits_[bit / 64] >> (bit % 64) & 1) != 0;
    }
    // Calls visit(number) for what was filed by this key, until it returns true.
    template <class Visit>
    bool visit(uint32_t key, Visit visitor) const {
      for (uint32_t at = last_[bit_of(key) % last_.size()]; at != 0; at = filed_[at - 1].before) {
        if (filed_[at - 1].key == key && visitor(filed_[at - 1].number)) return true;
      }
      return false;
    }

   private:
    struct Filed {
      uint32_t key;
      uint32_t number;
      uint32_t before;  // as in last_
    };
    static uint32_t bit_of(uint32_t key) { return (key * 2654435761u) >> 20; }

    std::vector<Filed> filed_;
    std::array<uint64_t, 64> bits_{};
    std::array<uint32_t, 64> last_{};  // where in filed_ the last one is, counted from 1
  };

  static uint32_t key_of(const char* three) {
    auto byte = [&](int i) { return static_cast<uint32_t>(static_cast<unsigned char>(three[i])); };
    return (byte(0) << 16 | byte(1) << 8 | byte(2)) | 0x202020;
  }

  // Calls visit(number) for the patterns whose last part fits `name`, until it returns true.
  template <class Visit>
  bool visit(std::string_view name, Visit visitor) const {
    auto try_one = [&](uint32_t number) {
      return fits(name, patterns_[number].last_part()) && visitor(number);
    };
    if (name.size() >= 3) {
      uint32_t tail = key_of(name.data() + name.size() - 3);
      if (tails_.may_hold(tail) && tails_.visit(tail, try_one)) return true;
      uint32_t head = key_of(name.data());
      if (heads_.may_hold(head) && heads_.visit(head, try_one)) return true;
    }
    return std::any_of(others_.begin(), others_.end(), try_one);
  }

  std::vector<NamePattern> patterns_;
  Shelf tails_;
  Shelf heads_;
  std::vector<uint32_t> others_;
};

// A number over texts that say which rules hold, for the key of an index.
class Fingerprint {
 public:
  void add(std::string_view text);
  std::string hex() const;

 private:
  uint64_t value_ = 14695981039346656037u;
};

}  // namespace ringwall::files
