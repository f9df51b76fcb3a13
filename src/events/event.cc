#include "events/event.h"

#include <boost/json.hpp>

#include "base/text.h"
#include "events/redact.h"

namespace ringwall::events {
namespace {

namespace json = boost::json;

json::array strings(const std::vector<std::string>& texts) {
  json::array out;
  for (const std::string& text : texts)
    out.emplace_back(text);
  return out;
}

json::array numbers(const std::vector<uint32_t>& values) {
  json::array out;
  for (uint32_t value : values)
    out.emplace_back(value);
  return out;
}

std::string_view name_of(LimitReached::Then then) {
  switch (then) {
    case LimitReached::Then::refused:
      return "refused";
    case LimitReached::Then::killed:
      return "killed";
    case LimitReached::Then::paused:
      return "paused";
    case LimitReached::Then::ended:
      return "ended";
  }
  return "";
}

struct ToJson {
  json::object operator()(const RunStarted& e) const {
    return {{"event", "run_started"},
            {"run", e.run},
            {"workspace", e.workspace},
            {"command", strings(e.command)},
            {"policy", e.policy},
            {"home", e.home},
            {"widenings", strings(e.widenings)},
            {"missing_walls", strings(e.missing_walls)},
            {"risk_weights", numbers(e.risk_weights)},
            {"risk_thresholds", numbers(e.risk_thresholds)}};
  }
  json::object operator()(const RunEnded& e) const {
    return {{"event", "run_ended"}, {"run", e.run}, {"exit_status", e.exit_status}};
  }
  json::object operator()(const Refused& e) const {
    return {{"event", "refused"}, {"wall", e.wall}, {"what", e.what}, {"hint", e.hint}};
  }
  json::object operator()(const CannotRun& e) const {
    return {{"event", "cannot_run"}, {"program", e.program}, {"what", e.what}, {"hint", e.hint}};
  }
  json::object operator()(const Withheld& e) const {
    return {{"event", "withheld"}, {"what", e.what}, {"hint", e.hint}};
  }
  json::object operator()(const Detached& e) const {
    return {{"event", "detached"}, {"run", e.run}, {"replaced", e.replaced}};
  }
  json::object operator()(const Planted& e) const {
    return {{"event", "planted"}, {"run", e.run}, {"path", e.path},
            {"rule", e.rule},     {"why", e.why}, {"item", e.item}};
  }
  json::object operator()(const Blocked& e) const {
    json::object out{{"event", "blocked"},   {"run", e.run}, {"destination", e.destination},
                     {"program", e.program}, {"why", e.why}, {"advice", e.advice},
                     {"times", e.times}};
    if (e.by_risk) out["by_risk"] = true;
    if (e.by_content) out["by_content"] = true;
    return out;
  }
  json::object operator()(const RefusedProgram& e) const {
    json::object out{
        {"event", "refused_program"}, {"run", e.run},    {"digest", e.digest}, {"path", e.path},
        {"parent", e.parent},         {"rule", e.rule},  {"why", e.why},       {"how", e.how},
        {"advice", e.advice},         {"times", e.times}};
    if (e.by_risk) out["by_risk"] = true;
    return out;
  }
  json::object operator()(const FirstSeenProgram& e) const {
    return {{"event", "first_seen_program"},
            {"run", e.run},
            {"digest", e.digest},
            {"path", e.path},
            {"parent", e.parent},
            {"rule", e.rule}};
  }
  json::object operator()(const FilesHidden& e) const {
    return {{"event", "files_hidden"},
            {"run", e.run},
            {"paths", strings(e.paths)},
            {"sockets", strings(e.sockets)}};
  }
  json::object operator()(const RepositoryNews& e) const {
    return {{"event", "repository_news"},
            {"run", e.run},
            {"findings", e.findings},
            {"severity", e.severity},
            {"gravest", e.gravest}};
  }
  json::object operator()(const BlockedMany& e) const {
    return {{"event", "blocked_many"},
            {"run", e.run},
            {"destinations", strings(e.destinations)},
            {"times", e.times}};
  }
  json::object operator()(const Connected& e) const {
    json::object out{{"event", "connected"},
                     {"run", e.run},
                     {"destination", e.destination},
                     {"rule", e.rule},
                     {"times", e.times}};
    if (e.expected) out["expected"] = true;
    return out;
  }
  json::object operator()(const Asked& e) const {
    json::object out{{"event", "asked"},
                     {"run", e.run},
                     {"id", e.id},
                     {"destination", e.destination},
                     {"program", e.program}};
    if (!e.kind.empty()) out["kind"] = e.kind;
    return out;
  }
  json::object operator()(const Answered& e) const {
    json::object out{
        {"event", "answered"}, {"run", e.run},     {"id", e.id}, {"destination", e.destination},
        {"answer", e.answer},  {"scope", e.scope}, {"by", e.by}};
    if (!e.kind.empty()) out["kind"] = e.kind;
    return out;
  }
  json::object operator()(const ToolRefused& e) const {
    json::object out{
        {"event", "tool_refused"}, {"run", e.run},   {"agent", e.agent}, {"tool", e.tool},
        {"what", e.what},          {"rule", e.rule}, {"why", e.why}};
    if (!e.pack.empty()) out["pack"] = e.pack;
    return out;
  }
  json::object operator()(const ToolFailed& e) const {
    return {{"event", "tool_failed"},
            {"run", e.run},
            {"agent", e.agent},
            {"tool", e.tool},
            {"what", e.what}};
  }
  json::object operator()(const Sent& e) const {
    return {{"event", "sent"},  {"run", e.run},     {"destination", e.destination},
            {"bytes", e.bytes}, {"total", e.total}, {"expected", e.expected}};
  }
  json::object operator()(const ProcessBurst& e) const {
    return {{"event", "process_burst"}, {"run", e.run}, {"processes", e.processes}};
  }
  json::object operator()(const RiskLevel& e) const {
    return {{"event", "risk_level"},   {"run", e.run},
            {"level", e.level},        {"before", e.before},
            {"score", e.score},        {"axes", numbers(e.axes)},
            {"looked", e.looked},      {"because", strings(e.because)},
            {"does", strings(e.does)}, {"asks", e.asks}};
  }
  json::object operator()(const FilesChanged& e) const {
    return {{"event", "files_changed"}, {"run", e.run},         {"added", e.added},
            {"changed", e.changed},     {"deleted", e.deleted}, {"renamed", e.renamed},
            {"bytes", e.bytes},         {"review", e.review}};
  }
  json::object operator()(const KeptForUndo& e) const {
    json::object out{
        {"event", "kept_for_undo"}, {"run", e.run}, {"files", e.files}, {"bytes", e.bytes}};
    if (e.unkept > 0) {
      out["unkept"] = e.unkept;
      out["why"] = e.why;
    }
    return out;
  }
  json::object operator()(const RiskLowered& e) const {
    return {{"event", "risk_lowered"}, {"run", e.run},     {"reason", e.reason},
            {"score", e.score},        {"level", e.level}, {"by", e.by}};
  }
  json::object operator()(const ToolJudged& e) const {
    return {{"event", "tool_judged"}, {"run", e.run},       {"agent", e.agent}, {"tool", e.tool},
            {"what", e.what},         {"answer", e.answer}, {"rule", e.rule}};
  }
  json::object operator()(const ResultFinding& e) const {
    return {{"event", "finding"}, {"run", e.run},         {"agent", e.agent},  {"tool", e.tool},
            {"kind", e.kind},     {"excerpt", e.excerpt}, {"weight", e.weight}};
  }
  json::object operator()(const HiddenFile& e) const {
    return {{"event", "hidden_file"},
            {"run", e.run},
            {"agent", e.agent},
            {"tool", e.tool},
            {"path", e.path}};
  }
  json::object operator()(const SubagentStarted& e) const {
    return {{"event", "subagent_started"}, {"run", e.run}, {"agent", e.agent}, {"kind", e.kind}};
  }
  json::object operator()(const ToolNoise& e) const {
    json::object out{{"event", "tool_noise"}, {"run", e.run}, {"messages", e.messages}};
    json::object kinds;
    for (const auto& [kind, messages] : e.of)
      kinds[kind] = messages;
    if (!kinds.empty()) out["of"] = std::move(kinds);
    return out;
  }
  json::object operator()(const PolicyChanged& e) const {
    return {{"event", "policy_changed"},
            {"run", e.run},
            {"change", e.change},
            {"scope", e.scope},
            {"by", e.by}};
  }
  json::object operator()(const Controlled& e) const {
    json::object out{{"event", "controlled"}, {"run", e.run}, {"act", e.act}, {"by", e.by}};
    if (!e.command.empty()) out["command"] = strings(e.command);
    return out;
  }
  json::object operator()(const RecordGap& e) const {
    return {{"event", "record_gap"},
            {"run", e.run},
            {"why", e.why},
            {"events", e.events},
            {"refusals", e.refusals}};
  }
  json::object operator()(const RecordFailing& e) const {
    return {{"event", "record_failing"},
            {"run", e.run},
            {"why", e.why},
            {"ends", e.ends},
            {"lost", e.lost}};
  }
  json::object operator()(const RecordMended& e) const {
    return {{"event", "record_mended"}, {"record", e.record}, {"cut_bytes", e.cut_bytes}};
  }
  json::object operator()(const RecordTorn& e) const {
    return {{"event", "record_torn"}, {"record", e.record}, {"why", e.why}};
  }
  json::object operator()(const RecordRemoved& e) const {
    return {{"event", "record_removed"},
            {"record", e.record},
            {"lines", e.lines},
            {"refusals", e.refusals}};
  }
  json::object operator()(const NetworkUse& e) const {
    json::array rows;
    for (const NetworkUse::Row& row : e.rows)
      rows.push_back(
          json::object{{"destination", row.destination}, {"why", row.why}, {"times", row.times}});
    return {{"event", "network_use"}, {"run", e.run}, {"destinations", std::move(rows)}};
  }
  json::object operator()(const LimitReached& e) const {
    return {{"event", "limit_reached"}, {"run", e.run},   {"limit", e.limit},
            {"then", name_of(e.then)},  {"what", e.what}, {"flag", e.flag}};
  }
};

// Takes secrets out of every text below; the words of a command are looked at together.
void redact_all(json::value& value) {
  constexpr size_t kLongest = 4096;
  if (auto* text = value.if_string()) {
    std::string_view whole(text->data(), text->size());
    std::string clean = redact(whole.substr(0, kLongest));
    if (whole.size() > kLongest) clean += "… (" + std::to_string(whole.size()) + " bytes)";
    *text = clean;
  } else if (auto* list = value.if_array()) {
    for (json::value& item : *list)
      redact_all(item);
  } else if (auto* object = value.if_object()) {
    for (auto& [key, item] : *object)
      redact_all(item);
  }
}

void redact_command(json::object& event) {
  json::value* words = event.if_contains("command");
  if (words == nullptr || !words->is_array()) return;
  std::vector<std::string> plain;
  for (const json::value& word : words->get_array())
    plain.emplace_back(word.get_string());
  *words = strings(redact_words(plain));
}

}  // namespace

std::string to_json(const Event& event) {
  json::object object = std::visit(ToJson{}, event);
  redact_command(object);
  for (auto& [key, value] : object)
    redact_all(value);
  return text::harmless_json(json::serialize(object));
}

uint64_t count_refusals(const Event& event) {
  if (const auto* blocked = std::get_if<Blocked>(&event)) return blocked->times;
  if (const auto* many = std::get_if<BlockedMany>(&event)) return many->times;
  if (const auto* program = std::get_if<RefusedProgram>(&event)) return program->times;
  if (const auto* gap = std::get_if<RecordGap>(&event)) return gap->refusals;
  bool is_one = std::holds_alternative<Planted>(event) || std::holds_alternative<Refused>(event) ||
                std::holds_alternative<LimitReached>(event) ||
                std::holds_alternative<FilesHidden>(event) ||
                std::holds_alternative<ToolRefused>(event);
  return is_one ? 1 : 0;
}

}  // namespace ringwall::events
