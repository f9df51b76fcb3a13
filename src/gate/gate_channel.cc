#include "gate/gate_channel.h"

#include "base/fixed_message.h"

namespace ringwall::gate {

Result<GateNotice> parse_gate_notice(std::string_view bytes) {
  TRY_ASSIGN(GateNotice notice,
             fixed::parse<GateNotice>(bytes, "a hook's", GateNotice::Type::hidden));
  if (static_cast<size_t>(notice.agent) >= dialects().size())
    return fail("a hook's message of no agent that is known");
  fixed::end_text(notice.tool);
  fixed::end_text(notice.folder);
  fixed::end_text(notice.text);
  fixed::end_text(notice.rule);
  fixed::end_text(notice.pack);
  fixed::end_text(notice.why);
  fixed::end_text(notice.person);
  return notice;
}

Result<GateAnswer> parse_gate_answer(std::string_view bytes) {
  TRY_ASSIGN(GateAnswer answer,
             fixed::parse<GateAnswer>(bytes, "a supervisor's", GateAnswer::Type::prompt));
  fixed::end_text(answer.why);
  return answer;
}

}  // namespace ringwall::gate
