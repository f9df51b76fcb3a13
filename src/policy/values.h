// Checks one value against its field and puts it into a policy.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "policy/fields.h"

namespace ringwall::policy {

// Where a value was written: paths are relative to `folder`, ~ is `home`.
struct Source {
  std::string origin;  // "--ro", "policy.toml:3"
  std::string folder;
  std::string home;
};

// Lists grow, single values replace.
Status put_text(Policy& policy, const Field& field, std::string_view value, const Source& source);
Status put_switch(Policy& policy, const Field& field, bool on, const Source& source);

}  // namespace ringwall::policy
