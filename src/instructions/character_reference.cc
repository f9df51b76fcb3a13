#include "instructions/character_reference.h"

#include <charconv>

namespace ringwall::instructions {
namespace {

constexpr uint32_t kLastCode = 0x10ffff;

}  // namespace

std::optional<CodePoint> character_reference_at(std::string_view rest) {
  if (!rest.starts_with("&#")) return std::nullopt;
  bool is_hex = rest.size() > 2 && (rest[2] == 'x' || rest[2] == 'X');
  size_t from = is_hex ? 3 : 2;
  std::string_view digits = rest.substr(from);
  uint32_t code = 0;
  auto read = std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hex ? 16 : 10);
  if (read.ec != std::errc() || code > kLastCode) return std::nullopt;
  size_t end = from + static_cast<size_t>(read.ptr - digits.data());
  if (end < rest.size() && rest[end] == ';') end++;
  return CodePoint{code, end};
}

std::string with_references_resolved(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    auto reference = character_reference_at(text.substr(at));
    if (reference) {
      append_code_point(out, reference->code);
      at += reference->size;
    } else {
      out += text[at++];
    }
  }
  return out;
}

}  // namespace ringwall::instructions
