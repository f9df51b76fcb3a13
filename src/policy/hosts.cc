#include "policy/hosts.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/text.h"

namespace ringwall::policy {
namespace {

constexpr size_t kLongestName = 253;
constexpr size_t kLongestLabel = 63;
constexpr uint16_t kHttps = 443;
constexpr uint16_t kLastPort = 65535;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

Result<unsigned> parse_decimal(std::string_view text, unsigned most, const char* what) {
  unsigned value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool whole = !text.empty() && error == std::errc() && end == text.data() + text.size();
  if (!whole || value > most || (text.size() > 1 && text[0] == '0'))
    return fail("has " + std::string(what) + " that is not one: " + text::quote(text),
                "write a number up to " + std::to_string(most));
  return value;
}

Result<uint16_t> parse_port(std::string_view text) {
  TRY_ASSIGN(unsigned port, parse_decimal(text, kLastPort, "a port"));
  if (port == 0) return fail("has port 0", "write a number from 1 to 65535, or '*' for every port");
  return static_cast<uint16_t>(port);
}

// "443", "8000-8100" or "*".
Status take_ports(HostPattern& pattern, std::string_view text) {
  pattern.first_port = 1;
  pattern.last_port = kLastPort;
  if (text == "*") return {};
  size_t dash = text.find('-');
  TRY_ASSIGN(pattern.first_port, parse_port(text.substr(0, dash)));
  pattern.last_port = pattern.first_port;
  if (dash == std::string_view::npos) return {};
  TRY_ASSIGN(pattern.last_port, parse_port(text.substr(dash + 1)));
  if (pattern.last_port < pattern.first_port)
    return fail("has ports that run backwards", "write the lower one first, as in 8000-8100");
  return {};
}

std::string shown_ports(const HostPattern& pattern) {
  if (pattern.first_port == 1 && pattern.last_port == kLastPort) return "*";
  std::string first = std::to_string(pattern.first_port);
  if (pattern.first_port == pattern.last_port) return first;
  return first + "-" + std::to_string(pattern.last_port);
}

// The part of the address that counts must be all there is: 10.1.2.3/8 is a slip of the pen.
bool has_bits_beyond(const HostPattern& pattern) {
  size_t bytes = pattern.is_ipv6 ? 16 : 4;
  for (size_t bit = pattern.bits; bit < bytes * 8; bit++) {
    if ((pattern.address[bit / 8] & (0x80 >> (bit % 8))) != 0) return true;
  }
  return false;
}

Status take_address(HostPattern& pattern, std::string_view text) {
  size_t slash = text.find('/');
  std::string address(text.substr(0, slash));
  pattern.kind = HostPattern::Kind::address;
  pattern.is_ipv6 = address.find(':') != std::string::npos;
  unsigned most = pattern.is_ipv6 ? 128 : 32;
  if (inet_pton(pattern.is_ipv6 ? AF_INET6 : AF_INET, address.c_str(), pattern.address) != 1) {
    return fail("is not an address", pattern.is_ipv6 ? "an IPv6 address looks like 2001:db8::1"
                                                     : "an IPv4 address looks like 192.0.2.1");
  }
  static constexpr uint8_t kMapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (pattern.is_ipv6 && memcmp(pattern.address, kMapped, sizeof kMapped) == 0)
    return fail("is an IPv4 address in the clothes of IPv6", "write it as IPv4");
  pattern.bits = most;
  if (slash == std::string_view::npos) return {};
  TRY_ASSIGN(pattern.bits, parse_decimal(text.substr(slash + 1), most, "a prefix length"));
  if (has_bits_beyond(pattern))
    return fail("has bits beyond its prefix length",
                "write the first address of the network, as in 10.0.0.0/8");
  return {};
}

Status check_label(std::string_view label) {
  if (label.empty()) return fail("has an empty part", "write each '.' once");
  if (label.size() > kLongestLabel) return fail("has a part of more than 63 letters");
  if (std::any_of(label.begin(), label.end(), [](char c) { return (c & 0x80) != 0; }))
    return fail("has letters beyond ASCII", "write the name as DNS does: xn--…");
  if (label.find('*') != std::string_view::npos)
    return fail("has a '*' in its midst", "only a leading '*.' stands for other names");
  bool plain = std::all_of(label.begin(), label.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-';
  });
  if (!plain || label.front() == '-' || label.back() == '-')
    return fail("is not a host's name", "names are made of letters, digits and hyphens");
  return {};
}

// In small letters already.
Status check_name(std::string_view name) {
  if (name.empty()) return fail("names no host");
  if (name.size() > kLongestName) return fail("is longer than 253 letters");
  auto labels = text::split(name, '.');
  for (const std::string& label : labels)
    TRY(check_label(label));
  // Resolvers take 127.1, 0x7f000001 and the like for addresses.
  const std::string& last = labels.back();
  if (std::all_of(last.begin(), last.end(), is_digit) || last.starts_with("0x"))
    return fail("is neither a name nor an address", "an IPv4 address has four numbers up to 255");
  return {};
}

Status take_name(HostPattern& pattern, std::string_view text, bool may_be_broad) {
  std::string name = text::in_small_letters(text);
  if (name == "*" && may_be_broad) {
    pattern.kind = HostPattern::Kind::below;
    return {};
  }
  if (name == "*") return fail("fits every host", "name those that are meant, as in *.example.com");
  bool below = name.starts_with("*.");
  if (below) name.erase(0, 2);
  if (name.ends_with('.')) name.pop_back();
  TRY(check_name(name));
  if (below && !may_be_broad && name.find('.') == std::string::npos)
    return fail("fits a whole top-level domain", "name more of it, as in *.example.com");
  pattern.kind = below ? HostPattern::Kind::below : HostPattern::Kind::name;
  pattern.name = std::move(name);
  return {};
}

struct Unreachable {
  const char* block;
  const char* why;
  const char* hint;
};

constexpr const char* kReachHost = "for a server of this host: ringwall run --reach-host PORT …";
constexpr const char* kNoTcp = "no connection can be made to it: name the host itself";

// Who connects to no address at all comes to the loopback too.
constexpr const char* kLoopback[] = {"127.0.0.0/8:*", "[::1]:*", "0.0.0.0:*", "[::]:*"};

// Inside, none of these is another host. 198.18.0.0/15 is net/redirect.h's network.
constexpr Unreachable kUnreachable[] = {
    {"0.0.0.0/8:*", "is no address of a host", kNoTcp},
    {"198.18.0.0/15:*", "lies where Ringwall's own addresses for names do",
     "name the host whose address it is"},
    {"224.0.0.0/4:*", "is a multicast address", kNoTcp},
    {"[ff00::/8]:*", "is a multicast address", kNoTcp},
    {"255.255.255.255:*", "is the broadcast address", kNoTcp},
};

bool looks_like_ipv4(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789./") == std::string_view::npos;
}

}  // namespace

