// Settings as their programs read them, and more leniently: JSON with comments, trailing commas and
// a byte-order mark, TOML, and the part of YAML that workflows are written in. One tree for all,
// with the line of each value. A key that stands twice is there twice: a check looks at both, since
// programs differ in which one they obey.
//
// The text may be hostile: size, depth and the number of values have an end, and what cannot be
// read is an error that says the line.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ringwall::audit {

inline constexpr size_t kMostSettingsBytes = 4u << 20;
inline constexpr size_t kMostSettingsDepth = 64;
inline constexpr size_t kMostSettingsValues = 200'000;

struct SettingsLimits {
  size_t bytes = kMostSettingsBytes;
  size_t values = kMostSettingsValues;
};
// Lock files of big projects are longer than anybody's settings.
inline constexpr SettingsLimits kLockLimits{16u << 20, 1'000'000};

struct SettingMember;

struct Setting {
  enum class Kind { null, boolean, number, text, list, object };
  Kind kind = Kind::null;
  std::string text;  // of a text what it means, of a number or boolean as it is written
  std::vector<SettingMember> members;  // of a list with empty names
  size_t line = 1;                     // of an object's member: of its key
  size_t begin = 0, end = 0;  // of JSON: its bytes in the text; both 0 if they are not known

  bool is_true() const { return kind == Kind::boolean && text == "true"; }
  bool is_false() const { return kind == Kind::boolean && text == "false"; }
  bool is_text() const { return kind == Kind::text; }
  bool is_list() const { return kind == Kind::list; }
  bool is_object() const { return kind == Kind::object; }

  // The last member of that name, which most programs obey; null if there is none.
  const Setting* find(std::string_view key) const;
  // Along keys, separated by dots; "permissions.defaultMode".
  const Setting* find_way(std::string_view way) const;
  // All members of that name.
  void each(std::string_view key, const std::function<void(const Setting&)>& use) const;
};

// Name and value, as in a map. No pair: of a type that is not whole yet there is none.
struct SettingMember {
  std::string first;
  Setting second;
};

// Calls `use` with every value below, and the names that lead to it, joined by dots.
void visit(const Setting& top,
           const std::function<void(const std::string& way, const Setting& value)>& use);

// Words of a text, or of a list of texts: a command and its arguments.
std::string words_of(const Setting& value);

Result<Setting> read_json_settings(std::string_view text);
Result<Setting> read_toml_settings(std::string_view text);
Result<Setting> read_yaml_settings(std::string_view text);

Result<Setting> read_json_settings(std::string_view text, SettingsLimits limits);
Result<Setting> read_toml_settings(std::string_view text, SettingsLimits limits);
Result<Setting> read_yaml_settings(std::string_view text, SettingsLimits limits);

}  // namespace ringwall::audit
