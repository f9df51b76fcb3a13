#include "net/relay_protocol.h"

#include "base/fixed_message.h"

namespace ringwall::net {

Result<RelayNotice> parse_relay_notice(std::string_view bytes) {
  TRY_ASSIGN(RelayNotice notice,
             fixed::parse<RelayNotice>(bytes, "a network relay's", RelayNotice::Type::finished));
  fixed::end_text(notice.to.name);
  fixed::end_text(notice.why);
  return notice;
}

Result<RelayOrder> parse_relay_order(std::string_view bytes) {
  TRY_ASSIGN(RelayOrder order,
             fixed::parse<RelayOrder>(bytes, "a network relay's", RelayOrder::Type::finish));
  fixed::end_text(order.to.name);
  fixed::end_text(order.why);
  return order;
}

}  // namespace ringwall::net
