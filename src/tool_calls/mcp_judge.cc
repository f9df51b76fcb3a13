#include "tool_calls/mcp_judge.h"

#include "base/text.h"

namespace ringwall::tool_calls {

Result<std::function<mcp::Verdict(const gate::ToolCall&)>> make_mcp_judge(
    const policy::Tools& tools, gate::Place place) {
  TRY_ASSIGN(gate::Ruleset rules, gate::compile_rules(tools));
  return [rules, place](const gate::ToolCall& call) -> mcp::Verdict {
    gate::ToolCall here = call;
    here.folder = place.workspace;
    gate::Decision decision = gate::decide(rules, here, place);
    mcp::Verdict verdict;
    verdict.asks = decision.answer == gate::Answer::ask;
    verdict.passes = !verdict.asks && decision.answer != gate::Answer::deny;
    verdict.told = decision.told;
    if (verdict.asks) {
      verdict.told =
          "This call needs the person's agreement, and nobody can be asked here. Ask the person to "
          "do it, or to change the rule.";
    }
    if (!decision.rule.empty()) verdict.rule = decision.rule + ", " + decision.origin;
    return verdict;
  };
}

}  // namespace ringwall::tool_calls
