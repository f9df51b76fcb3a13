// One request over HTTP and its answer, within a time and a size. Over TLS the other side must be
// who it says; in the clear only to this machine, since a key goes with it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ringwall::advisor {

struct HttpRequest {
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  int64_t milliseconds = 10'000;
};

struct HttpAnswer {
  unsigned status = 0;
  std::string body;
};
Result<HttpAnswer> http_post(const HttpRequest& request);

}  // namespace ringwall::advisor
