// Who we are here: the process that programs inside talk to when they want to log in somewhere: as
// an ssh-agent that shows and does little, and as git's store of credentials. We read what they ask
// for; the supervisor connects us to the person's agent and fetches credentials of granted hosts.
// We can open no file and make no socket, and hold no key.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "base/tried_act.h"
#include "net/agent_filter.h"
#include "net/relay_protocol.h"

namespace ringwall::net {

// From the keeper to the supervisor.
struct KeeperNotice {
  enum class Type : uint32_t {
    ready = 1,
    agent,       // a connection to the person's agent, please
    credential,  // for the host in `text`, please
    refused,     // why in `text`
    act,
    acts_done,
  } type;
  uint32_t id = 0;
  int32_t value = 0;
  char text[kNameRoom] = {};
};

// From the supervisor to the keeper.
struct KeeperOrder {
  enum class Type : uint32_t {
    agent = 1,   // descriptor; none: it cannot be had
    credential,  // lines for git in `text`; empty: there is none
    try_acts,
    host_key,  // of that number in the rules: may be logged in to by it; empty `text`: no more
  } type;
  uint32_t id = 0;
  char text[4096] = {};
};

Result<KeeperNotice> parse_keeper_notice(std::string_view bytes);
Result<KeeperOrder> parse_keeper_order(std::string_view bytes);

struct KeeperInputs {
  int channel = -1;      // to the supervisor
  int agent = -1;        // where programs ask for signatures; -1: nowhere
  int credentials = -1;  // where git asks
  AgentRules rules;
  TryActs try_acts = nullptr;
};

// Behind its walls already. Returns when the supervisor is gone.
void run_key_keeper(const KeeperInputs& inputs);

}  // namespace ringwall::net
