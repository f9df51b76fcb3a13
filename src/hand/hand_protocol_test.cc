#include "hand/hand_protocol.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "base/config_update.h"

namespace ringwall::hand {
namespace {

TEST(HandProtocol, TakesOnlyWholeMessagesOfKnownTypes) {
  HandOrder order{HandOrder::Type::renew_mask, 7};
  strcpy(order.path, "/w/.env");
  auto back = parse_hand_order(fixed::bytes_of(order));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->id, 7u);
  EXPECT_STREQ(back->path, "/w/.env");
  EXPECT_FALSE(parse_hand_order(fixed::bytes_of(order).substr(1)));
  EXPECT_FALSE(parse_hand_order(std::string(fixed::bytes_of(order)) + "x"));
  for (uint32_t type : {0u, 5u, 0xffffffffu}) {
    order.type = static_cast<HandOrder::Type>(type);
    EXPECT_FALSE(parse_hand_order(fixed::bytes_of(order))) << type;
  }
}

TEST(HandProtocol, EndsTextsThatHaveNoEnd) {
  HandNotice notice{HandNotice::Type::refused_update};
  memset(notice.text, 'x', sizeof notice.text);
  auto back = parse_hand_notice(fixed::bytes_of(notice));
  ASSERT_TRUE(back);
  EXPECT_EQ(strlen(back->text), sizeof notice.text - 1);
  notice.type = static_cast<HandNotice::Type>(6);
  EXPECT_FALSE(parse_hand_notice(fixed::bytes_of(notice)));

  ConfigUpdateAnswer answer;
  memset(answer.text, 'x', sizeof answer.text);
  auto told = parse_update_answer(fixed::bytes_of(answer));
  ASSERT_TRUE(told);
  EXPECT_EQ(strlen(told->text), sizeof answer.text - 1);
  EXPECT_FALSE(parse_update_answer("x"));
  EXPECT_FALSE(parse_update_ask(""));
}

}  // namespace
}  // namespace ringwall::hand
