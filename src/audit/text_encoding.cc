#include "audit/text_encoding.h"

#include <cstdint>

#include "instructions/code_points.h"

namespace ringwall::audit {

std::string decode_utf16(std::string_view bytes) {
  bool is_little = bytes.starts_with("\xff\xfe");
  if (!is_little && !bytes.starts_with("\xfe\xff")) return {};
  auto unit_at = [&](size_t at) {
    auto first = static_cast<unsigned char>(bytes[at]);
    auto second = static_cast<unsigned char>(bytes[at + 1]);
    return uint32_t{is_little ? first : second} | uint32_t{is_little ? second : first} << 8;
  };
  std::string text;
  for (size_t at = 2; at + 1 < bytes.size(); at += 2) {
    uint32_t code = unit_at(at);
    bool is_first = code >= 0xd800 && code < 0xdc00;
    if (is_first && at + 3 < bytes.size()) {
      uint32_t second = unit_at(at + 2);
      if (second >= 0xdc00 && second < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
        at += 2;
      }
    }
    instructions::append_code_point(text,
                                    code >= 0xd800 && code < 0xe000 ? instructions::kBroken : code);
  }
  return text;
}

}  // namespace ringwall::audit