Result<HostPattern> parse_host_pattern(std::string_view text, NoPort no_port) {
  HostPattern pattern;
  if (no_port == NoPort::https) pattern.first_port = pattern.last_port = kHttps;
  if (size_t scheme = text.find("://"); scheme != std::string_view::npos)
    return fail("has a scheme", "leave " + text::quote(text.substr(0, scheme + 3)) + " out");
  if (text.find('@') != std::string_view::npos) return fail("has a user", "name the host alone");
  std::string_view host = text;
  if (text.starts_with('[')) {
    size_t end = text.find(']');
    if (end == std::string_view::npos) return fail("has a '[' without a ']'");
    host = text.substr(1, end - 1);
    if (host.find(':') == std::string_view::npos)
      return fail("has brackets around what is not IPv6", "leave them out");
    std::string_view rest = text.substr(end + 1);
    if (!rest.empty() && rest[0] != ':') return fail("has more behind its ']'", "as in [::1]:443");
    if (!rest.empty()) TRY(take_ports(pattern, rest.substr(1)));
    TRY(take_address(pattern, host));
    return pattern;
  }
  size_t colons = static_cast<size_t>(std::count(text.begin(), text.end(), ':'));
  if (colons == 1) {
    host = text.substr(0, text.find(':'));
    TRY(take_ports(pattern, text.substr(host.size() + 1)));
  }
  if (colons > 1 || looks_like_ipv4(host)) {
    TRY(take_address(pattern, host));
    return pattern;
  }
  if (host.find('/') != std::string_view::npos)
    return fail("has a path", "hosts are allowed as a whole: leave it out");
  TRY(take_name(pattern, host, no_port == NoPort::any));
  return pattern;
}

