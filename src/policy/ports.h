// Ports and proxies as a policy names them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ringwall::policy {

Result<uint16_t> parse_port(std::string_view text);

// "8080:80": port 8080 of the host leads to port 80 inside. One number stands for both.
struct PublishedPort {
  uint16_t on_host = 0;
  uint16_t inside = 0;
};
Result<PublishedPort> parse_published_port(std::string_view text);

// "http://proxy.corp:3128".
struct Proxy {
  std::string host;
  uint16_t port = 0;
};
Result<Proxy> parse_proxy(std::string_view text);

}  // namespace ringwall::policy
