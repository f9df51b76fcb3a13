#include "base/text.h"

#include <algorithm>
#include <cstdio>

namespace ringwall::text {
namespace {

// Length of the well-formed UTF-8 sequence at `at`, 0 if it is broken or overlong.
size_t utf8_length(std::string_view text, size_t at) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[at + i]); };
  unsigned char first = byte(0);
  size_t length = first < 0x80   ? 1
                  : first < 0xc2 ? 0
                  : first < 0xe0 ? 2
                  : first < 0xf0 ? 3
                  : first < 0xf5 ? 4
                                 : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (size_t i = 1; i < length; i++) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  if (length == 3 && first == 0xe0 && byte(1) < 0xa0) return 0;
  if (length == 3 && first == 0xed && byte(1) >= 0xa0) return 0;  // surrogates
  if (length == 4 && first == 0xf0 && byte(1) < 0x90) return 0;
  if (length == 4 && first == 0xf4 && byte(1) >= 0x90) return 0;
  return length;
}

// Of a well-formed sequence.
uint32_t decode_utf8(std::string_view sequence) {
  constexpr unsigned kFirstBits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  uint32_t code = static_cast<unsigned char>(sequence[0]) & kFirstBits[sequence.size()];
  for (char c : sequence.substr(1))
    code = code << 6 | (static_cast<unsigned char>(c) & 0x3f);
  return code;
}

// C1 controls (a terminal may obey them), and what reorders text on the screen or takes no room on
// it.
bool is_deceptive(uint32_t code) {
  static constexpr struct {
    uint32_t first, last;
  } kRanges[] = {
      {0x7f, 0x9f},      // controls
      {0xad, 0xad},      // the soft hyphen
      {0x61c, 0x61c},    // the Arabic letter mark turns text around
      {0x115f, 0x1160},  // fillers
      {0x17b4, 0x17b5},   {0x180b, 0x180f}, {0x200b, 0x200f},  // no width, and marks of direction
      {0x2028, 0x202e},  // ends of lines, and marks of direction
      {0x2060, 0x206f},   {0x3164, 0x3164}, {0xfeff, 0xfeff},
      {0xffa0, 0xffa0},   {0xfff9, 0xfffb},  // annotations
      {0xe0000, 0xe0fff},                    // tags
  };
  return std::ranges::any_of(
      kRanges, [&](const auto& range) { return code >= range.first && code <= range.last; });
}

bool is_plain(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./:@%+=,~").find(static_cast<char>(c)) != std::string_view::npos;
}

std::string escape_bytes(std::string_view untrusted, std::string_view also) {
  std::string out;
  for (size_t i = 0; i < untrusted.size();) {
    size_t length = utf8_length(untrusted, i);
    std::string_view sequence = untrusted.substr(i, std::max<size_t>(length, 1));
    uint32_t code = length == 0 ? 0 : decode_utf8(sequence);
    bool obeyed = code < 0x20 || is_deceptive(code);
    if (!obeyed && also.find(untrusted[i]) == also.npos) {
      out += sequence;
    } else {
      for (char byte : sequence) {
        char hex[8];
        snprintf(hex, sizeof hex, "\\x%02x", static_cast<unsigned char>(byte));
        out += hex;
      }
    }
    i += sequence.size();
  }
  return out;
}

// \uNNNN; of what lies above U+FFFF two of them.
std::string json_escape(uint32_t code) {
  char text[16];
  if (code <= 0xffff) {
    snprintf(text, sizeof text, "\\u%04x", code);
  } else {
    snprintf(text, sizeof text, "\\u%04x\\u%04x", 0xd800 + ((code - 0x10000) >> 10),
             0xdc00 + ((code - 0x10000) & 0x3ff));
  }
  return text;
}

}  // namespace

std::string escape(std::string_view untrusted) { return escape_bytes(untrusted, "\\"); }

std::string quote(std::string_view untrusted) {
  std::string out = escape_bytes(untrusted, "\\'");
  // An escape leaves a backslash, which is not plain.
  bool plain = !out.empty() && std::all_of(out.begin(), out.end(), [](char c) {
    return is_plain(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80;
  });
  return plain ? out : "'" + out + "'";
}

std::string harmless_json(std::string_view serialized) {
  std::string out;
  out.reserve(serialized.size());
  for (size_t i = 0; i < serialized.size();) {
    size_t plain = i;
    while (i < serialized.size() && serialized[i] >= 0x20 && serialized[i] < 0x7f)
      i++;
    out += serialized.substr(plain, i - plain);
    if (i == serialized.size()) break;
    size_t length = utf8_length(serialized, i);
    std::string_view sequence = serialized.substr(i, std::max<size_t>(length, 1));
    uint32_t code = length == 0 ? 0xfffd : decode_utf8(sequence);
    // Between its strings JSON may have ends of lines.
    bool is_control = code < 0x20 && code != '\n';
    out +=
        length == 0 || is_control || is_deceptive(code) ? json_escape(code) : std::string(sequence);
    i += sequence.size();
  }
  return out;
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return small;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (!out.empty()) out += separator;
    out += part;
  }
  return out;
}

std::vector<std::string_view> split_in_place(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  size_t start = 0;
  while (true) {
    size_t end = text.find(separator, start);
    parts.push_back(text.substr(start, end - start));
    if (end == std::string_view::npos) return parts;
    start = end + 1;
  }
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts = split_in_place(text, separator);
  return {parts.begin(), parts.end()};
}

bool matches(std::string_view name, std::string_view pattern) {
  if (pattern.starts_with('*')) return name.ends_with(pattern.substr(1));
  if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
  return name == pattern;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  while (!text.empty() && std::string_view(" \t\r\n").find(text.back()) != std::string_view::npos) {
    text.remove_suffix(1);
  }
  return text;
}

namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); j++)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); j++) {
      size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  std::string best;
  size_t best_distance = std::max<size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    size_t distance = edit_distance(word.substr(0, 64), candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace ringwall::text
