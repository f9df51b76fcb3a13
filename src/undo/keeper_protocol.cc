#include "undo/keeper_protocol.h"

#include "base/fixed_message.h"

namespace ringwall::undo {

Result<KeeperOrder> parse_keeper_order(std::string_view bytes) {
  return fixed::parse<KeeperOrder>(bytes, "keeper's", KeeperOrder::Type::opener);
}

Result<KeeperNotice> parse_keeper_notice(std::string_view bytes) {
  TRY_ASSIGN(auto notice,
             fixed::parse<KeeperNotice>(bytes, "keeper's", KeeperNotice::Type::closed));
  fixed::end_text(notice.text);
  return notice;
}

}  // namespace ringwall::undo
