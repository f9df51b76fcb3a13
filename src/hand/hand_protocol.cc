#include "hand/hand_protocol.h"

#include "base/fixed_message.h"

namespace ringwall::hand {

Result<HandOrder> parse_hand_order(std::string_view bytes) {
  TRY_ASSIGN(HandOrder order,
             fixed::parse<HandOrder>(bytes, "a hand's", HandOrder::Type::try_acts));
  fixed::end_text(order.path);
  return order;
}

Result<HandNotice> parse_hand_notice(std::string_view bytes) {
  TRY_ASSIGN(HandNotice notice,
             fixed::parse<HandNotice>(bytes, "a hand's", HandNotice::Type::acts_done));
  fixed::end_text(notice.text);
  return notice;
}

}  // namespace ringwall::hand
