#include "cli/explain_risk.h"

#include <boost/json.hpp>
#include <cstdio>

#include "base/layout.h"
#include "base/text.h"
#include "cli/output.h"
#include "clients/run_control.h"
#include "events/record_follow.h"
#include "events/record_store.h"
#include "risk/axes.h"
#include "risk/level.h"
#include "state/places.h"

namespace ringwall::cli {
namespace {

namespace json = boost::json;

double share_of(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value != nullptr && value->is_number() ? value->to_number<double>() / 1e6 : 0;
}

double points_of(const json::object& points, std::string_view name) {
  return share_of(points, name) * 1000;
}

const json::object& part(const json::object& whole, std::string_view name) {
  static const json::object kNone;
  const json::value* value = whole.if_contains(name);
  return value != nullptr && value->is_object() ? value->get_object() : kNone;
}

std::string words(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

// The accounts of one axis: "12.0 points, 8.0 of hosts".
std::string show_points(const json::object& points, risk::Axis axis) {
  std::string out;
  for (const risk::AccountRow& account : risk::kAccountRows) {
    double count = points_of(points, account.name);
    if (account.axis != axis || count == 0) continue;
    char text[64];
    snprintf(text, sizeof text, "%.1f of %s", count, std::string(account.name).c_str());
    out += (out.empty() ? "points: " : ", ") + std::string(text);
  }
  return out;
}

void print_axes(const json::object& risk) {
  const json::object& axes = part(risk, "axes");
  const json::object& points = part(risk, "points");
  for (size_t i = 0; i < risk::kAxes; i++) {
    std::string name(risk::kAxisRows[i].name);
    printf("  %s %.2f  %s\n", layout::pad(name, 10).c_str(), share_of(axes, name),
           show_points(points, static_cast<risk::Axis>(i)).c_str());
  }
}

void print_heaviest(const json::object& risk) {
  const json::value* list = risk.if_contains("heaviest");
  if (list == nullptr || !list->is_array() || list->get_array().empty()) {
    printf("nothing that counts has happened\n");
    return;
  }
  printf("what weighs most now:\n");
  for (const json::value& value : list->get_array()) {
    if (!value.is_object()) continue;
    const json::object& one = value.get_object();
    printf("  %6.1f  %s %s, at %.1f s: %s\n", points_of(one, "points"),
           layout::pad(words(one, "axis"), 10).c_str(), words(one, "signal").c_str(),
           share_of(one, "at") * 1000, text::quote(words(one, "shown")).c_str());
  }
}

void print_next(const json::object& risk) {
  double score = share_of(risk, "score"), seen = share_of(risk, "seen");
  const double least = risk::kLeastSeen / 1e6;
  double isolated = share_of(part(risk, "thresholds"), "isolated");
  if (isolated > 0 && score >= isolated && seen < least)
    printf("isolated needs %.2f without what hooks say, which anything inside can say: now %.2f\n",
           least, seen);
  for (const auto& [level, at] : part(risk, "thresholds")) {
    double threshold = at.is_number() ? at.to_number<double>() / 1e6 : 2;
    if (threshold <= score || threshold > 1) continue;
    printf("next: %s from %.2f on\n", std::string(level).c_str(), threshold);
    return;
  }
}

// Of a run that goes on, what it says itself; of one that has ended, what its record gives.
Result<json::object> find_risk(const std::string& run, std::string& name) {
  TRY_ASSIGN(name, clients::choose_run(run));
  auto description = clients::describe_run(name);
  if (description) return part(*description, "risk");
  auto record = replay_record(name);
  if (!record) return std::unexpected(description.error());
  name = record->id + " (ended)";
  json::object risk = risk::describe(record->replay.score(), record->replay.end());
  risk["level"] = risk::name_of(record->replay.level());
  return risk;
}

}  // namespace

Result<ReplayedRecord> replay_record(const std::string& run_or_id) {
  TRY_ASSIGN(state::Caller caller, state::read_caller());
  state::Places places = state::find_places(caller, getenv("XDG_RUNTIME_DIR"));
  TRY_ASSIGN(events::RecordEntry entry, events::find_record(places.state, run_or_id));
  ReplayedRecord done{entry.id, {}};
  events::RecordReader reader(places.state, entry.id);
  while (reader.read([&](std::string_view line) { done.replay.take(line); })) {
  }
  return done;
}

Result<int> explain_risk(const std::string& run, bool as_json) {
  std::string name;
  TRY_ASSIGN(json::object risk, find_risk(run, name));
  if (risk.empty()) return fail("the run " + text::quote(name) + " does not count its risk");
  if (as_json) {
    printf("%s\n", text::harmless_json(json::serialize(risk)).c_str());
    return 0;
  }
  std::string does;
  if (const json::value* acts = risk.if_contains("does"); acts != nullptr && acts->is_array()) {
    for (const json::value& act : acts->get_array()) {
      if (act.is_string()) does += (does.empty() ? "" : ", ") + std::string(act.get_string());
    }
  }
  Style style = style_for(stdout);
  printf("%s%s%s: risk %.2f, %s%s\n", std::string(style.bold).c_str(), text::quote(name).c_str(),
         std::string(style.plain).c_str(), share_of(risk, "score"), words(risk, "level").c_str(),
         does.empty() ? "" : (" (" + does + ")").c_str());
  print_axes(risk);
  print_heaviest(risk);
  print_next(risk);
  if (!does.empty())
    printf("lower it: ringwall risk lower %s --reason …\n", text::quote(name).c_str());
  return 0;
}

}  // namespace ringwall::cli
