// What the relay has to say to the supervisor. Refusals of its own are not kept without end: those
// that find no room are counted, and told of with the next one.
#pragma once

#include <cstdint>

#include "base/outbox.h"
#include "net/relay_protocol.h"

namespace ringwall::net {

class NoticeBox {
 public:
  static constexpr size_t kMostUnsaid = 1024;  // messages that the supervisor has not taken yet

  explicit NoticeBox(int channel) : outbox_(channel) {}

  // An error: the supervisor is gone.
  Status tell(const RelayNotice& notice);
  Status flush() { return outbox_.flush(); }
  bool is_empty() const { return outbox_.is_empty(); }
  size_t size() const { return outbox_.size(); }

 private:
  channel::Outbox outbox_;
  int32_t unsaid_refusals_ = 0;
};

}  // namespace ringwall::net
