#include "policy/ports.h"

#include <charconv>

#include "policy/hosts.h"

namespace ringwall::policy {

Result<uint16_t> parse_port(std::string_view text) {
  unsigned port = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  bool whole = !text.empty() && error == std::errc() && end == text.data() + text.size();
  if (!whole || port == 0 || port > 65535 || text[0] == '0')
    return fail("is not a port", "write a number from 1 to 65535");
  return static_cast<uint16_t>(port);
}

Result<PublishedPort> parse_published_port(std::string_view text) {
  size_t colon = text.find(':');
  TRY_ASSIGN(uint16_t first, parse_port(text.substr(0, colon)));
  if (colon == std::string_view::npos) return PublishedPort{first, first};
  TRY_ASSIGN(uint16_t second, parse_port(text.substr(colon + 1)));
  return PublishedPort{first, second};
}

Result<Proxy> parse_proxy(std::string_view text) {
  constexpr std::string_view kScheme = "http://";
  if (!text.starts_with(kScheme))
    return fail("is not a proxy's address", "it looks like http://proxy.corp:3128");
  text.remove_prefix(kScheme.size());
  if (text.find('@') != std::string_view::npos)
    return fail("has a login", "put USER:PASSWORD into a file: network.upstream_login");
  if (text.ends_with('/')) text.remove_suffix(1);
  size_t colon = text.rfind(':');
  if (colon == std::string_view::npos)
    return fail("has no port", "it looks like http://proxy.corp:3128");
  Proxy proxy;
  TRY_ASSIGN(proxy.port, parse_port(text.substr(colon + 1)));
  std::string_view host = text.substr(0, colon);
  auto name = parse_host_name(host);
  // Its address is as good as its name.
  auto address = name ? Result<HostPattern>() : parse_host_pattern(host);
  if (!name && (!address || address->kind != HostPattern::Kind::address))
    return fail("names no host", "it looks like http://proxy.corp:3128");
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  proxy.host = name ? *name : std::string(host);
  return proxy;
}

}  // namespace ringwall::policy
