#include "net/refusal.h"

namespace ringwall::net {
namespace {

// Alert, TLS 1.2's number as everywhere, fatal: access denied.
constexpr std::string_view kTlsAlert("\x15\x03\x03\x00\x02\x02\x31", 7);

// For whoever reads it, a program above all: plain text, and nothing that a browser would run.
std::string http_page(std::string_view status, std::string_view why) {
  std::string body = "ringwall: " + std::string(why) + "\n";
  return "HTTP/1.1 " + std::string(status) +
         "\r\nContent-Type: text/plain; charset=utf-8\r\n"
         "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n"
         "Content-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

}  // namespace

std::string words_of_refusal(Protocol protocol, Obstacle obstacle, std::string_view why) {
  bool refused = obstacle == Obstacle::refused;
  if (protocol == Protocol::http)
    return http_page(refused ? "403 Forbidden" : "502 Bad Gateway", why);
  if (protocol == Protocol::tls && refused) return std::string(kTlsAlert);
  return {};
}

}  // namespace ringwall::net
