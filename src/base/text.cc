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

// C1 controls (a terminal may obey them) and marks that reorder or hide text on the screen.
bool is_deceptive(std::string_view sequence) {
  if (sequence.size() == 2) {
    bool control = static_cast<unsigned char>(sequence[0]) == 0xc2 &&
                   static_cast<unsigned char>(sequence[1]) < 0xa0;
    return control || sequence == "\xd8\x9c";  // the Arabic letter mark turns text around
  }
  if (sequence.size() != 3) return false;
  std::string_view head = sequence.substr(0, 2);
  auto last = static_cast<unsigned char>(sequence[2]);
  if (head == "\xe2\x80") return (last >= 0x8b && last <= 0x8f) || (last >= 0xa8 && last <= 0xae);
  if (head == "\xe2\x81") return last >= 0xa0 && last <= 0xaf;
  return sequence == "\xef\xbb\xbf";
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
    auto c = static_cast<unsigned char>(untrusted[i]);
    bool obeyed = length == 0 || is_deceptive(sequence) || (length == 1 && (c < 0x20 || c == 0x7f));
    if (!obeyed && also.find(static_cast<char>(c)) == also.npos) {
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
  for (size_t i = 0; i < serialized.size();) {
    size_t length = utf8_length(serialized, i);
    std::string_view sequence = serialized.substr(i, std::max<size_t>(length, 1));
    if (length == 0) {
      out += "\\ufffd";
    } else if (length == 2 && static_cast<unsigned char>(sequence[0]) == 0xc2 &&
               static_cast<unsigned char>(sequence[1]) < 0xa0) {
      char escape[8];
      snprintf(escape, sizeof escape, "\\u00%02x", static_cast<unsigned char>(sequence[1]));
      out += escape;
    } else {
      out += sequence;
    }
    i += sequence.size();
  }
  return out;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (!out.empty()) out += separator;
    out += part;
  }
  return out;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  size_t start = 0;
  while (true) {
    size_t end = text.find(separator, start);
    if (end == std::string_view::npos) {
      parts.emplace_back(text.substr(start));
      return parts;
    }
    parts.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
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
