#include "events/record_show.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/text.h"

namespace ringwall::events {
namespace {

namespace json = boost::json;

// How an event is told, by its name. Words in braces are members; a part in brackets is left out
// if its member is empty.
struct Form {
  std::string_view event;
  std::string_view kind;
  std::string_view words;
  enum class Class { other, refusal, network, refused_network } what = Class::other;
};

constexpr Form kForms[] = {
    {"run_started", "started",
     "{command} in {workspace}[, with {widenings}][, without {missing_walls}]"},
    {"run_ended", "ended", "status {exit_status}"},
    {"refused", "refused", "[the wall {wall}: ]{what}", Form::Class::refusal},
    {"cannot_run", "cannot run", "{program}: {what}"},
    {"withheld", "withheld", "{what}"},
    {"files_hidden", "hidden", "{paths}[; sockets: {sockets}]", Form::Class::refusal},
    {"limit_reached", "limit", "{limit}: it {what}; {then}", Form::Class::refusal},
    {"planted", "planted", "{path} ({rule}): {why}[; kept as {item}]", Form::Class::refusal},
    {"blocked", "blocked", "{destination}[ for {program}]: {why}", Form::Class::refused_network},
    {"blocked_many", "blocked", "{destinations}", Form::Class::refused_network},
    {"refused_program", "refused",
     "{path}[ to {parent}]: {why}[ ({rule})]; {how}[; sha256:{digest}]", Form::Class::refusal},
    {"first_seen_program", "program", "{path}[ by {parent}], sha256:{digest}[ ({rule})]"},
    {"connected", "connected", "{destination}[ by {rule}]", Form::Class::network},
    {"network_use", "network", "{destinations}", Form::Class::network},
    {"asked", "asked", "{id}: {destination}[ for {program}]", Form::Class::network},
    {"answered", "{answer}", "{id}: {destination}[, {scope}][, by {by}]", Form::Class::network},
    {"tool_refused", "refused", "{tool} to {agent}: {what}: {why}[ ({rule})]",
     Form::Class::refusal},
    {"tool_failed", "failed", "{tool} of {agent}: {what}"},
    {"sent", "sent", "{bytes} bytes to {destination}, {total} in all", Form::Class::network},
    {"process_burst", "processes", "{processes} at once"},
    {"risk_level", "risk", "{level}, after {before}[: {because}][; {does}]"},
    {"risk_lowered", "risk", "lowered from {level}: {reason}[, by {by}]"},
    {"files_changed", "files",
     "{added} added, {changed} changed, {deleted} deleted, {renamed} renamed"},
    {"kept_for_undo", "undo", "{files} files can be put back[, {unkept} cannot: {why}]"},
    {"repository_news", "new here", "{gravest}[ ({findings} in all)]"},
    {"tool_judged", "{answer}", "{tool} to {agent}: {what}[ ({rule})]"},
    {"finding", "finding", "{kind}: {excerpt}, from {tool} to {agent}"},
    {"hidden_file", "hidden", "{tool} of {agent} wants {path}"},
    {"subagent_started", "subagent", "{kind} of {agent}"},
    {"tool_noise", "noise", "{messages} messages of hooks, too many to tell one by one"},
    {"policy_changed", "policy", "{change}[, {scope}][, by {by}]", Form::Class::network},
    {"controlled", "{act}", "[{command}, ]by {by}"},
    {"record_gap", "gap", "{events} events, {refusals} of them refusals, are only counted: {why}",
     Form::Class::refusal},
    {"record_failing", "no record", "{why}"},
    {"record_mended", "killed",
     "{record}: {cut_bytes} bytes of what was being written when its supervisor was killed"},
    {"record_torn", "torn", "{record}: {why}"},
    {"record_removed", "removed", "{record}: {lines} lines, {refusals} refusals"},
};

std::string show_value(const json::value& value);

std::string show_list(const json::array& items) {
  constexpr size_t kMost = 12;
  std::string out;
  for (size_t i = 0; i < std::min(items.size(), kMost); i++)
    out += (i > 0 ? (items[i].is_object() ? ", " : " ") : "") + show_value(items[i]);
  if (items.size() > kMost) out += " … (" + std::to_string(items.size()) + ")";
  return out;
}

// A row of what was asked of the network.
std::string show_row(const json::object& row) {
  auto text = [&](const char* key) {
    const json::value* value = row.if_contains(key);
    return value != nullptr ? show_value(*value) : "";
  };
  bool reached = row.if_contains("why") != nullptr && text("why").empty();
  return text("destination") + (reached ? " reached " : " refused ") + text("times") + "x";
}

std::string show_value(const json::value& value) {
  if (value.is_string()) {
    std::string_view text = value.get_string();
    return text.empty() ? "" : text::quote(text);
  }
  if (value.is_array()) return show_list(value.get_array());
  if (value.is_object()) return show_row(value.get_object());
  return json::serialize(value);
}

// Sentences are escaped but not quoted.
bool is_sentence(std::string_view member) {
  return member == "what" || member == "why" || member == "rule" || member == "then" ||
         member == "by" || member == "change" || member == "scope" || member == "answer" ||
         member == "act" || member == "limit" || member == "level" || member == "before";
}

std::string member_text(const json::object& event, std::string_view member) {
  const json::value* value = event.if_contains(member);
  if (value == nullptr) return "";
  if (value->is_string() && is_sentence(member)) return text::escape(value->get_string());
  return show_value(*value);
}

std::string fill(std::string_view form, const json::object& event) {
  std::string out;
  while (!form.empty()) {
    if (form[0] == '[') {
      size_t end = form.find(']');
      std::string_view part = form.substr(1, end - 1);
      size_t open = part.find('{');
      if (!member_text(event, part.substr(open + 1, part.find('}') - open - 1)).empty())
        out += fill(part, event);
      form.remove_prefix(end + 1);
    } else if (form[0] == '{') {
      size_t end = form.find('}');
      out += member_text(event, form.substr(1, end - 1));
      form.remove_prefix(end + 1);
    } else {
      out += form[0];
      form.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace

static std::optional<json::object> parse_event(std::string_view line) {
  boost::system::error_code error;
  json::value parsed = json::parse(line, error);
  if (error || !parsed.is_object()) return std::nullopt;
  return std::move(parsed.get_object());
}

std::string event_of(std::string_view line) {
  auto event = parse_event(line);
  const json::value* name = event ? event->if_contains("event") : nullptr;
  return name != nullptr && name->is_string() ? std::string(name->get_string()) : "";
}

uint64_t refusals_in(std::string_view line) {
  auto event = parse_event(line);
  if (!event) return 0;
  std::string name = event_of(line);
  const auto* form = std::ranges::find(kForms, name, &Form::event);
  bool is_refusal = form != std::end(kForms) && (form->what == Form::Class::refusal ||
                                                 form->what == Form::Class::refused_network);
  if (!is_refusal) return 0;
  const json::value* count = event->if_contains(name == "record_gap" ? "refusals" : "times");
  if (count == nullptr) return 1;
  return count->is_int64() && count->get_int64() > 0 ? static_cast<uint64_t>(count->get_int64())
                                                     : 0;
}

std::optional<ShownLine> show_line(std::string_view line) {
  boost::system::error_code error;
  json::value parsed = json::parse(line, error);
  if (error || !parsed.is_object()) return std::nullopt;
  const json::object& event = parsed.get_object();
  const json::value* name = event.if_contains("event");
  const json::value* time = event.if_contains("time");
  if (name == nullptr || !name->is_string() || time == nullptr || !time->is_string())
    return std::nullopt;
  const auto* form = std::ranges::find(kForms, std::string_view(name->get_string()), &Form::event);
  ShownLine shown{text::escape(time->get_string()), text::escape(name->get_string()), "", false,
                  false};
  if (form == std::end(kForms)) return shown;
  shown.kind = fill(form->kind, event);
  shown.words = fill(form->words, event);
  if (const json::value* times = event.if_contains("times");
      times && times->is_int64() && times->get_int64() > 1)
    shown.words += " (" + json::serialize(*times) + " times)";
  shown.is_refusal =
      form->what == Form::Class::refusal || form->what == Form::Class::refused_network;
  // What waits can be a tool call too.
  bool is_tool = member_text(event, "kind") == "tool";
  bool is_about_network =
      form->what == Form::Class::network || form->what == Form::Class::refused_network;
  shown.is_network = is_about_network && !is_tool;
  return shown;
}

}  // namespace ringwall::events
