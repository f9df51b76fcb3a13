#include "mcp/pins.h"

#include <algorithm>
#include <set>

#include "base/sha256.h"
#include "base/strict_json.h"
#include "base/text.h"

namespace ringwall::mcp {
namespace {

namespace json = boost::json;

constexpr std::string_view kParts[] = {"name",         "title",       "description", "inputSchema",
                                       "outputSchema", "annotations", "execution"};

json::value sorted(const json::value& value) {
  if (const json::array* list = value.if_array()) {
    json::array out;
    for (const json::value& entry : *list)
      out.push_back(sorted(entry));
    return out;
  }
  const json::object* object = value.if_object();
  if (object == nullptr) return value;
  std::vector<std::string_view> keys;
  for (const auto& member : *object)
    keys.push_back(member.key());
  std::ranges::sort(keys);
  json::object out;
  for (std::string_view key : keys)
    out[key] = sorted(object->at(key));
  return out;
}

Definition make(std::string tool, const json::value& parts) {
  Definition definition{std::move(tool), json::serialize(sorted(parts)), ""};
  definition.digest = sha256(definition.text);
  return definition;
}

constexpr std::string_view name_of(PinNote::Kind kind) {
  return kind == PinNote::Kind::first     ? "first"
         : kind == PinNote::Kind::changed ? "changed"
                                          : "held";
}

Result<PinNote> parse_note(std::string_view line) {
  TRY_ASSIGN(json::object object, strict_json::parse_object(line));
  auto text = [&](const char* key) -> std::string {
    const json::value* value = object.if_contains(key);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
  };
  PinNote note;
  std::string kind = text("kind");
  if (kind == "changed") note.kind = PinNote::Kind::changed;
  if (kind == "held") note.kind = PinNote::Kind::held;
  note.definition = {text("tool"), text("definition"), ""};
  note.definition.digest = sha256(note.definition.text);
  note.why = text("why");
  const json::value* since = object.if_contains("since");
  if (since != nullptr && since->is_int64()) note.since = since->get_int64();
  // What was written in part, or by somebody else.
  if (note.definition.tool.empty() || note.definition.digest != text("sha256") ||
      kind != name_of(note.kind))
    return fail("is no note of a tool");
  return note;
}

Result<std::vector<PinNote>> parse_notes(std::string_view lines, std::string_view what) {
  std::vector<PinNote> notes;
  size_t number = 0;
  for (std::string_view line : text::split_in_place(lines, '\n')) {
    number++;
    if (line.empty()) continue;
    auto note = parse_note(line);
    if (!note)
      return fail("line " + std::to_string(number) + " of the " + std::string(what) + " " +
                  note.error().what);
    notes.push_back(std::move(*note));
  }
  return notes;
}

// One line for each value in it, texts in lines of their own.
void flatten(const json::value& value, const std::string& way, std::vector<std::string>& lines) {
  if (const json::object* object = value.if_object(); object != nullptr && !object->empty()) {
    for (const auto& member : *object)
      flatten(member.value(), way + (way.empty() ? "" : ".") + std::string(member.key()), lines);
    return;
  }
  if (const json::array* list = value.if_array(); list != nullptr && !list->empty()) {
    for (const json::value& entry : *list)
      flatten(entry, way + "[]", lines);
    return;
  }
  if (const json::string* text = value.if_string()) {
    for (std::string_view line : text::split_in_place(*text, '\n'))
      lines.push_back(text::escape(way + ": " + std::string(line)));
    return;
  }
  lines.push_back(text::escape(way + ": " + json::serialize(value)));
}

std::vector<std::string> lines_of(const std::string& definition) {
  std::vector<std::string> lines;
  auto value = strict_json::parse(definition);
  if (value) flatten(*value, "", lines);
  return lines;
}

}  // namespace

json::object pinned_parts(const json::object& tool) {
  json::object parts;
  for (std::string_view part : kParts) {
    if (const json::value* value = tool.if_contains(part)) parts[part] = *value;
  }
  return parts;
}

Definition define(const json::object& tool) {
  const json::value* name = tool.if_contains("name");
  std::string text = name != nullptr && name->is_string() ? std::string(name->get_string()) : "";
  return make(std::move(text), pinned_parts(tool));
}

Definition define_instructions(std::string_view instructions) {
  return make(std::string(kInstructionsName), json::object{{"instructions", instructions}});
}

std::string PinNote::line() const {
  json::object note{{"tool", definition.tool},
                    {"kind", name_of(kind)},
                    {"sha256", definition.digest},
                    {"since", since},
                    {"definition", definition.text}};
  if (!why.empty()) note["why"] = why;
  return json::serialize(note) + "\n";
}

Result<Pins> Pins::read(std::string_view notes, std::string_view approved) {
  Pins pins;
  TRY_ASSIGN(std::vector<PinNote> added, parse_notes(notes, "notes"));
  TRY_ASSIGN(std::vector<PinNote> agreed, parse_notes(approved, "approvals"));
  for (const PinNote& note : agreed)
    pins.approve(note);
  for (const PinNote& note : added)
    pins.add(note);
  return pins;
}

Pins::State Pins::look_at(const Definition& definition) const {
  auto pin = pinned_.find(definition.tool);
  if (pin != pinned_.end())
    return pin->second.definition.digest == definition.digest ? State::same : State::changed;
  auto waits = waiting_.find(definition.tool);
  bool is_held = waits != waiting_.end() && waits->second.definition.digest == definition.digest;
  return is_held ? State::held : State::unknown;
}

void Pins::add(const PinNote& note) {
  const std::string& tool = note.definition.tool;
  auto pin = pinned_.find(tool);
  if (note.kind == PinNote::Kind::first) {
    if (pin == pinned_.end()) pinned_[tool] = note;
  } else if (pin != pinned_.end() && pin->second.definition.digest == note.definition.digest) {
    waiting_.erase(tool);  // it was approved since
  } else {
    waiting_[tool] = note;
  }
}

void Pins::approve(const PinNote& note) {
  approved_[note.definition.tool] = pinned_[note.definition.tool] = note;
  waiting_.erase(note.definition.tool);
}

std::string Pins::approved_text() const {
  std::string text;
  for (const auto& [tool, note] : approved_)
    text += note.line();
  return text;
}

std::vector<std::string> show_difference(const std::string& before, const std::string& after) {
  std::vector<std::string> old_lines = lines_of(before), new_lines = lines_of(after);
  std::multiset<std::string> in_old(old_lines.begin(), old_lines.end());
  std::multiset<std::string> in_new(new_lines.begin(), new_lines.end());
  std::vector<std::string> shown;
  for (const std::string& line : old_lines) {
    if (!in_new.contains(line)) shown.push_back("- " + line);
  }
  for (const std::string& line : new_lines) {
    if (!in_old.contains(line)) shown.push_back("+ " + line);
  }
  return shown;
}

}  // namespace ringwall::mcp
