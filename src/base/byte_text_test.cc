#include "base/byte_text.h"

#include <gtest/gtest.h>

namespace ringwall {
namespace {

TEST(ByteText, BringsEveryByteBack) {
  std::string bytes;
  for (int byte = 0; byte < 256; byte++)
    bytes += static_cast<char>(byte);
  std::string text = text_of_bytes(bytes);
  for (char c : text)
    EXPECT_TRUE(c > 0x20 && c < 0x7f);
  EXPECT_EQ(bytes_of_text(text), bytes);
  EXPECT_EQ(text_of_bytes("a b%"), "a%20b%25");
}

TEST(ByteText, TakesNothingElse) {
  for (const char* text : {"%", "%2", "a%2", "%zz", "%2G", "%A0"})
    EXPECT_EQ(bytes_of_text(text), std::nullopt) << text;
  EXPECT_EQ(bytes_of_text("plain words"), "plain words");
}

}  // namespace
}  // namespace ringwall
