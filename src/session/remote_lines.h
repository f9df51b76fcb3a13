// What the person is told of an address that a run has given git.
#pragma once

#include "broker/broker_protocol.h"
#include "events/event.h"

namespace ringwall::session {

// Of a notice of type remote.
events::Withheld describe_remote(const broker::BrokerNotice& notice);
// Of so many more than were told one by one.
events::Withheld describe_more_remotes(size_t count);

}  // namespace ringwall::session
