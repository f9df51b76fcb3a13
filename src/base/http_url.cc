#include "base/http_url.h"

#include <algorithm>

#include "base/text.h"

namespace ringwall::http_url {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 5 && text.find_first_not_of("0123456789") == text.npos;
}

bool is_this_machine(std::string_view host) {
  return host == "localhost" || host == "127.0.0.1" || host == "::1";
}

std::unexpected<Error> bad_url(std::string_view url, std::string_view why) {
  return fail("the URL " + text::quote(url) + " " + std::string(why),
              "write it as https://HOST/PATH");
}

// "host", "host:port", "[v6]:port"
bool split_host(std::string_view authority, Url& url) {
  if (authority.starts_with('[')) {
    size_t end = authority.find(']');
    if (end == authority.npos) return false;
    url.host = authority.substr(1, end - 1);
    authority.remove_prefix(end + 1);
  } else {
    size_t colon = authority.find(':');
    url.host = authority.substr(0, colon);
    authority.remove_prefix(std::min(colon, authority.size()));
  }
  if (authority.empty()) return !url.host.empty();
  url.port = authority.substr(1);
  return !url.host.empty() && authority[0] == ':' && is_number(url.port);
}

}  // namespace

Result<Url> parse(std::string_view text) {
  auto is_odd = [](char c) { return c <= ' ' || c >= 0x7f || c == '\\' || c == '@' || c == '#'; };
  if (std::ranges::any_of(text, is_odd))
    return bad_url(text, "holds a character that has no place there");
  Url url;
  std::string_view rest = text;
  if (rest.starts_with("https://")) {
    rest.remove_prefix(8);
  } else if (rest.starts_with("http://")) {
    url.is_tls = false;
    rest.remove_prefix(7);
  } else {
    return bad_url(text, "does not begin with https://");
  }
  size_t slash = rest.find('/');
  if (slash == rest.npos) return bad_url(text, "has no path");
  url.target = rest.substr(slash);
  url.port = url.is_tls ? "443" : "80";
  if (!split_host(rest.substr(0, slash), url))
    return bad_url(text, "has no host and port that can be read");
  if (!url.is_tls && !is_this_machine(url.host))
    return bad_url(text, "would send the key in the clear");
  return url;
}

}  // namespace ringwall::http_url
