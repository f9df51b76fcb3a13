#include "net/notice_box.h"

#include <utility>

#include "base/fixed_message.h"

namespace ringwall::net {

Status NoticeBox::tell(const RelayNotice& notice) {
  bool is_refusal = notice.type == RelayNotice::Type::refused;
  if (is_refusal && outbox_.size() >= kMostUnsaid) {
    unsaid_refusals_++;
    return {};
  }
  RelayNotice said = notice;
  if (is_refusal) said.value = std::exchange(unsaid_refusals_, 0);
  return outbox_.send(fixed::bytes_of(said));
}

}  // namespace ringwall::net
