// The ClientHello message of TLS, put together from its records: what it says about the name that
// the client asks for. Strict: whatever a server might read in another way is no hello.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"

namespace ringwall::net {

struct HelloFacts {
  // As it was sent. The one of the outer hello, where an inner one is encrypted.
  std::optional<std::string_view> server_name;
  bool has_early_data = false;
};

// `message` is the whole of it, with its type and length.
Result<HelloFacts> parse_client_hello(std::string_view message);

}  // namespace ringwall::net
