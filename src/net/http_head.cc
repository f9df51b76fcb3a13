#include "net/http_head.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "net/judgement.h"
#include "policy/hosts.h"

namespace ringwall::net {
namespace {

constexpr size_t kMostFields = 200;
constexpr size_t kLongestMethod = 32;
constexpr size_t kMostDigits = 18;  // of a length; they fit into 64 bits

struct Field {
  std::string name;  // in small letters
  std::string_view value;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Space and tab, which may stand around a value.
std::string_view without_blanks(std::string_view text) {
  size_t start = text.find_first_not_of(" \t");
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(" \t") - start + 1);
}

Result<Field> split_field(std::string_view line, HttpHead& head) {
  if (++head.fields > kMostFields) return fail("the request has more than 200 headers");
  if (line.starts_with(' ') || line.starts_with('\t'))
    return fail("the request has a header that goes on in a second line");
  size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0)
    return fail("the request has a header without a name");
  std::string_view name = line.substr(0, colon);
  if (!std::all_of(name.begin(), name.end(), is_token_letter))
    return fail("the request has a header of which the name is malformed: " + told(name));
  return Field{text::in_small_letters(name), without_blanks(line.substr(colon + 1))};
}

// Gateways hand headers on as variables, where '_' and '-' become one.
bool is_disguised(std::string_view name) {
  std::string plain(name);
  std::replace(plain.begin(), plain.end(), '_', '-');
  return plain != name &&
         (plain == "content-length" || plain == "transfer-encoding" || plain == "http2-settings");
}

Status read_length(std::string_view value, HttpHead& head) {
  if (head.content_length) return fail("the request has two Content-Length headers");
  bool is_number = !value.empty() && value.size() <= kMostDigits &&
                   std::all_of(value.begin(), value.end(), is_digit);
  if (!is_number) return fail("the request has a Content-Length that is none: " + told(value));
  uint64_t length = 0;
  std::from_chars(value.data(), value.data() + value.size(), length);
  head.content_length = length;
  return {};
}

// HTTP/2 and TLS would hide the names of later requests. Clients offer them in passing (Java's does
// in every request) and go on without.
Status read_upgrade(std::string_view value, HttpHead& head) {
  for (const std::string& entry : text::split(value, ',')) {
    std::string protocol = text::in_small_letters(without_blanks(entry));
    bool is_plain = std::all_of(protocol.begin(), protocol.end(),
                                [](char c) { return is_token_letter(c) || c == '/'; });
    if (protocol.empty() || !is_plain)
      return fail("the request has an Upgrade that is malformed: " + told(value));
    for (const char* hiding : {"h2", "http/", "tls"})
      head.offers_hidden = head.offers_hidden || protocol.find(hiding) != std::string::npos;
  }
  head.asks_switch = head.asks_switch || !head.offers_hidden;
  return {};
}

Status check_path(std::string_view path) {
  bool is_plain = std::none_of(path.begin(), path.end(), [](char c) {
    auto byte = static_cast<unsigned char>(c);
    return byte <= ' ' || byte == 0x7f || byte == '#';
  });
  if (!is_plain) return fail("the request has a target that is malformed");
  return {};
}

Status read_target(std::string_view method, std::string_view target, HttpHead& head) {
  constexpr std::string_view kScheme = "http://";
  TRY(check_path(target));
  if (method == "CONNECT") return fail("the request asks for a tunnel (CONNECT)");
  if (target.starts_with('/') || (target == "*" && method == "OPTIONS")) return {};
  if (text::in_small_letters(target.substr(0, kScheme.size())) != kScheme)
    return fail("the request has a target that is neither a path nor begins with http://");
  target.remove_prefix(kScheme.size());
  TRY_ASSIGN(head.target, parse_http_authority(target.substr(0, target.find_first_of("/?"))));
  return {};
}

bool is_ipv4(const std::string& text) {
  unsigned char bytes[4];
  return inet_pton(AF_INET, text.c_str(), bytes) == 1;
}

bool is_ipv6(const std::string& text) {
  unsigned char bytes[16];
  return inet_pton(AF_INET6, text.c_str(), bytes) == 1;
}

Result<uint16_t> parse_port(std::string_view text) {
  unsigned port = 0;
  bool is_number = !text.empty() && text.size() <= 5 && text[0] != '0' &&
                   std::all_of(text.begin(), text.end(), is_digit);
  if (is_number) std::from_chars(text.data(), text.data() + text.size(), port);
  if (port == 0 || port > 65535) return fail("the request names a port that is none");
  return static_cast<uint16_t>(port);
}

}  // namespace

