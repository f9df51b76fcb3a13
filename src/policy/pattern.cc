#include "policy/pattern.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "base/text.h"

namespace ringwall::policy {
namespace {

struct NamedClass {
  std::string_view name;
  int (*has)(int);
};
constexpr NamedClass kNamedClasses[] = {
    {"alnum", isalnum}, {"alpha", isalpha}, {"blank", isblank}, {"cntrl", iscntrl},
    {"digit", isdigit}, {"graph", isgraph}, {"lower", islower}, {"print", isprint},
    {"punct", ispunct}, {"space", isspace}, {"upper", isupper}, {"xdigit", isxdigit},
};

bool add_named(std::string_view name, PatternClass& into) {
  for (const NamedClass& known : kNamedClasses) {
    if (known.name != name) continue;
    for (int c = 0; c < 128; c++) {
      if (known.has(c) != 0) into.members.set(static_cast<size_t>(c));
    }
    return true;
  }
  return false;
}

// Reads what stands between the brackets, item by item.
class ClassReader {
 public:
  ClassReader(std::string_view text, size_t at) : text_(text), at_(at + 1) {}

  std::optional<PatternClass> read() {
    if (at_ < text_.size() && (text_[at_] == '!' || text_[at_] == '^')) {
      found_.is_negated = true;
      at_++;
    }
    // A closing bracket at the first place is a member.
    for (bool is_first = true; at_ < text_.size(); is_first = false) {
      if (text_[at_] == ']' && !is_first) {
        found_.end = at_ + 1;
        return found_;
      }
      if (!read_item()) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  bool read_item() {
    if (text_.substr(at_).starts_with("[:")) {
      size_t close = text_.find(']', at_ + 2);
      if (close == std::string_view::npos) return false;
      if (close > at_ + 2 && text_[close - 1] == ':') {
        std::string_view name = text_.substr(at_ + 2, close - 1 - (at_ + 2));
        at_ = close + 1;
        return add_named(name, found_);
      }
    }
    std::optional<unsigned char> first = read_character();
    if (!first) return false;
    bool is_range = at_ + 1 < text_.size() && text_[at_] == '-' && text_[at_ + 1] != ']';
    if (!is_range) {
      found_.members.set(*first);
      return true;
    }
    at_++;
    std::optional<unsigned char> last = read_character();
    if (!last) return false;
    for (size_t c = *first; c <= *last; c++)
      found_.members.set(c);
    return true;
  }

  std::optional<unsigned char> read_character() {
    if (at_ < text_.size() && text_[at_] == '\\') at_++;
    if (at_ >= text_.size()) return std::nullopt;
    return static_cast<unsigned char>(text_[at_++]);
  }

  std::string_view text_;
  size_t at_;
  PatternClass found_;
};

Status check_class(std::string_view part, size_t at, size_t& end) {
  auto found = read_class(part, at);
  if (!found) {
    return fail("has a '[' that no ']' closes, or an unknown [:class:]",
                "write \\[ for the bracket itself; a '/' cannot stand in brackets");
  }
  end = found->end;
  if (found->members.none()) return fail("has brackets that no character fits");
  std::string_view text = part.substr(at, end - at);
  if (std::any_of(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; })) {
    return fail("has a letter beyond ASCII in brackets",
                "brackets stand for one byte; write one pattern for each name");
  }
  return {};
}

// The characters of one part, between slashes.
Status check_characters(std::string_view part) {
  bool is_stars = part.find_first_not_of('*') == std::string_view::npos;
  for (size_t at = 0; at < part.size();) {
    switch (part[at]) {
      case '*':
        // Git takes it for one star or for folders, after what stands before it.
        if (!is_stars && part.substr(at).starts_with("**"))
          return fail("has '**' beside other characters", "write '*', or '/**/' for any folders");
        at++;
        break;
      case '\\':
        if (at + 1 == part.size()) {
          return fail("has a '\\' with nothing to stand for",
                      "write \\\\ for the backslash itself, and '/' without one");
        }
        at += 2;
        break;
      case '[':
        TRY(check_class(part, at, at));
        break;
      case '{':
      case '}':
        // In other languages of patterns they mean something, here they would quietly fit nothing.
        return fail("has one of { }",
                    "write one pattern for each name, or \\{ for the brace itself");
      default:
        at++;
    }
  }
  return {};
}

Status check_part(std::string_view part) {
  if (part.empty()) return fail("has an empty part", "write each '/' once, and a name");
  if (part == "." || part == "..") {
    return fail("has a part that is '.' or '..'",
                "a name fits at any depth; a leading '/' is the workspace's top");
  }
  return check_characters(part);
}

// What means something at the beginning of a line of .gitignore, or of a path elsewhere.
Status check_beginning(std::string_view pattern) {
  if (pattern.starts_with('!')) {
    return fail("starts with '!'",
                "exceptions are files.show and files.unprotect; \\! is the character itself");
  }
  if (pattern.starts_with('#'))
    return fail("starts with '#', which is a comment", "write \\# for the character itself");
  if (pattern.starts_with("~/") || pattern == "~")
    return fail("starts with '~'", "names are relative to the workspace");
  return {};
}

// Stars and at most one '?': whatever name there is.
bool is_any_name(std::string_view part) {
  bool has_star = part.find('*') != std::string_view::npos;
  return has_star && part.find_first_not_of("*?") == std::string_view::npos &&
         std::count(part.begin(), part.end(), '?') <= 1;
}

}  // namespace

std::optional<PatternClass> read_class(std::string_view pattern, size_t at) {
  return ClassReader(pattern, at).read();
}

std::string_view without_trailing_spaces(std::string_view pattern) {
  size_t end = 0;
  for (size_t at = 0; at < pattern.size(); at++) {
    if (pattern[at] == '\\' && at + 1 < pattern.size()) {
      end = ++at + 1;
    } else if (pattern[at] != ' ') {
      end = at + 1;
    }
  }
  return pattern.substr(0, end);
}

Status check_pattern(std::string_view pattern) {
  if (pattern.size() > kLongestPattern)
    return fail("is longer than " + std::to_string(kLongestPattern) + " bytes");
  if (std::any_of(pattern.begin(), pattern.end(),
                  [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    return fail("holds a control character", "write ? in its place");
  pattern = without_trailing_spaces(pattern);
  if (pattern.empty()) return fail("is empty", "a space at the end counts only as '\\ '");
  TRY(check_beginning(pattern));
  if (pattern.find_first_not_of('/') == std::string_view::npos)
    return fail("names nothing", "write the name of a file or folder");
  if (pattern.starts_with('/')) pattern.remove_prefix(1);
  if (pattern.ends_with('/')) pattern.remove_suffix(1);
  for (const std::string& part : text::split(pattern, '/'))
    TRY(check_part(part));
  return {};
}

bool fits_everything(std::string_view pattern) {
  for (const std::string& part : text::split(without_trailing_spaces(pattern), '/')) {
    if (!part.empty() && !is_any_name(part)) return false;
  }
  return true;
}

}  // namespace ringwall::policy
