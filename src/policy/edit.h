// Adds a value to a list in a policy file's text, and leaves everything else as the person wrote
// it. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ringwall::policy {

// The text with `value` in the list `key` ("network.allow"); as it was if it is there already. A
// text in which there is no safe place for it is an error that says what to write. `file` is for
// messages.
Result<std::string> add_to_list(std::string_view toml, std::string_view key, std::string_view value,
                                const std::string& file, const std::string& home);

}  // namespace ringwall::policy
