#include "files/name_pattern.h"

#include <algorithm>
#include <cstdio>

#include "base/text.h"
#include "policy/pattern.h"

namespace ringwall::files {
namespace {

constexpr size_t kFiledBy = 3;

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

bool fit_each_other(const std::string& a, const std::string& b) { return fits(a, b) || fits(b, a); }

}  // namespace

bool fits(std::string_view name, std::string_view part) {
  size_t at = 0;
  size_t in_part = 0;
  size_t star = std::string_view::npos;  // the last star seen, and what it took so far ends here
  size_t taken = 0;
  while (at < name.size()) {
    if (in_part < part.size() && part[in_part] == '*') {
      star = in_part++;
      taken = at;
    } else if (in_part < part.size() && part[in_part] == lower(name[at])) {
      at++;
      in_part++;
    } else if (star != std::string_view::npos) {
      in_part = star + 1;
      at = ++taken;
    } else {
      return false;
    }
  }
  while (in_part < part.size() && part[in_part] == '*')
    in_part++;
  return in_part == part.size();
}

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

Result<NamePattern> NamePattern::parse(std::string_view text) {
  if (text.empty()) return fail("is empty");
  TRY(policy::check_pattern(text));
  NamePattern pattern;
  pattern.text_ = text;
  pattern.is_anchored_ = text.starts_with('/');
  pattern.is_folder_ = text.ends_with('/');
  if (pattern.is_anchored_) text.remove_prefix(1);
  if (pattern.is_folder_) text.remove_suffix(1);
  pattern.parts_ = text::split(text, '/');
  for (std::string& part : pattern.parts_)
    std::transform(part.begin(), part.end(), part.begin(), lower);
  return pattern;
}

bool NamePattern::fits_end_of(std::string_view path) const {
  for (size_t i = parts_.size(); i-- > 0;) {
    if (path.empty() || !fits(take_last(path), parts_[i])) return false;
  }
  return !is_anchored_ || path.empty();
}

bool NamePattern::matches(std::string_view path, bool is_folder) const {
  return (is_folder_ || !is_folder) && fits_end_of(path);
}

bool NamePattern::holds(std::string_view path) const {
  if (!is_folder_) return false;
  for (take_last(path); !path.empty(); take_last(path)) {
    if (fits_end_of(path)) return true;
  }
  return false;
}

bool may_overlap(const NamePattern& a, const NamePattern& b) {
  size_t common = std::min(a.parts().size(), b.parts().size());
  return std::equal(a.parts().rbegin(), a.parts().rbegin() + static_cast<ptrdiff_t>(common),
                    b.parts().rbegin(), fit_each_other);
}

void PatternSet::file(std::vector<Filed>& list, Bits& bits, Filed filed) {
  bits[bit_of(filed.key) / 64] |= uint64_t{1} << (bit_of(filed.key) % 64);
  auto place = std::upper_bound(list.begin(), list.end(), filed,
                                [](const Filed& a, const Filed& b) { return a.key < b.key; });
  list.insert(place, filed);
}

size_t PatternSet::first_of(const std::vector<Filed>& list, uint32_t key) {
  auto place = std::lower_bound(list.begin(), list.end(), key,
                                [](const Filed& a, uint32_t wanted) { return a.key < wanted; });
  return static_cast<size_t>(place - list.begin());
}

void PatternSet::add(NamePattern pattern) {
  auto number = static_cast<uint32_t>(patterns_.size());
  if (pattern.is_folder()) folders_.push_back(number);
  const std::string last = pattern.parts().back();
  patterns_.push_back(std::move(pattern));
  size_t star = last.rfind('*');
  size_t tail = star == std::string::npos ? last.size() : last.size() - star - 1;
  size_t head = std::min(last.find('*'), last.size());
  if (tail >= kFiledBy) {
    file(tails_, tail_bits_, {key_of(last.data() + last.size() - kFiledBy), number});
  } else if (head >= kFiledBy) {
    file(heads_, head_bits_, {key_of(last.data()), number});
  } else {
    others_.push_back(number);
  }
}

bool PatternSet::may_match(std::string_view name) const {
  return visit(name, [](size_t) { return true; });
}

bool PatternSet::covers(std::string_view path, bool is_folder) const {
  if (patterns_.empty()) return false;
  if (match(path, is_folder)) return true;
  return std::any_of(folders_.begin(), folders_.end(),
                     [&](uint32_t number) { return patterns_[number].holds(path); });
}

void Fingerprint::add(std::string_view text) {
  auto take = [&](unsigned char byte) { value_ = (value_ ^ byte) * 1099511628211u; };
  for (char c : text)
    take(static_cast<unsigned char>(c));
  take(0);  // "a" "bc" is not "ab" "c"
}

std::string Fingerprint::hex() const {
  char text[17];
  snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value_));
  return text;
}

}  // namespace ringwall::files
