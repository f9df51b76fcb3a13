// The head of an HTTP/1 request, line by line. Strict: what two servers might read in two ways is
// refused, since the request that was judged must be the one that is served.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ringwall::net {

// "name" or "name:port", as it stands in a Host or in a target.
struct HttpAuthority {
  std::string host;  // in small letters
  std::optional<uint16_t> port;
  bool operator==(const HttpAuthority&) const = default;
};

// The host is a name or an address; IPv6 without its brackets.
Result<HttpAuthority> parse_http_authority(std::string_view text);

struct HttpHead {
  std::optional<HttpAuthority> target;  // that a target in absolute form names
  std::optional<HttpAuthority> host;
  std::optional<uint64_t> content_length;
  bool is_1_0 = false;
  bool is_chunked = false;
  bool asks_switch = false;    // to another protocol
  bool offers_hidden = false;  // the latest field offers to go on where no name could be seen
  size_t fields = 0;
};

// Lines come without their end, and hold no control character but tabs.
Status read_request_line(std::string_view line, HttpHead& head);
Status read_field(std::string_view line, HttpHead& head);
// Behind a body in chunks: nothing that says how the request is to be read.
Status read_trailer(std::string_view line, HttpHead& head);
// What only the whole head can show, but for the host itself.
Status check_head(const HttpHead& head);

bool is_token_letter(char c);

}  // namespace ringwall::net
