#include "terminal/relay_protocol.h"

#include <cstring>

namespace ringwall::terminal {
namespace {

template <typename Fixed>
Result<Fixed> parse_fixed(std::string_view bytes, typename Fixed::Type last) {
  Fixed message;
  if (bytes.size() != sizeof message) return fail("a relay's message of the wrong size");
  memcpy(&message, bytes.data(), sizeof message);
  auto type = static_cast<uint32_t>(message.type);
  if (type < 1 || type > static_cast<uint32_t>(last))
    return fail("a relay's message of unknown type");
  return message;
}

}  // namespace

Result<RelayOrder> parse_order(std::string_view bytes) {
  TRY_ASSIGN(RelayOrder order, parse_fixed<RelayOrder>(bytes, RelayOrder::Type::try_acts));
  order.title[sizeof order.title - 1] = '\0';
  order.term[sizeof order.term - 1] = '\0';
  order.shell[sizeof order.shell - 1] = '\0';
  return order;
}

Result<RelayNotice> parse_notice(std::string_view bytes) {
  TRY_ASSIGN(RelayNotice notice,
             parse_fixed<RelayNotice>(bytes, RelayNotice::Type::recording_failed));
  notice.text[sizeof notice.text - 1] = '\0';
  return notice;
}

Result<ViewerMessage> parse_viewer_message(std::string_view bytes) {
  ViewerHead head;
  if (bytes.size() < sizeof head || bytes.size() > sizeof head + kMostInput)
    return fail("a viewer's message of the wrong size");
  TRY_ASSIGN(head, parse_fixed<ViewerHead>(bytes.substr(0, sizeof head), ViewerHead::Type::left));
  return ViewerMessage{head, bytes.substr(sizeof head)};
}

Status send_to_viewer(int socket, const ViewerHead& head, std::string_view bytes, int flags) {
  std::string message(as_bytes(head));
  message += bytes;
  return channel::send(socket, message, {}, flags);
}

}  // namespace ringwall::terminal
