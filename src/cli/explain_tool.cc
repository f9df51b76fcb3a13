#include "cli/explain_tool.h"

#include <boost/json.hpp>
#include <cstdio>

#include "base/strict_json.h"
#include "base/text.h"
#include "cli/output.h"
#include "gate/translate.h"

namespace ringwall::cli {
namespace {

constexpr const char* kShape =
    "such as '{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"}}'";

Result<std::vector<gate::ToolCall>> read_calls(const ToolQuestion& question) {
  if (question.is_command)
    return std::vector<gate::ToolCall>{
        {"Bash", true, {{"command", question.subject}}, question.folder}};
  const gate::Dialect* dialect =
      gate::dialect_by_name(question.agent.empty() ? "claude" : question.agent);
  if (dialect == nullptr)
    return fail("no agent " + text::quote(question.agent) + " is known",
                "claude, codex, gemini, copilot or cursor");
  auto parsed = strict_json::parse_object(question.subject);
  if (!parsed) return fail("the tool call " + parsed.error().text(), kShape);
  const boost::json::value* tool = parsed->if_contains("tool_name");
  const boost::json::value* input = parsed->if_contains("tool_input");
  const boost::json::value* folder = parsed->if_contains("cwd");
  if (tool == nullptr || !tool->is_string()) return fail("the tool call has no tool_name", kShape);
  boost::json::object fields;
  if (input != nullptr && !input->is_object()) return fail("tool_input is no object", kShape);
  if (input != nullptr) fields = input->get_object();
  std::string where = folder != nullptr && folder->is_string() ? std::string(folder->get_string())
                                                               : question.folder;
  return gate::translate(*dialect, std::string_view(tool->get_string()), std::move(fields), where);
}

std::string_view colour_of(const Style& style, gate::Answer answer) {
  if (answer == gate::Answer::deny) return style.red;
  return answer == gate::Answer::ask ? style.yellow : style.green;
}

void print_text(const gate::Decision& decision) {
  Style style = style_for(stdout);
  auto coloured = [&](gate::Answer answer) {
    return std::string(colour_of(style, answer)) + std::string(gate::name_of(answer)) +
           std::string(style.plain);
  };
  std::string meaning =
      decision.answer == gate::Answer::open ? ": no rule speaks, the agent's own flow goes on" : "";
  printf("%s%s\n", coloured(decision.answer).c_str(), meaning.c_str());
  if (!decision.reason.empty()) printf("  why     %s\n", text::escape(decision.reason).c_str());
  if (!decision.rule.empty()) printf("  rule    %s\n", text::escape(decision.rule).c_str());
  if (!decision.origin.empty()) printf("  from    %s\n", text::escape(decision.origin).c_str());
  if (!decision.told.empty()) printf("  told    %s\n", text::escape(decision.told).c_str());
  for (const gate::Part& part : decision.parts) {
    printf("  part    %s  %s\n", coloured(part.answer).c_str(), text::escape(part.shown).c_str());
    if (!part.why.empty() && part.why != decision.reason)
      printf("          %s\n", text::escape(part.why).c_str());
  }
}

}  // namespace

Result<gate::Decision> decide_question(const ToolQuestion& question, const policy::Tools& tools,
                                       const gate::Place& place) {
  TRY_ASSIGN(std::vector<gate::ToolCall> calls, read_calls(question));
  TRY_ASSIGN(gate::Ruleset rules, gate::compile_rules(tools));
  gate::Decision strictest;
  std::vector<gate::Part> parts;
  for (size_t i = 0; i < calls.size(); i++) {
    gate::Decision one = gate::decide(rules, calls[i], place, gate::Parts::listed);
    parts.insert(parts.end(), one.parts.begin(), one.parts.end());
    // An allow of one part is none of all.
    bool is_stricter = one.answer == gate::Answer::open
                           ? strictest.answer == gate::Answer::allow
                           : one.answer > gate::Answer::allow && one.answer > strictest.answer;
    if (i == 0 || is_stricter) strictest = std::move(one);
  }
  strictest.parts = std::move(parts);
  return strictest;
}

void print_decision(const gate::Decision& decision, bool json) {
  if (!json) return print_text(decision);
  boost::json::array parts;
  for (const gate::Part& part : decision.parts) {
    parts.push_back({{"part", part.shown},
                     {"answer", gate::name_of(part.answer)},
                     {"rule", part.rule},
                     {"why", part.why}});
  }
  boost::json::object out{{"answer", gate::name_of(decision.answer)},
                          {"rule", decision.rule},
                          {"origin", decision.origin},
                          {"why", decision.reason},
                          {"told", decision.told},
                          {"parts", std::move(parts)}};
  printf("%s\n", text::harmless_json(boost::json::serialize(out)).c_str());
}

}  // namespace ringwall::cli
