#include "install/settings_edit.h"

#include <algorithm>

#include "base/text.h"

namespace ringwall::install {
namespace {

namespace json = boost::json;

// Boost's own erase puts the last member into the gap; a person's order stays.
void remove_member(json::object& object, std::string_view key) {
  json::object kept;
  for (const auto& member : object) {
    if (member.key() != key) kept[member.key()] = member.value();
  }
  object = std::move(kept);
}

std::string shown(const SettingsEdit& edit) { return text::quote(text::join(edit.place, ".")); }

// The object that holds the last word of the place; null: something on the way is missing.
const json::object* holder_of(const json::object& settings, const SettingsEdit& edit) {
  const json::object* at = &settings;
  for (size_t i = 0; i + 1 < edit.place.size(); i++) {
    auto found = at->find(edit.place[i]);
    if (found == at->end() || !found->value().is_object()) return nullptr;
    at = &found->value().get_object();
  }
  return at;
}

const json::value* value_at(const json::object& settings, const SettingsEdit& edit) {
  const json::object* holder = holder_of(settings, edit);
  if (holder == nullptr) return nullptr;
  auto found = holder->find(edit.place.back());
  return found == holder->end() ? nullptr : &found->value();
}

bool holds(const json::object& settings, const SettingsEdit& edit) {
  const json::value* there = value_at(settings, edit);
  if (there == nullptr) return false;
  if (!edit.adds) return *there == edit.value;
  return there->is_array() &&
         std::ranges::find(there->get_array(), edit.value) != there->get_array().end();
}

Status put_one(json::object& settings, SettingsEdit& edit) {
  json::object* at = &settings;
  edit.made = 0;
  for (size_t i = 0; i + 1 < edit.place.size(); i++) {
    auto found = at->find(edit.place[i]);
    if (found == at->end()) {
      (*at)[edit.place[i]] = json::object{};
      edit.made++;
    } else if (!found->value().is_object()) {
      return fail("cannot set " + shown(edit) + ": " + text::quote(edit.place[i]) +
                  " is no object there");
    }
    at = &at->at(edit.place[i]).get_object();
  }
  auto found = at->find(edit.place.back());
  if (!edit.adds) {
    if (found != at->end()) edit.before = found->value();
    (*at)[edit.place.back()] = edit.value;
    return {};
  }
  if (found == at->end()) {
    (*at)[edit.place.back()] = json::array{edit.value};
    edit.made++;
    return {};
  }
  if (!found->value().is_array()) return fail("cannot add to " + shown(edit) + ": it is no list");
  found->value().get_array().push_back(edit.value);
  return {};
}

// Objects and lists that were made for it go with it, if nothing else came in.
void prune(json::object& at, const SettingsEdit& edit, size_t depth) {
  const std::string& key = edit.place[depth];
  auto found = at.find(key);
  if (found == at.end()) return;
  bool is_last = depth + 1 == edit.place.size();
  if (!is_last && found->value().is_object()) prune(found->value().get_object(), edit, depth + 1);
  json::value& value = found->value();
  size_t containers = edit.place.size() - (edit.adds ? 0 : 1);  // on the way
  bool was_made = depth + edit.made >= containers;
  bool is_empty = (value.is_object() && value.get_object().empty()) ||
                  (value.is_array() && value.get_array().empty());
  if (was_made && is_empty && depth < containers) remove_member(at, key);
}

void take_one(json::object& settings, const SettingsEdit& edit) {
  if (!holds(settings, edit)) return;
  json::object& holder = const_cast<json::object&>(*holder_of(settings, edit));
  if (edit.adds) {
    json::array& list = holder.at(edit.place.back()).get_array();
    list.erase(std::ranges::find(list, edit.value));
  } else if (edit.before) {
    holder[edit.place.back()] = *edit.before;
  } else {
    remove_member(holder, edit.place.back());
  }
  prune(settings, edit, 0);
}

}  // namespace

Result<json::object> put_in(json::object settings, std::vector<SettingsEdit>& edits) {
  std::vector<SettingsEdit> done;
  for (SettingsEdit& edit : edits) {
    if (holds(settings, edit)) continue;
    TRY(put_one(settings, edit));
    done.push_back(std::move(edit));
  }
  edits = std::move(done);
  return settings;
}

json::object take_out(json::object settings, const std::vector<SettingsEdit>& edits) {
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
    take_one(settings, *edit);
  return settings;
}

bool holds_all(const json::object& settings, const std::vector<SettingsEdit>& edits) {
  return std::ranges::all_of(edits,
                             [&](const SettingsEdit& edit) { return holds(settings, edit); });
}

json::value to_json(const SettingsEdit& edit) {
  json::object out{{"place", json::value_from(edit.place)},
                   {"value", edit.value},
                   {"adds", edit.adds},
                   {"made", static_cast<int64_t>(edit.made)}};
  if (edit.before) out["before"] = *edit.before;
  return out;
}

Result<SettingsEdit> settings_edit_of(const json::value& value) {
  const json::object* object = value.if_object();
  SettingsEdit out;
  if (object == nullptr || !object->contains("place") || !object->at("place").is_array() ||
      !object->contains("value"))
    return fail("an edit of settings is not as it was written");
  for (const json::value& word : object->at("place").get_array()) {
    if (!word.is_string()) return fail("an edit of settings is not as it was written");
    out.place.emplace_back(word.get_string());
  }
  if (out.place.empty()) return fail("an edit of settings is not as it was written");
  out.value = object->at("value");
  const json::value* adds = object->if_contains("adds");
  out.adds = adds != nullptr && adds->is_bool() && adds->get_bool();
  const json::value* made = object->if_contains("made");
  if (made != nullptr && made->is_int64()) out.made = static_cast<size_t>(made->get_int64());
  if (const json::value* before = object->if_contains("before")) out.before = *before;
  return out;
}

}  // namespace ringwall::install
