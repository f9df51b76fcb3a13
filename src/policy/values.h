// One value for one field: checked where it was written, then put into a policy.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "policy/fields.h"

namespace ringwall::policy {

// Where a value was written: paths are relative to `folder`, ~ is `home`.
struct Source {
  Origin origin;
  std::string folder;
  std::string home;
};

// A switch, a number in the smallest unit of its kind, or a text.
using Value = std::variant<bool, uint64_t, std::string>;

// One value, or one entry of a list.
struct Setting {
  const Field* field;
  Value value;
  Origin origin;
};

// An error names field and value, but not the place, which the caller knows.
Result<Setting> check_text(const Field& field, std::string_view value, const Source& source);
Result<Setting> check_switch(const Field& field, bool on, const Source& source);

// Lists grow, single values replace.
void put(Policy& policy, const Setting& setting);

// As a person would write it.
std::string show_value(const Field& field, const Value& value);

}  // namespace ringwall::policy
