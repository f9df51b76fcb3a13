#include "identity/exec_stop_protocol.h"

#include "base/fixed_message.h"

namespace ringwall::identity {

Result<StopOrder> parse_stop_order(std::string_view bytes) {
  return fixed::parse<StopOrder>(bytes, "an exec stop's", StopOrder::Type::only_known);
}

Result<StopNotice> parse_stop_notice(std::string_view bytes) {
  TRY_ASSIGN(StopNotice notice,
             fixed::parse<StopNotice>(bytes, "an exec stop's", StopNotice::Type::acts_done));
  auto how = static_cast<uint32_t>(notice.how);
  if (how < 1 || how > static_cast<uint32_t>(StopNotice::How::was_changed))
    return fail("an exec stop's message of unknown kind");
  fixed::end_text(notice.path);
  fixed::end_text(notice.parent);
  fixed::end_text(notice.rule);
  fixed::end_text(notice.why);
  return notice;
}

}  // namespace ringwall::identity
