#include "sandbox/messages.h"

#include <gtest/gtest.h>

#include <cstring>

namespace ringwall::sandbox {

TEST(Messages, SpawnRequestSurvivesTheJourney) {
  SpawnRequest request{"", {"sh", "-c", "echo ü\n"}, "/w"};
  auto back = decode_spawn_request(encode(request));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->arguments, request.arguments);
  EXPECT_EQ(back->working_folder, "/w");
}

TEST(Messages, CutSpawnRequestsAreRefusedAtEveryLength) {
  std::string whole = encode({"", {"a", "bc"}, "/w"});
  size_t first_argument = encode({"", {"a"}, "/w"}).size();
  for (size_t length = 0; length < whole.size(); length++) {
    if (length == first_argument) continue;  // a whole, shorter request
    EXPECT_FALSE(decode_spawn_request(whole.substr(0, length))) << length;
  }
}

TEST(Messages, ZeroBytesInTextsAreRefused) {
  EXPECT_FALSE(decode_spawn_request(encode({"", {std::string("a\0b", 3)}, ""})));
}

TEST(Messages, NoticeIsCheckedBeforeItIsBelieved) {
  Notice notice{MessageType::exited, 3, 256};
  memset(notice.step, 'x', sizeof notice.step);
  std::string bytes(reinterpret_cast<const char*>(&notice), sizeof notice);
  auto parsed = parse_notice(bytes);
  ASSERT_TRUE(parsed);
  EXPECT_LT(strlen(parsed->step), sizeof notice.step);
  EXPECT_FALSE(parse_notice(bytes.substr(1)));
  notice.type = static_cast<MessageType>(99);
  EXPECT_FALSE(parse_notice({reinterpret_cast<const char*>(&notice), sizeof notice}));
}

}  // namespace ringwall::sandbox
