// From what a hook was called with to what is to be said: decides over each call that it would
// make, and looks at what came back.
#pragma once

#include <string>

#include "gate/decide.h"
#include "gate/gate_channel.h"
#include "gate/hook_event.h"
#include "gate/hook_reply.h"

namespace ringwall::gate {

// What a process that must not be trusted with more found out. Of fixed layout.
struct Judgement {
  uint32_t row = 0;  // of the dialect's events
  Answer answer = Answer::open;
  bool asks_again = false;  // an event of its own follows, which can ask
  bool is_whole = false;    // the notice holds the call to its last letter
  bool has_notice = false;  // there is something to tell the supervisor
  bool is_open = false;     // no rule speaks, and the advisor may: the notice holds the call
  char hidden[1024] = {};   // a file that it would read and the run hides; empty: none
  char told[2048] = {};
  char warning[2048] = {};
  GateNotice notice = {};
};

// True if the rules are needed for it.
bool needs_rules(const EventRow& row);

// `advised`: there is an advisor for what no rule covers.
Judgement judge(const HookEvent& event, const Ruleset& rules, const Place& place,
                bool advised = false);

}  // namespace ringwall::gate
