#include "install/off_switch.h"

#include <fcntl.h>

#include <algorithm>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/strict_json.h"
#include "base/text.h"
#include "install/off_key.h"
#include "prepare/policy_layers.h"

namespace ringwall::install {
namespace {

namespace json = boost::json;

constexpr const char* kFile = "off.json";
constexpr size_t kMostKept = 200;  // the oldest go

std::string folder_of(const state::Places& places) { return path::join(places.state, "install"); }

std::string words_at(const json::object& object, const char* key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

int64_t number_at(const json::object& object, const char* key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_int64() ? value->get_int64() : 0;
}

Status write_offs(const state::Places& places, std::vector<Off> offs) {
  if (offs.size() > kMostKept)
    offs.erase(offs.begin(), offs.end() - static_cast<ptrdiff_t>(kMostKept));
  TRY_ASSIGN(Fd folder, file::make_dirs(folder_of(places)));
  return file::replace_at(folder.get(), kFile, offs_text(offs));
}

}  // namespace

std::string offs_text(const std::vector<Off>& offs) {
  json::array list;
  for (const Off& off : offs) {
    list.push_back(json::object{{"agent", off.agent},
                                {"from", off.from},
                                {"until", off.until},
                                {"reason", off.reason},
                                {"by", off.by},
                                {"ended", off.ended}});
  }
  return json::serialize(json::object{{"version", 1}, {"offs", std::move(list)}}) + "\n";
}

Result<std::vector<Off>> parse_offs(std::string_view text) {
  TRY_ASSIGN(json::object object, strict_json::parse_object(text));
  const json::value* list = object.if_contains("offs");
  if (list == nullptr || !list->is_array()) return fail("it holds no list");
  std::vector<Off> offs;
  for (const json::value& value : list->get_array()) {
    if (!value.is_object()) return fail("an entry is no object");
    const json::object& one = value.get_object();
    offs.push_back({words_at(one, "agent"), number_at(one, "from"), number_at(one, "until"),
                    words_at(one, "reason"), words_at(one, "by"), number_at(one, "ended")});
  }
  return offs;
}

Result<std::vector<Off>> read_offs(const state::Places& places) {
  auto text = file::read(path::join(folder_of(places), kFile));
  if (!text && text.error().err == ENOENT) return std::vector<Off>{};
  if (!text) return std::unexpected(text.error());
  return parse_offs(*text);
}

// A clock that was set back does not make it longer.
std::optional<Off> find_off(const std::vector<Off>& offs, std::string_view agent, int64_t now) {
  for (auto off = offs.rbegin(); off != offs.rend(); ++off) {
    if (off->agent != agent) continue;
    bool holds = off->ended == 0 && off->from <= now && now < off->until &&
                 off->until - off->from <= kLongestOff;
    if (holds) return *off;
    return std::nullopt;
  }
  return std::nullopt;
}

Status check_off_is_free(const state::Caller& caller, const state::Places& places) {
  prepare::LayerRequest request{.caller = caller, .places = places, .working_folder = "/"};
  TRY_ASSIGN(prepare::PolicyLayers layers, prepare::load_own_layers(request));
  if (!layers.policy)
    return fail(layers.diagnostics[0].place + ": " + layers.diagnostics[0].what,
                layers.diagnostics[0].hint);
  const policy::Switch& locked = layers.policy->walls.no_off;
  if (!locked.on) return {};
  return fail("walls.no_off is on, by " + locked.origin.text(),
              locked.origin.layer == policy::Layer::organisation
                  ? "ask whoever keeps that file"
                  : "take it out of that file first");
}

// Noted before it holds.
Status turn_off(const state::Caller& caller, const state::Places& places, Off off) {
  auto offs = read_offs(places);
  std::vector<Off> list = offs ? std::move(*offs) : std::vector<Off>{};
  std::string key = off_key_name(off.agent, caller.home);
  int64_t seconds = off.until - off.from;
  list.push_back(std::move(off));
  TRY(write_offs(places, list));
  Status held = put_off_key(key, seconds);
  if (!held) {
    list.pop_back();
    (void)write_offs(places, std::move(list));
  }
  return held;
}

Result<bool> turn_on(const state::Caller& caller, const state::Places& places,
                     std::string_view agent, int64_t now) {
  remove_off_key(off_key_name(agent, caller.home));
  TRY_ASSIGN(std::vector<Off> offs, read_offs(places));
  if (!find_off(offs, agent, now)) return false;
  auto last =
      std::find_if(offs.rbegin(), offs.rend(), [&](const Off& off) { return off.agent == agent; });
  last->ended = now;
  TRY(write_offs(places, std::move(offs)));
  return true;
}

std::optional<Off> off_in_force(const state::Caller& caller, const state::Places& places,
                                std::string_view agent) {
  auto offs = read_offs(places);
  if (!offs) return std::nullopt;
  auto off = find_off(*offs, agent, clock::wall_seconds());
  if (!off || !has_off_key(off_key_name(agent, caller.home))) return std::nullopt;
  if (!check_off_is_free(caller, places)) return std::nullopt;
  return off;
}

}  // namespace ringwall::install
