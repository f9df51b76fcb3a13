#include "audit/settings.h"

namespace ringwall::audit {
namespace {

void visit_below(const std::string& way, const Setting& value,
                 const std::function<void(const std::string&, const Setting&)>& use) {
  use(way, value);
  for (const auto& [name, member] : value.members) {
    std::string longer = way.empty() || name.empty() ? way + name : way + "." + name;
    visit_below(longer, member, use);
  }
}

}  // namespace

const Setting* Setting::find(std::string_view key) const {
  if (kind != Kind::object) return nullptr;
  for (auto member = members.rbegin(); member != members.rend(); member++) {
    if (member->first == key) return &member->second;
  }
  return nullptr;
}

const Setting* Setting::find_way(std::string_view way) const {
  const Setting* at = this;
  while (at != nullptr && !way.empty()) {
    size_t dot = std::min(way.find('.'), way.size());
    at = at->find(way.substr(0, dot));
    way.remove_prefix(std::min(dot + 1, way.size()));
  }
  return at;
}

void Setting::each(std::string_view key, const std::function<void(const Setting&)>& use) const {
  if (kind != Kind::object) return;
  for (const auto& [name, member] : members) {
    if (name == key) use(member);
  }
}

void visit(const Setting& top,
           const std::function<void(const std::string& way, const Setting& value)>& use) {
  visit_below("", top, use);
}

std::string words_of(const Setting& value) {
  if (!value.is_list()) return value.is_object() ? "" : value.text;
  std::string words;
  for (const auto& [name, member] : value.members) {
    if (member.is_list() || member.is_object()) continue;
    words += (words.empty() ? "" : " ") + member.text;
  }
  return words;
}

}  // namespace ringwall::audit
