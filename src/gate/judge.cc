#include "gate/judge.h"

#include <algorithm>

#include "base/fixed_message.h"
#include "events/redact.h"
#include "gate/transcript.h"
#include "gate/verdict.h"
#include "instructions/result_scan.h"

namespace ringwall::gate {
namespace {

namespace json = boost::json;

constexpr size_t kMostMessages = 3;
constexpr size_t kMostSecrets = 100;

// Of a command, what changes neither what runs nor where.
constexpr std::string_view kNotes[] = {"command", "description", "timeout", "run_in_background"};

bool is_plain_command(const HookEvent& event) {
  return event.calls.size() == 1 && event.calls[0].tool == "Bash" &&
         std::ranges::all_of(event.calls[0].input, [](const auto& member) {
           return std::ranges::find(kNotes, std::string_view(member.key())) != std::end(kNotes);
         });
}

// What a person sees of a call: all of it, or it cannot be approved.
std::string_view show_call(const HookEvent& event) {
  if (!is_plain_command(event)) return event.whole;
  return event.calls[0].input.at("command").get_string();
}

// An allow needs every part allowed; of the rest the strictest counts.
Decision decide_all(const HookEvent& event, const Ruleset& rules, const Place& place) {
  Decision all;
  bool all_allowed = true;
  for (size_t i = 0; i < event.calls.size(); i++) {
    Decision one = decide(rules, event.calls[i], place);
    all_allowed = all_allowed && one.answer == Answer::allow;
    std::string hidden = all.hidden.empty() ? one.hidden : all.hidden;
    if (i == 0 || one.answer > all.answer) all = std::move(one);
    all.hidden = std::move(hidden);
  }
  if (all.answer == Answer::allow && !all_allowed) all.answer = Answer::open;
  return all;
}

GateNotice::Type type_of(Answer answer) {
  if (answer == Answer::deny) return GateNotice::Type::refused;
  return answer == Answer::ask ? GateNotice::Type::asked : GateNotice::Type::allowed;
}

std::string_view pack_of(const Decision& decision) {
  std::string_view origin = decision.origin;
  return origin.starts_with(kOfPack) ? origin.substr(kOfPack.size()) : std::string_view();
}

// The whole call, as far as it fits.
void describe_call(const HookEvent& event, Judgement& out) {
  GateNotice& notice = out.notice;
  std::string_view shown = show_call(event);
  const std::string& folder = event.calls.empty() ? event.folder : event.calls[0].folder;
  out.is_whole = event.tool.size() < sizeof notice.tool && folder.size() < sizeof notice.folder &&
                 shown.size() < sizeof notice.text;
  fixed::put(notice.tool, event.tool);
  fixed::put(notice.folder, folder);
  fixed::put(notice.text, shown);
}

// The context that an advisor gets: who can only be stricter may read what the agent could forge.
void prepare_advice(const HookEvent& event, Judgement& out) {
  out.is_open = true;
  out.notice.type = GateNotice::Type::advise;
  describe_call(event, out);
  std::string person;
  for (const std::string& message : read_last_messages(event.transcript, kMostMessages))
    person += (person.empty() ? "" : "\n\n") + message;
  // The end of it is what was said last.
  size_t most = sizeof out.notice.person - 1;
  fixed::put(out.notice.person,
             std::string_view(person).substr(person.size() > most ? person.size() - most : 0));
}

void judge_calls(const HookEvent& event, const Ruleset& rules, const Place& place, Judgement& out) {
  Decision decision = decide_all(event, rules, place);
  out.answer = decision.answer;
  fixed::put(out.told, decision.told.empty() ? decision.reason : decision.told);
  // Asked about once more at the agent's prompt, it is the same attempt.
  if (event.row->moment == Moment::before_tool) fixed::put(out.hidden, decision.hidden);
  fixed::put(out.notice.tool, event.tool);
  if (out.answer == Answer::open) return;
  out.has_notice = true;
  out.notice.type = type_of(out.answer);
  describe_call(event, out);
  fixed::put(out.notice.rule, decision.rule);
  fixed::put(out.notice.pack, pack_of(decision));
  fixed::put(out.notice.why, decision.reason);
}

void judge_result(const HookEvent& event, Judgement& out) {
  std::vector<instructions::Finding> findings = instructions::scan_result(event.result);
  GateNotice& notice = out.notice;
  notice.type = GateNotice::Type::result;
  notice.failed = event.has_failed ? 1 : 0;
  notice.secrets = static_cast<uint8_t>(events::count_secrets(event.result, kMostSecrets));
  fixed::put(notice.tool, event.tool);
  fixed::put(notice.text, event.whole);
  if (instructions::is_worth_telling(findings)) {
    fixed::put(out.warning, instructions::warn_agent(findings, event.tool));
    const instructions::Finding& worst =
        *std::ranges::max_element(findings, {}, &instructions::Finding::weight);
    notice.weight = static_cast<uint8_t>(std::clamp(worst.weight, 0, 255));
    fixed::put(notice.person, worst.excerpt);
    fixed::put(notice.why, worst.kind);
  }
  out.has_notice = notice.weight > 0 || notice.failed != 0 || notice.secrets > 0;
}

}  // namespace

bool needs_rules(const EventRow& row) {
  return row.moment == Moment::before_tool || row.moment == Moment::permission;
}

Judgement judge(const HookEvent& event, const Ruleset& rules, const Place& place, bool advised) {
  Judgement out;
  out.row = static_cast<uint32_t>(event.row - event.dialect->events.data());
  out.asks_again = event.asks_again;
  out.notice.agent = event.dialect->agent;
  if (needs_rules(*event.row)) judge_calls(event, rules, place, out);
  Moment moment = event.row->moment;
  bool is_open = moment == Moment::before_tool && out.answer == Answer::open;
  if (advised && is_open && !event.asks_again) prepare_advice(event, out);
  if (moment == Moment::after_tool || moment == Moment::after_failure) judge_result(event, out);
  if (moment == Moment::subagent_start) {
    out.has_notice = true;
    out.notice.type = GateNotice::Type::subagent;
    fixed::put(out.notice.text, event.subagent);
  }
  return out;
}

}  // namespace ringwall::gate
