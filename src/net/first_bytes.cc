#include "net/first_bytes.h"

#include <algorithm>

namespace ringwall::net {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kTlsStart = "\x16\x03"sv;
constexpr std::string_view kSshStart = "SSH-"sv;
constexpr std::string_view kVersion = "http/"sv;  // in small letters
constexpr size_t kAnotherWord = kVersion.size() + 1;
// What a proxy puts before what it passes on, in its two spellings.
constexpr std::string_view kProxyLine = "PROXY "sv;
constexpr std::string_view kProxyBytes = "\r\n\r\n\0\r\nQUIT\n"sv;
constexpr size_t kLongestStart = kProxyBytes.size();

enum class Fit { no, start, whole };

// Whether `bytes` begin with `word`, or are the start of it.
Fit fit(std::string_view bytes, std::string_view word) {
  if (bytes.size() < word.size()) return word.starts_with(bytes) ? Fit::start : Fit::no;
  return bytes.starts_with(word) ? Fit::whole : Fit::no;
}

// Lenient servers take any of these for the space between the words of a request.
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r'; }

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; }

char in_small_letters(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

}  // namespace

Protocol FirstBytes::take(std::string_view more) {
  for (char c : more) {
    if (known_ != Protocol::unknown_yet) break;
    known_ = look_at(c);
  }
  return known_;
}

Protocol FirstBytes::look_at(char c) {
  if (start_.size() < kLongestStart) start_ += c;
  follow_line(c);
  bool is_proxied = fit(start_, kProxyLine) == Fit::whole || fit(start_, kProxyBytes) == Fit::whole;
  if (is_proxied || line_ == Line::is_request) return Protocol::http;
  if (fit(start_, kTlsStart) == Fit::whole) return Protocol::tls;
  bool may_go_on =
      line_ != Line::over || may_become_tls() || fit(start_, kProxyBytes) == Fit::start;
  if (may_go_on) return Protocol::unknown_yet;
  // Only now: "SSH-" can be the start of a method.
  return start_.starts_with(kSshStart) ? Protocol::ssh : Protocol::other;
}

// Servers skip empty lines and blanks before a request.
void FirstBytes::follow_line(char c) {
  bool ends = c == '\n', is_between = is_blank(c);
  switch (line_) {
    case Line::before:
      if (ends || is_between) return;
      line_ = is_control(c) ? Line::over : Line::first_word;
      return;
    case Line::first_word:
      if (is_between) line_ = Line::between;
      if (!is_between && is_control(c)) line_ = Line::over;
      return;
    case Line::between:
    case Line::in_word:
      if (ends) line_ = Line::over;
      if (is_between) line_ = Line::between;
      if (ends || is_between) return;
      if (line_ == Line::between) of_version_ = 0;
      line_ = Line::in_word;
      if (of_version_ == kAnotherWord) return;
      of_version_ = in_small_letters(c) == kVersion[of_version_] ? of_version_ + 1 : kAnotherWord;
      if (of_version_ == kVersion.size()) line_ = Line::is_request;
      return;
    case Line::over:
    case Line::is_request:
      return;
  }
}

bool FirstBytes::may_become_tls() const { return fit(start_, kTlsStart) == Fit::start; }

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
