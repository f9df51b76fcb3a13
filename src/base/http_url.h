// The URL of a server that gets a key: over TLS, or on this machine. Strict: what two readers could
// read differently is an error.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ringwall::http_url {

struct Url {
  bool is_tls = true;
  std::string host;
  std::string port;
  std::string target;  // path and query
};

Result<Url> parse(std::string_view text);

}  // namespace ringwall::http_url
