// How [tools.advisor] is written: the URL of the model's server, its name, and where its key is.
// The key itself stands in no policy: policies are shown, recorded and shared.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ringwall::policy {

// The path says which API it is.
Result<std::string> check_advisor_url(std::string_view url);

Result<std::string> check_model_name(std::string_view name);

struct KeyPlace {
  enum class Kind { variable, file } kind;
  std::string name;  // of the variable, or an absolute path
};
// "env:NAME", "file:/path", "file:~/path".
Result<KeyPlace> parse_key_place(std::string_view place, const std::string& home);

}  // namespace ringwall::policy
