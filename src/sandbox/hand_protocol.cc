#include "sandbox/hand_protocol.h"

#include <cstring>

namespace ringwall::sandbox {
namespace {

template <typename Fixed>
Result<Fixed> parse(std::string_view bytes, typename Fixed::Type last) {
  Fixed message{};
  if (bytes.size() != sizeof message) return fail("a hand's message of the wrong size");
  memcpy(&message, bytes.data(), sizeof message);
  auto type = static_cast<uint32_t>(message.type);
  if (type < 1 || type > static_cast<uint32_t>(last))
    return fail("a hand's message of unknown type");
  return message;
}

}  // namespace

Result<HandOrder> parse_hand_order(std::string_view bytes) {
  TRY_ASSIGN(HandOrder order, parse<HandOrder>(bytes, HandOrder::Type::try_acts));
  order.path[sizeof order.path - 1] = '\0';
  return order;
}

Result<HandNotice> parse_hand_notice(std::string_view bytes) {
  TRY_ASSIGN(HandNotice notice, parse<HandNotice>(bytes, HandNotice::Type::acts_done));
  notice.text[sizeof notice.text - 1] = '\0';
  return notice;
}

}  // namespace ringwall::sandbox
