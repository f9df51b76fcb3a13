#include "gate/hook_reply.h"

#include <boost/json.hpp>

#include "base/text.h"

namespace ringwall::gate {
namespace {

namespace json = boost::json;

constexpr size_t kLongestReason = 2000;  // Claude Code cuts a hook's output at 10,000

HookReply say(const json::object& object) { return {json::serialize(object) + "\n", "", 0}; }

HookReply deny(const json::object& object, const std::string& reason) {
  return {json::serialize(object) + "\n", reason + "\n", kDenyStatus};
}

json::object specific(std::string_view event, json::object members) {
  members["hookEventName"] = event;
  return {{"hookSpecificOutput", std::move(members)}};
}

std::string_view word_of(Answer answer) {
  if (answer == Answer::deny) return "deny";
  return answer == Answer::ask ? "ask" : "allow";
}

json::object permission(std::string_view event, Answer answer, const std::string& reason) {
  return specific(event,
                  {{"permissionDecision", word_of(answer)}, {"permissionDecisionReason", reason}});
}

json::object behaviour(std::string_view event, Answer answer, const std::string& reason) {
  json::object decision{{"behavior", word_of(answer)}};
  if (answer == Answer::deny) decision["message"] = reason;
  return specific(event, {{"decision", std::move(decision)}});
}

// After a call the agent is told, and before a prompt is sent it can be held back.
HookReply for_text(const EventRow& row, const Verdict& verdict, const std::string& reason,
                   std::string_view no) {
  if (row.moment == Moment::after_tool)
    return say(specific(row.name, {{"additionalContext", reason}}));
  if (row.moment == Moment::prompt && verdict.answer == Answer::deny)
    return deny({{"decision", no}, {"reason", reason}}, reason);
  return {};
}

HookReply for_claude(const EventRow& row, const Verdict& verdict, const std::string& reason) {
  bool denies = verdict.answer == Answer::deny;
  switch (row.moment) {
    case Moment::before_tool:
      if (denies) return deny(permission(row.name, Answer::deny, reason), reason);
      return say(permission(row.name, verdict.answer, reason));
    case Moment::permission:
      // Status 2 is not listened to here. An "ask" is what happens anyway.
      if (verdict.answer == Answer::ask) return {};
      return say(behaviour(row.name, verdict.answer, reason));
    case Moment::after_failure:
      return say(specific(row.name, {{"additionalContext", reason}}));
    default:
      return for_text(row, verdict, reason, "block");
  }
}

// It takes neither "ask" nor a bare "allow", and any key too many makes an answer none.
HookReply for_codex(const EventRow& row, const Verdict& verdict, const std::string& reason) {
  bool denies = verdict.answer == Answer::deny;
  switch (row.moment) {
    case Moment::before_tool:
      return denies ? deny(permission(row.name, Answer::deny, reason), reason) : HookReply{};
    case Moment::permission:
      if (denies) return deny(behaviour(row.name, Answer::deny, reason), reason);
      if (verdict.answer == Answer::allow) return say(behaviour(row.name, Answer::allow, reason));
      return {};
    default:
      return for_text(row, verdict, reason, "block");
  }
}

HookReply for_gemini(const EventRow& row, const Verdict& verdict, const std::string& reason) {
  if (row.moment != Moment::before_tool) return for_text(row, verdict, reason, "deny");
  json::object out{{"decision", word_of(verdict.answer)}, {"reason", reason}};
  return verdict.answer == Answer::deny ? deny(std::move(out), reason) : say(std::move(out));
}

HookReply for_copilot(const EventRow& row, const Verdict& verdict, const std::string& reason) {
  bool denies = verdict.answer == Answer::deny;
  switch (row.moment) {
    case Moment::before_tool: {
      json::object out{{"permissionDecision", word_of(verdict.answer)},
                       {"permissionDecisionReason", reason}};
      return denies ? deny(out, reason) : say(out);
    }
    case Moment::permission:
      if (denies) return say({{"behavior", "deny"}, {"message", reason}});
      if (verdict.answer == Answer::allow) return say({{"behavior", "allow"}});
      return {};
    default:
      // Results and prompts: whatever is said there is not read.
      return {};
  }
}

HookReply for_cursor(const EventRow& row, const Verdict& verdict, const std::string& reason) {
  bool denies = verdict.answer == Answer::deny;
  json::object out{{"permission", word_of(verdict.answer)}};
  switch (row.moment) {
    case Moment::before_tool:
      if (verdict.answer != Answer::allow) {
        out["user_message"] = reason;
        out["agent_message"] = reason;
      }
      return denies ? deny(out, reason) : say(out);
    case Moment::subagent_start:
      if (!denies) return {};
      return deny({{"permission", "deny"}, {"user_message", reason}}, reason);
    case Moment::after_tool:
      return row.style == Style::own ? say({{"additional_context", reason}}) : HookReply{};
    case Moment::prompt:
      if (denies) return deny({{"continue", false}, {"user_message", reason}}, reason);
      return {};
    default:
      return {};
  }
}

bool is_after(Moment moment) {
  return moment == Moment::after_tool || moment == Moment::after_failure;
}

}  // namespace

std::string shown_reason(std::string_view told) {
  std::string reason = text::escape(told.substr(0, kLongestReason));
  return reason.empty() ? "refused by Ringwall" : reason;
}

HookReply reply(const Dialect& dialect, const EventRow& row, const Verdict& said) {
  Verdict verdict = said;
  // Whoever could not ask would go on.
  bool cannot_ask = row.moment == Moment::before_tool && !row.can_ask;
  if (verdict.answer == Answer::ask && cannot_ask) verdict.answer = Answer::deny;
  // What has happened cannot be denied; there is a warning, or nothing to say.
  bool after = is_after(row.moment);
  if (after ? verdict.warning.empty() : verdict.answer == Answer::open) return {};
  std::string reason = shown_reason(after ? verdict.warning : verdict.told);
  switch (dialect.agent) {
    case Agent::claude:
      return for_claude(row, verdict, reason);
    case Agent::codex:
      return for_codex(row, verdict, reason);
    case Agent::gemini:
      return for_gemini(row, verdict, reason);
    case Agent::copilot:
      return for_copilot(row, verdict, reason);
    case Agent::cursor:
      return for_cursor(row, verdict, reason);
  }
  return deny_unknown(reason);
}

HookReply deny_unknown(std::string_view why) { return {"", shown_reason(why) + "\n", kDenyStatus}; }

}  // namespace ringwall::gate
