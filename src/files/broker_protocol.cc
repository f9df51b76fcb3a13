#include "files/broker_protocol.h"

#include "base/fixed_message.h"

namespace ringwall::files {

Result<BrokerOrder> parse_broker_order(std::string_view bytes) {
  return fixed::parse<BrokerOrder>(bytes, "a broker's", BrokerOrder::Type::try_acts);
}

Result<BrokerNotice> parse_broker_notice(std::string_view bytes) {
  TRY_ASSIGN(BrokerNotice notice,
             fixed::parse<BrokerNotice>(bytes, "a broker's", BrokerNotice::Type::acts_done));
  fixed::end_text(notice.path);
  fixed::end_text(notice.rule);
  fixed::end_text(notice.text);
  fixed::end_text(notice.item);
  return notice;
}

}  // namespace ringwall::files
