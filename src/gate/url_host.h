// Which host a URL means. Programs disagree about URLs that are not plain: those of browsers take
// "http:\\host", "http:/host" and "http://ho%73t" for one with that host, others for something
// else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringwall::gate {

struct UrlHosts {
  // Whichever it may be, in small letters without a dot at the end.
  std::vector<std::string> hosts;
  // Everybody reads the same one. If not, none of them may be the right one.
  bool is_certain = false;
};

// "%41" is "A"; what is no escape stays as it is.
std::string without_escapes(std::string_view text);

UrlHosts hosts_of(std::string_view url);

}  // namespace ringwall::gate
