#include "net/first_bytes.h"

#include <algorithm>

namespace ringwall::net {
namespace {

using namespace std::string_view_literals;

constexpr size_t kLongestFirstLine = 8192;

// The methods of RFC 9110, of WebDAV and its kin, and those that caches and UPnP added. A request
// with another method is refused on HTTP ports all the same; here it is only not recognised.
constexpr std::string_view kMethods[] = {
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "DELETE",
    "CONNECT",
    "OPTIONS",
    "TRACE",
    "PATCH",
    "QUERY",
    "PROPFIND",
    "PROPPATCH",
    "MKCOL",
    "COPY",
    "MOVE",
    "LOCK",
    "UNLOCK",
    "REPORT",
    "SEARCH",
    "CHECKOUT",
    "CHECKIN",
    "MERGE",
    "BIND",
    "REBIND",
    "UNBIND",
    "MKACTIVITY",
    "LABEL",
    "MKCALENDAR",
    "UPDATE",
    "UNCHECKOUT",
    "MKWORKSPACE",
    "VERSION-CONTROL",
    "BASELINE-CONTROL",
    "ACL",
    "LINK",
    "UNLINK",
    "PURGE",
    "BAN",
    "NOTIFY",
    "SUBSCRIBE",
    "UNSUBSCRIBE",
    "M-SEARCH",
    "SOURCE",
};

// Servers skip empty lines before a request.
std::string_view without_empty_lines(std::string_view bytes) {
  return bytes.substr(std::min(bytes.find_first_not_of("\r\n"), bytes.size()));
}

enum class Fit { no, start, whole };

// Whether `bytes` begin with `word`, or are the start of it.
Fit fit(std::string_view bytes, std::string_view word) {
  if (bytes.size() < word.size()) return word.starts_with(bytes) ? Fit::start : Fit::no;
  return bytes.starts_with(word) ? Fit::whole : Fit::no;
}

// "GET /x HTTP/1.1": the method is given, how the line goes on?
Fit fit_request_line(std::string_view after_method) {
  std::string_view line = after_method.substr(0, after_method.find('\n'));
  if (line.find(" HTTP/1."sv) != std::string_view::npos) return Fit::whole;
  return line.size() == after_method.size() ? Fit::start : Fit::no;
}

Fit fit_http(std::string_view bytes) {
  bool may_go_on = bytes.size() < kLongestFirstLine;
  std::string_view line = without_empty_lines(bytes.substr(0, kLongestFirstLine));
  Fit best = fit(line, "PRI * HTTP/2"sv);
  for (std::string_view method : kMethods) {
    if (best == Fit::whole) break;
    Fit word = fit(line, method);
    if (word == Fit::whole && line.size() > method.size()) {
      word = line[method.size()] == ' ' ? fit_request_line(line.substr(method.size())) : Fit::no;
    } else if (word == Fit::whole) {
      word = Fit::start;
    }
    best = std::max(best, word);
  }
  return best == Fit::start && !may_go_on ? Fit::no : best;
}

}  // namespace

Protocol recognise(std::string_view bytes) {
  const std::pair<Protocol, Fit> fits[] = {
      {Protocol::tls, fit(bytes, "\x16\x03"sv)},
      {Protocol::ssh, fit(bytes, "SSH-"sv)},
      {Protocol::http, fit_http(bytes)},
  };
  Protocol found = Protocol::other;
  for (const auto& [protocol, how] : fits) {
    if (how == Fit::whole) return protocol;
    if (how == Fit::start) found = Protocol::unknown_yet;
  }
  return found;
}

// A port stands here if it is assigned to, or by wide custom used for, this protocol alone. One
// that is also used by servers that speak first (5000, 9000, 5432 …) must not: such a connection
// would wait for bytes that never come. What is not here is still recognised by its first bytes.
PortKind kind_of_port(uint16_t port) {
  // https, smtps, nntps, ldaps, DNS over TLS, ftps, telnets, imaps, pop3s; docker, global
  // catalogue, sips, amqps, WinRM, kubernetes, syslog, irc, mqtts; the usual second choices for
  // https.
  constexpr uint16_t kTls[] = {443,  465,  563,  636,  853,  989,  990,  992,
                               993,  995,  2376, 3269, 4443, 5061, 5671, 5986,
                               6443, 6514, 6697, 8443, 8883, 9443, 10443};
  // http and its alternates, a squid proxy, WinRM; the usual choices of servers in development.
  constexpr uint16_t kHttp[] = {80, 591, 3128, 5985, 8000, 8001, 8008, 8080, 8081, 8088, 8888};
  if (std::find(std::begin(kTls), std::end(kTls), port) != std::end(kTls)) return PortKind::tls;
  if (std::find(std::begin(kHttp), std::end(kHttp), port) != std::end(kHttp)) return PortKind::http;
  return PortKind::other;
}

}  // namespace ringwall::net
