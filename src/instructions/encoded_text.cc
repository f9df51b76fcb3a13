#include "instructions/encoded_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/text.h"
#include "instructions/character_reference.h"
#include "instructions/code_points.h"
#include "instructions/hidden_characters.h"
#include "instructions/instruction_phrases.h"

namespace ringwall::instructions {
namespace {

constexpr size_t kShortestBlob = 24;
constexpr size_t kShortestHex = 40;
constexpr size_t kFewestEscapes = 8;
constexpr std::string_view kEncoded = "encoded instructions";

int base64_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return -1;
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decode_base64(std::string_view blob) {
  std::string out;
  uint32_t bits = 0;
  int count = 0;
  for (char c : blob) {
    bits = bits << 6 | static_cast<uint32_t>(base64_value(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xff);
  }
  return out;
}

std::string decode_hex(std::string_view blob) {
  std::string out;
  for (size_t i = 0; i + 1 < blob.size(); i += 2)
    out += static_cast<char>(hex_value(blob[i]) << 4 | hex_value(blob[i + 1]));
  return out;
}

// Pictures and hashes decode to anything, text to text.
bool is_text(std::string_view decoded) {
  size_t strange = 0;
  for (size_t at = 0; at < decoded.size();) {
    CodePoint point = code_point_at(decoded, at);
    strange += point.code == kBroken || is_control(point.code);
    at += point.size;
  }
  return !decoded.empty() && strange * 20 <= decoded.size();
}

int heaviest(std::string_view text) {
  int weight = 0;
  for (const Phrase& phrase : find_phrases(text))
    weight = std::max(weight, phrase.weight);
  return weight;
}

// Orders around a blob, in a program's words or in a person's.
int weigh_neighbours(std::string_view text, size_t from, size_t to) {
  constexpr size_t kNear = 160;
  size_t begin = from > kNear ? from - kNear : 0;
  std::string near = text::in_small_letters(text.substr(begin, from - begin)) + " \n " +
                     text::in_small_letters(text.substr(to, kNear));
  auto has = [&](std::string_view word) { return near.find(word) != std::string::npos; };
  bool decodes = has("base64 -d") || has("base64 --decode") || has("b64decode") || has("atob(") ||
                 has("base64 -di") || has("xxd -r") || has("fromhex");
  // Not "| sha256sum".
  auto feeds = [&](std::string_view shell) {
    size_t at = near.find(shell);
    return at != std::string::npos &&
           (at + shell.size() == near.size() || base64_value(near[at + shell.size()]) < 0);
  };
  bool runs = feeds("| sh") || feeds("|sh") || feeds("| bash") || feeds("|bash") || has("eval") ||
              has("exec(") || has("| python") || has("source /dev/stdin");
  if (decodes && runs) return 7;
  bool told = std::ranges::any_of(find_phrases(near), [](const Phrase& phrase) {
    return phrase.kind == "a demand for acts" && phrase.weight == 3 && !phrase.is_talked_of;
  });
  return told ? 6 : 0;
}

void judge_blob(std::string_view text, size_t from, size_t to, std::string_view decoded,
                std::vector<Finding>& findings) {
  int weight = is_text(decoded) ? heaviest(decoded) : 0;
  if (weight >= 2) {
    findings.push_back(
        {std::string(kEncoded), excerpt_of(decoded, 0), from, std::min(10, weight + 4)});
    return;
  }
  int around = weigh_neighbours(text, from, to);
  if (around > 0)
    findings.push_back(
        {"a blob that is to be decoded and run", excerpt_of(text, from), from, around});
}

void find_blobs(std::string_view text, std::vector<Finding>& findings) {
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    bool is_hex = true, has_capital = false, has_digit = false;
    for (; end < text.size() && base64_value(text[end]) >= 0; end++) {
      is_hex = is_hex && hex_value(text[end]) >= 0;
      has_capital = has_capital || (text[end] >= 'A' && text[end] <= 'Z');
      has_digit = has_digit || (text[end] >= '0' && text[end] <= '9');
    }
    std::string_view run = text.substr(at, end - at);
    if (is_hex && run.size() >= kShortestHex) {
      judge_blob(text, at, end, decode_hex(run), findings);
    } else if (run.size() >= kShortestBlob && has_capital && has_digit) {
      // Long names and paths are of these characters too; they decode to no text.
      judge_blob(text, at, end, decode_base64(run), findings);
    }
    at = std::max(end, at + 1);
  }
}

// One escape at the beginning: what it stands for, and its size.
std::optional<CodePoint> escape_at(std::string_view rest) {
  auto number = [&](size_t from, size_t digits) -> std::optional<uint32_t> {
    if (from + digits > rest.size()) return std::nullopt;
    uint32_t value = 0;
    for (size_t i = from; i < from + digits; i++) {
      int digit = hex_value(rest[i]);
      if (digit < 0) return std::nullopt;
      value = value << 4 | static_cast<uint32_t>(digit);
    }
    return value;
  };
  if (rest[0] == '%') {
    auto value = number(1, 2);
    return value ? std::optional(CodePoint{*value, 3}) : std::nullopt;
  }
  if (rest.starts_with("\\u") || rest.starts_with("\\x")) {
    size_t digits = rest[1] == 'u' ? 4 : 2;
    auto value = number(2, digits);
    return value ? std::optional(CodePoint{*value, 2 + digits}) : std::nullopt;
  }
  return character_reference_at(rest);
}

void find_escapes(std::string_view text, std::vector<Finding>& findings) {
  std::string decoded;
  size_t letters = 0, first = text.npos, from = 0;
  for (size_t at = text.find_first_of("%\\&"); at < text.size();
       at = text.find_first_of("%\\&", at + 1)) {
    auto escape = escape_at(text.substr(at));
    if (!escape) continue;
    decoded += text.substr(from, at - from);
    append_code_point(decoded, escape->code);
    if (escape->code < 0x80 && look_alike(escape->code) != 0) {
      letters++;
      first = std::min(first, at);
    }
    from = at + escape->size;
    at = from - 1;
  }
  if (letters < kFewestEscapes) return;
  decoded += text.substr(from);
  int weight = heaviest(decoded);
  if (weight >= 2 && weight > heaviest(text))
    findings.push_back(
        {std::string(kEncoded), excerpt_of(text, first), first, std::min(10, weight + 4)});
}

char rot13(char c) {
  if (c >= 'a' && c <= 'z') return static_cast<char>('a' + (c - 'a' + 13) % 26);
  if (c >= 'A' && c <= 'Z') return static_cast<char>('A' + (c - 'A' + 13) % 26);
  return c;
}

// Whole texts in another spelling are worth decoding only if a word gives them away.
void find_respelled(std::string_view text, std::vector<Finding>& findings) {
  std::string small = text::in_small_letters(text);
  size_t at = small.find("vafgehpgvba");
  if (at == std::string::npos) at = small.find("cerivbhf");
  if (at != std::string::npos) {
    std::string turned(text);
    std::ranges::transform(turned, turned.begin(), rot13);
    if (heaviest(turned) >= 3)
      findings.push_back({std::string(kEncoded), excerpt_of(turned, at), at, 8});
  }
  at = small.find("noitcurtsni");
  if (at == std::string::npos) at = small.find("snoitcurtsni");
  if (at == std::string::npos) at = small.find("suoiverp");
  if (at == std::string::npos) return;
  std::string turned(text.rbegin(), text.rend());
  if (heaviest(turned) >= 3)
    findings.push_back({std::string(kEncoded), excerpt_of(text, at), at, 8});
}

}  // namespace

void find_encoded(std::string_view text, std::vector<Finding>& findings) {
  find_blobs(text, findings);
  find_escapes(text, findings);
  find_respelled(text, findings);
}

}  // namespace ringwall::instructions
