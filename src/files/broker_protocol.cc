#include "files/broker_protocol.h"

#include <cstring>

namespace ringwall::files {
namespace {

template <typename Fixed>
Result<Fixed> parse(std::string_view bytes, typename Fixed::Type last) {
  Fixed message{};
  if (bytes.size() != sizeof message) return fail("a broker's message of the wrong size");
  memcpy(&message, bytes.data(), sizeof message);
  auto type = static_cast<uint32_t>(message.type);
  if (type < 1 || type > static_cast<uint32_t>(last))
    return fail("a broker's message of unknown type");
  return message;
}

}  // namespace

Result<BrokerOrder> parse_broker_order(std::string_view bytes) {
  return parse<BrokerOrder>(bytes, BrokerOrder::Type::try_acts);
}

Result<BrokerNotice> parse_broker_notice(std::string_view bytes) {
  TRY_ASSIGN(BrokerNotice notice, parse<BrokerNotice>(bytes, BrokerNotice::Type::acts_done));
  notice.path[sizeof notice.path - 1] = '\0';
  notice.rule[sizeof notice.rule - 1] = '\0';
  notice.text[sizeof notice.text - 1] = '\0';
  notice.item[sizeof notice.item - 1] = '\0';
  return notice;
}

}  // namespace ringwall::files