bool is_token_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) ||
         (c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos);
}

Result<HttpAuthority> parse_http_authority(std::string_view text) {
  HttpAuthority authority;
  bool is_bracketed = text.starts_with('[');
  size_t end = text.find(is_bracketed ? ']' : ':');
  if (is_bracketed && end == std::string_view::npos)
    return fail("the request names a host that is none: " + told(text));
  std::string_view host = is_bracketed ? text.substr(1, end - 1) : text.substr(0, end);
  std::string_view rest = text.substr(host.size() + (is_bracketed ? 2 : 0));
  // Nothing longer is a host; inet_pton would stop at a zero byte.
  bool may_be = host.size() <= 253 && host.find('\0') == std::string_view::npos;
  authority.host = may_be ? text::in_small_letters(host) : "";
  bool is_host = is_bracketed ? is_ipv6(authority.host)
                              : is_ipv4(authority.host) || policy::parse_host_name(authority.host);
  if (!is_host) return fail("the request names a host that is none: " + told(text));
  if (rest.empty()) return authority;
  if (rest[0] != ':') return fail("the request names a host that is none: " + told(text));
  TRY_ASSIGN(authority.port, parse_port(rest.substr(1)));
  return authority;
}

Status read_request_line(std::string_view line, HttpHead& head) {
  size_t first = line.find(' '), last = line.rfind(' ');
  std::string_view method = line.substr(0, first);
  bool is_method = first != std::string_view::npos && !method.empty() &&
                   method.size() <= kLongestMethod &&
                   std::all_of(method.begin(), method.end(), is_token_letter);
  if (!is_method || first == last) return fail("it does not begin with a request of HTTP/1");
  std::string_view version = line.substr(last + 1);
  if (version.starts_with("HTTP/2")) return fail("it speaks HTTP/2, in which no name can be seen");
  if (version != "HTTP/1.1" && version != "HTTP/1.0")
    return fail("it does not begin with a request of HTTP/1");
  head.is_1_0 = version == "HTTP/1.0";
  return read_target(method, line.substr(first + 1, last - first - 1), head);
}

Status read_field(std::string_view line, HttpHead& head) {
  TRY_ASSIGN(Field field, split_field(line, head));
  head.offers_hidden = field.name == "http2-settings";
  if (field.name == "host") {
    if (head.host) return fail("the request has two Host headers");
    TRY_ASSIGN(head.host, parse_http_authority(field.value));
  } else if (field.name == "content-length") {
    TRY(read_length(field.value, head));
  } else if (field.name == "transfer-encoding") {
    if (head.is_chunked) return fail("the request has two Transfer-Encoding headers");
    if (field.value != "chunked")
      return fail("the request has a Transfer-Encoding other than chunked: " + told(field.value));
    head.is_chunked = true;
  } else if (field.name == "upgrade") {
    TRY(read_upgrade(field.value, head));
  } else if (is_disguised(field.name)) {
    return fail("the request has a header in disguise: " + told(field.name));
  }
  return {};
}

Status read_trailer(std::string_view line, HttpHead& head) {
  TRY_ASSIGN(Field field, split_field(line, head));
  for (const char* reserved :
       {"host", "content-length", "transfer-encoding", "upgrade", "http2-settings", "connection"}) {
    if (field.name == reserved)
      return fail("the request has a header behind its body that belongs before it: " + field.name);
  }
  if (is_disguised(field.name))
    return fail("the request has a header in disguise: " + told(field.name));
  return {};
}

Status check_head(const HttpHead& head) {
  if (!head.host) return fail("the request has no Host header");
  if (head.is_chunked && head.content_length)
    return fail("the request has both a Content-Length and a Transfer-Encoding");
  if (head.is_chunked && head.is_1_0)
    return fail("the request has a Transfer-Encoding, which HTTP/1.0 does not know");
  return {};
}

}  // namespace ringwall::net
