#include "broker/broker_protocol.h"

#include "base/fixed_message.h"

namespace ringwall::broker {

BrokerNotice notice_of(BrokerNotice::Type type, std::string_view path, std::string_view text,
                       int32_t value) {
  BrokerNotice notice{type, value};
  fixed::put(notice.path, path);
  fixed::put(notice.text, text);
  return notice;
}

BrokerNotice remote_notice(std::string_view name, std::string_view address, RemoteKind kind) {
  BrokerNotice notice{BrokerNotice::Type::remote, static_cast<int32_t>(kind)};
  fixed::put(notice.rule, name);
  fixed::put(notice.path, address);
  return notice;
}

Result<BrokerOrder> parse_broker_order(std::string_view bytes) {
  return fixed::parse<BrokerOrder>(bytes, "a broker's", BrokerOrder::Type::sockets_judged);
}

Result<BrokerNotice> parse_broker_notice(std::string_view bytes) {
  TRY_ASSIGN(BrokerNotice notice,
             fixed::parse<BrokerNotice>(bytes, "a broker's", BrokerNotice::Type::socket));
  fixed::end_text(notice.path);
  fixed::end_text(notice.rule);
  fixed::end_text(notice.text);
  fixed::end_text(notice.item);
  return notice;
}

}  // namespace ringwall::broker
