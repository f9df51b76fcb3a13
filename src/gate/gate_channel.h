// What a hook inside a run says to the supervisor outside, over the one socket that leads there.
// Anything inside can say the same: a message can ask and can be noted, and allows nothing.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "gate/dialect.h"

namespace ringwall::gate {

// In a run: where the supervisor listens, what the rules are, and the program that hooks start.
inline constexpr const char* kGateSocket = "/run/ringwall/gate";
inline constexpr const char* kGateRules = "/etc/ringwall-gate.json";
inline constexpr const char* kGateProgram = "/run/ringwall/ringwall";

struct GateNotice {
  enum class Type : uint32_t {
    refused = 1,
    asked,     // at the agent's own prompt: answered by `prompt`, or decided by the person
    allowed,   // by a rule
    ask,       // the person outside; answered by a GateAnswer
    result,    // of a tool. text: the call; why, person: what was found in it, and an excerpt
    subagent,  // text: its kind
    serve,     // tool: the name of an MCP server; answered, with a descriptor if it is started
    advise,    // no rule speaks: the advisor outside is asked; text: the whole call
    hidden,    // text: a file that a call would read and the run hides
  };
  Type type;
  Agent agent = Agent::claude;
  uint8_t weight = 0;   // of what was found in a result; 0: nothing
  uint8_t failed = 0;   // the call did
  uint8_t secrets = 0;  // in its result
  char tool[128] = {};
  char folder[1024] = {};
  char text[4096] = {};  // of an `ask`: the whole call, which the person sees
  char rule[256] = {};
  char pack[32] = {};  // that the rule is of
  char why[512] = {};
  char person[2048] = {};  // of an `advise`: what the person said last, as the agent has it
};

struct GateAnswer {
  enum class Type : uint32_t {
    approved = 1,
    rejected,
    unanswered,  // in time
    no_room,     // too many wait already
    served,      // with a descriptor: a stream of MCP lines
    advised_open,
    advised_ask,
    advised_deny,
    prompt,  // the agent's own
  };
  Type type;
  char why[512] = {};  // the advisor's reason
};

// Size, type, agent and the ends of texts are checked.
Result<GateNotice> parse_gate_notice(std::string_view bytes);
Result<GateAnswer> parse_gate_answer(std::string_view bytes);

}  // namespace ringwall::gate