bool is_own_loopback(const HostPattern& pattern) {
  return pattern.name == "localhost" || pattern.name.ends_with(".localhost") ||
         std::ranges::any_of(kLoopback, [&](const char* block) {
           return parse_host_pattern(block)->covers(pattern);
         });
}

Status check_grant(const HostPattern& pattern) {
  constexpr uint16_t kNames = 53;
  if (is_own_loopback(pattern)) return fail("is the run's own loopback", kReachHost);
  for (const Unreachable& range : kUnreachable) {
    auto block = parse_host_pattern(range.block);
    if (block && block->covers(pattern)) return fail(range.why, range.hint);
  }
  if (pattern.first_port == kNames && pattern.last_port == kNames)
    return fail("is at port 53, where Ringwall's own resolver answers",
                "leave it out: granted names are known without it");
  return {};
}

Result<std::string> parse_host_name(std::string_view text) {
  // A long text is not worth a copy.
  if (text.size() > kLongestName) return fail("is longer than 253 letters");
  std::string name = text::in_small_letters(text);
  uint8_t address[4];
  if (inet_pton(AF_INET, name.c_str(), address) == 1)
    return fail("is an address, for which no resolver is asked");
  TRY(check_name(name));
  return name;
}

std::string HostPattern::text() const {
  std::string out = is_everything() ? "*" : kind == Kind::below ? "*." + name : name;
  if (kind == Kind::address) {
    char shown[INET6_ADDRSTRLEN];
    inet_ntop(is_ipv6 ? AF_INET6 : AF_INET, address, shown, sizeof shown);
    out = shown;
    if (bits != (is_ipv6 ? 128u : 32u)) out += "/" + std::to_string(bits);
    if (is_ipv6) out = "[" + out + "]";
  }
  return out + ":" + shown_ports(*this);
}

bool HostPattern::covers(const HostPattern& other) const {
  if (other.first_port < first_port || other.last_port > last_port) return false;
  if (is_everything()) return true;
  if (kind == Kind::address) {
    return other.kind == kind && other.bits >= bits &&
           matches_address(other.address, other.is_ipv6, other.first_port);
  }
  if (other.kind == Kind::address) return false;
  if (kind == Kind::name) return other.kind == kind && other.name == name;
  bool same = other.kind == Kind::below && other.name == name;
  return same || other.name.ends_with("." + name);
}

bool HostPattern::matches(std::string_view host_name, uint16_t port) const {
  if (kind == Kind::address || port < first_port || port > last_port) return false;
  if (is_everything()) return true;
  std::string wanted = text::in_small_letters(host_name);
  if (kind == Kind::name) return wanted == name;
  return wanted.size() > name.size() + 1 && wanted.ends_with("." + name);
}

bool HostPattern::matches_address(const uint8_t* bytes, bool bytes_are_ipv6, uint16_t port) const {
  if (port < first_port || port > last_port) return false;
  if (kind != Kind::address) return is_everything();
  if (bytes_are_ipv6 != is_ipv6) return false;
  for (size_t bit = 0; bit < bits; bit++) {
    int mask = 0x80 >> (bit % 8);
    if ((address[bit / 8] & mask) != (bytes[bit / 8] & mask)) return false;
  }
  return true;
}

}  // namespace ringwall::policy
