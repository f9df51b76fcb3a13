#include "gate/url_host.h"

#include <arpa/inet.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "instructions/code_points.h"

namespace ringwall::gate {
namespace {

constexpr std::string_view kSchemes[] = {"http", "https", "ws", "wss"};

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool is_name(std::string_view host) {
  return !host.empty() && std::ranges::all_of(host, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
  });
}

// "10", "012" and "0xa" are numbers to whoever reads addresses.
std::optional<uint64_t> number_of(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
  }
  uint64_t value = 0;
  for (char c : text) {
    int digit = hex_digit(c);
    if (digit < 0 || digit >= base || value > UINT32_MAX) return std::nullopt;
    value = value * static_cast<uint64_t>(base) + static_cast<uint64_t>(digit);
  }
  return value;
}

// "127.1", "0x7f000001" and "2130706433" are 127.0.0.1; nothing for what is no address.
std::optional<std::string> address_of(std::string_view host) {
  std::vector<std::string_view> parts = text::split_in_place(host, '.');
  if (parts.empty() || parts.size() > 4) return std::nullopt;
  uint64_t address = 0;
  for (size_t i = 0; i < parts.size(); i++) {
    auto number = parts[i].empty() ? std::nullopt : number_of(parts[i]);
    if (!number) return std::nullopt;
    bool is_last = i + 1 == parts.size();
    uint64_t room = is_last ? uint64_t{1} << (8 * (5 - parts.size())) : 256;
    if (*number >= room) return std::nullopt;
    address = is_last ? address * room + *number : address * 256 + *number;
  }
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8)
    out += (out.empty() ? "" : ".") + std::to_string((address >> shift) & 255);
  return out;
}

// "[0:0::1]" as everybody writes it.
std::optional<std::string> long_address_of(std::string_view host) {
  in6_addr address;
  char text[INET6_ADDRSTRLEN];
  std::string inner(host.substr(1, host.size() - 2));
  if (inet_pton(AF_INET6, inner.c_str(), &address) != 1) return std::nullopt;
  if (inet_ntop(AF_INET6, &address, text, sizeof text) == nullptr) return std::nullopt;
  return "[" + std::string(text) + "]";
}

// What names of hosts are turned into before they are looked up: wide letters, those of mathematics
// and other dots are plain ones, and what has no width is not there. Not all of that table, only
// what Latin names are hidden in.
std::string in_plain_letters(std::string_view host) {
  std::string out;
  for (size_t at = 0; at < host.size();) {
    instructions::CodePoint point = instructions::code_point_at(host, at);
    at += point.size;
    uint32_t code = point.code;
    if (code == 0xad || instructions::is_zero_width(code) || instructions::is_joiner(code) ||
        instructions::is_variation_selector(code))
      continue;
    bool is_mathematics = code >= 0x1d400 && code <= 0x1d7ff && instructions::look_alike(code) != 0;
    if (is_mathematics) code = static_cast<uint32_t>(instructions::look_alike(code));
    if (code == 0x3002 || code == 0xff61) code = '.';
    if (code >= 0xff01 && code <= 0xff5e) code -= 0xff01 - '!';
    instructions::append_code_point(out, code);
  }
  return text::in_small_letters(out);
}

// Adds the host of "user@host:port"; what is written otherwise than it is meant is not certain.
void add_authority(std::string_view authority, UrlHosts& out) {
  if (size_t at = authority.rfind('@'); at != authority.npos) authority.remove_prefix(at + 1);
  size_t end = authority.starts_with('[') ? authority.find(']') : authority.npos;
  size_t colon = authority.find(':', end == authority.npos ? 0 : end);
  std::string_view port = colon == authority.npos ? "" : authority.substr(colon + 1);
  std::string written = text::in_small_letters(authority.substr(0, colon));
  bool is_escaped = written.find('%') != written.npos;
  if (is_escaped || port.find_first_not_of("0123456789") != port.npos) out.is_certain = false;
  std::string decoded = without_escapes(written);
  std::string host = in_plain_letters(decoded);
  if (host != decoded) out.is_certain = false;
  while (host.ends_with('.'))
    host.pop_back();
  std::optional<std::string> meant;
  if (host.starts_with('[') && host.ends_with(']')) {
    meant = long_address_of(host);
    if (!meant) out.is_certain = false;
  } else {
    meant = address_of(host);
    if (meant && *meant != host) out.is_certain = false;
    if (!is_name(host)) out.is_certain = false;
  }
  out.hosts.push_back(meant ? *meant : host);
}

std::string_view without_scheme(std::string_view url, UrlHosts& out) {
  size_t colon = url.find(':');
  std::string scheme = text::in_small_letters(url.substr(0, std::min(colon, url.size())));
  bool is_known = colon != url.npos && std::ranges::find(kSchemes, scheme) != std::end(kSchemes);
  if (is_known) url.remove_prefix(colon + 1);
  size_t slashes = std::min(url.find_first_not_of("/\\"), url.size());
  if (!is_known || url.substr(0, slashes) != "//") out.is_certain = false;
  // Of a scheme that nobody knows here.
  size_t other = is_known ? url.npos : url.find("://");
  return url.substr(other == url.npos ? slashes : other + 3);
}

}  // namespace

std::string without_escapes(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); i++) {
    bool is_escape = text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
                     hex_digit(text[i + 2]) >= 0;
    if (!is_escape) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
    i += 2;
  }
  return out;
}

UrlHosts hosts_of(std::string_view url) {
  UrlHosts out{{}, true};
  // Browsers skip these wherever they stand.
  std::string plain;
  for (char c : text::trim(url)) {
    if (static_cast<unsigned char>(c) > ' ' && c != 0x7f) plain += c;
  }
  if (plain != url) out.is_certain = false;
  std::string_view rest = without_scheme(plain, out);
  add_authority(rest.substr(0, rest.find_first_of("/?#\\")), out);
  // For some a backslash is a letter like others: "good.example\@evil.example".
  std::string_view longer = rest.substr(0, rest.find_first_of("/?#"));
  if (longer.find('\\') != longer.npos) {
    out.is_certain = false;
    add_authority(longer, out);
  }
  return out;
}

}  // namespace ringwall::gate
