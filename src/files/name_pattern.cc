#include "files/name_pattern.h"

#include <algorithm>
#include <cstdio>

#include "base/text.h"
#include "policy/pattern.h"
#include "policy/wildcard.h"

namespace ringwall::files {
namespace {

constexpr ptrdiff_t kFiledBy = 3;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// Takes the last name off `path`.
std::string_view take_last(std::string_view& path) {
  size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) {
    std::string_view name = path;
    path = {};
    return name;
  }
  std::string_view name = path.substr(slash + 1);
  path = path.substr(0, slash);
  return name;
}

bool fit_each_other(std::string_view a, std::string_view b) { return fits(a, b) || fits(b, a); }

bool is_any_folders(std::string_view part) { return part == "**"; }

bool is_stars(std::string_view part) {
  return part.size() > 1 && part.find_first_not_of('*') == std::string_view::npos;
}

// "**" twice is "**", and so is "***".
std::string with_any_folders_once(std::string_view text) {
  std::string parts;
  for (std::string_view part : text::split_in_place(text, '/')) {
    bool is_any = is_stars(part);
    if (is_any && is_any_folders(last_name(parts))) continue;
    if (!parts.empty()) parts += '/';
    parts += is_any ? "**" : part;
  }
  return parts;
}

}  // namespace

bool fits(std::string_view name, std::string_view part) {
  return policy::fits_wildcard(name, part, policy::Letters::any_case);
}

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

NamePattern NamePattern::outline(std::string_view text) {
  NamePattern pattern;
  pattern.text_ = text;
  pattern.is_folder_ = text.ends_with('/');
  if (pattern.is_folder_) text.remove_suffix(1);
  pattern.is_anchored_ = text.find('/') != std::string_view::npos;
  if (text.starts_with('/')) text.remove_prefix(1);
  pattern.parts_ = text;
  return pattern;
}

void NamePattern::trim_any_folders() {
  // At the end it is whatever lies in the folder: its entries, with all that they hold.
  if (is_any_folders(last_name(parts_))) parts_.remove_suffix(1);
  if (!parts_.starts_with("**/")) return;
  parts_.remove_prefix(3);
  is_anchored_ = false;
}

Result<NamePattern> NamePattern::parse(std::string_view text) {
  TRY(policy::check_pattern(text));
  NamePattern pattern = outline(policy::without_trailing_spaces(text));
  size_t length = pattern.text_.size();
  pattern.kept_ = std::make_shared<const std::string>(std::string(pattern.text_) +
                                                      with_any_folders_once(pattern.parts_));
  pattern.text_ = std::string_view(*pattern.kept_).substr(0, length);
  pattern.parts_ = std::string_view(*pattern.kept_).substr(length);
  pattern.trim_any_folders();
  return pattern;
}

NamePattern NamePattern::parse_table(std::string_view text) {
  NamePattern pattern = outline(text);
  pattern.trim_any_folders();
  pattern.is_anchored_ = text.starts_with('/');
  pattern.is_of_table_ = true;
  return pattern;
}

NamePattern NamePattern::part(std::string_view parts) const {
  NamePattern one;
  one.kept_ = kept_;
  one.text_ = text_;
  one.parts_ = parts;
  return one;
}

std::vector<NamePattern> NamePattern::beginnings() const {
  std::vector<NamePattern> found;
  for (size_t slash = parts_.find('/'); slash != parts_.npos; slash = parts_.find('/', slash + 1)) {
    std::string_view way = parts_.substr(0, slash);
    // Any folder on the way is none that is named: a link in its place is not either.
    if (is_any_folders(last_name(way))) continue;
    NamePattern& first = found.emplace_back(part(way));
    first.is_anchored_ = is_anchored_;
    first.is_of_table_ = true;
  }
  return found;
}

NamePattern NamePattern::last_alone() const { return part(last_part()); }

// From the last part to the first. Where "**" stands, it is first taken for no folder at all; if
// what stands before it does not fit there, for one more.
bool NamePattern::fits_end_of(std::string_view path) const {
  std::string_view left = parts_;
  std::optional<std::string_view> before_any;
  std::string_view any_ends;  // the path up to where the last "**" ends
  for (;;) {
    if (left.empty() && (!is_anchored_ || path.empty())) return true;
    std::string_view before = left;
    std::string_view part = take_last(before);
    if (is_any_folders(part)) {
      before_any = left = before;
      any_ends = path;
      continue;
    }
    if (!part.empty() && !path.empty() && fits(take_last(path), part)) {
      left = before;
      continue;
    }
    if (!before_any || any_ends.empty()) return false;
    take_last(any_ends);
    path = any_ends;
    left = *before_any;
  }
}

bool NamePattern::matches(std::string_view path, EntryKind kind) const {
  bool is_right_kind = is_of_table_ ? is_folder_ || kind != EntryKind::folder
                                    : !is_folder_ || kind != EntryKind::file;
  return is_right_kind && fits_end_of(path);
}

bool may_overlap(const NamePattern& a, const NamePattern& b) {
  std::string_view in_a = a.parts();
  std::string_view in_b = b.parts();
  while (!in_a.empty() && !in_b.empty()) {
    std::string_view one = take_last(in_a);
    std::string_view other = take_last(in_b);
    if (is_any_folders(one) || is_any_folders(other)) return true;
    if (!fit_each_other(one, other)) return false;
  }
  return true;
}

void PatternSet::Shelf::file(uint32_t key, uint32_t number) {
  uint32_t bit = bit_of(key);
  bits_[bit / 64] |= uint64_t{1} << (bit % 64);
  uint32_t& last = last_[bit % last_.size()];
  filed_.push_back({key, number, last});
  last = static_cast<uint32_t>(filed_.size());
}

void PatternSet::add(NamePattern pattern) {
  auto number = static_cast<uint32_t>(patterns_.size());
  std::string_view last = pattern.last_part();
  auto stands_for_others = [](char c) {
    return c == '*' || c == '?' || c == '[' || c == ']' || c == '\\';
  };
  // Behind the last of these, and before the first, every character stands for itself.
  auto first = std::find_if(last.begin(), last.end(), stands_for_others);
  auto behind = std::find_if(last.rbegin(), last.rend(), stands_for_others);
  if (behind - last.rbegin() >= kFiledBy) {
    tails_.file(key_of(last.data() + last.size() - kFiledBy), number);
  } else if (first - last.begin() >= kFiledBy) {
    heads_.file(key_of(last.data()), number);
  } else {
    others_.push_back(number);
  }
  patterns_.push_back(std::move(pattern));
}

bool PatternSet::may_match(std::string_view name) const {
  return visit(name, [](size_t) { return true; });
}

bool PatternSet::covers(std::string_view path, EntryKind kind) const {
  if (patterns_.empty()) return false;
  if (match(path, kind)) return true;
  for (take_last(path); !path.empty(); take_last(path)) {
    if (match(path, EntryKind::folder)) return true;
  }
  return false;
}

// By words of eight bytes: every start of a run takes thousands of bytes twice.
void Fingerprint::add(std::string_view text) {
  auto take = [&](uint64_t word) {
    value_ = (value_ ^ word) * 0x9e3779b97f4a7c15u;
    value_ ^= value_ >> 32;
  };
  take(text.size());  // "a" "bc" is not "ab" "c"
  for (; !text.empty(); text.remove_prefix(std::min<size_t>(text.size(), 8))) {
    uint64_t word = 0;
    memcpy(&word, text.data(), std::min<size_t>(text.size(), 8));
    take(word);
  }
}

std::string Fingerprint::hex() const {
  char text[17];
  snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value_));
  return text;
}

}  // namespace ringwall::files
