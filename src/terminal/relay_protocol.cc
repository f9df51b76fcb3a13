#include "terminal/relay_protocol.h"

#include "base/fixed_message.h"

namespace ringwall::terminal {
Result<RelayOrder> parse_order(std::string_view bytes) {
  TRY_ASSIGN(RelayOrder order,
             fixed::parse<RelayOrder>(bytes, "a relay's", RelayOrder::Type::try_acts));
  fixed::end_text(order.title);
  fixed::end_text(order.term);
  fixed::end_text(order.shell);
  return order;
}

Result<RelayNotice> parse_notice(std::string_view bytes) {
  TRY_ASSIGN(RelayNotice notice,
             fixed::parse<RelayNotice>(bytes, "a relay's", RelayNotice::Type::recording_failed));
  fixed::end_text(notice.text);
  return notice;
}

Result<ViewerMessage> parse_viewer_message(std::string_view bytes) {
  ViewerHead head;
  if (bytes.size() < sizeof head || bytes.size() > sizeof head + kMostInput)
    return fail("a viewer's message of the wrong size");
  TRY_ASSIGN(head, fixed::parse<ViewerHead>(bytes.substr(0, sizeof head), "a viewer's",
                                            ViewerHead::Type::left));
  return ViewerMessage{head, bytes.substr(sizeof head)};
}

Status send_to_viewer(int socket, const ViewerHead& head, std::string_view bytes, int flags) {
  std::string message(fixed::bytes_of(head));
  message += bytes;
  return channel::send(socket, message, {}, flags);
}

}  // namespace ringwall::terminal
