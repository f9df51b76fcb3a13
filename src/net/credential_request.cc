#include "net/credential_request.h"

#include "base/text.h"

namespace ringwall::net {

std::optional<CredentialRequest> parse_credential_request(std::string_view lines) {
  if (lines.size() > kLongestCredentialRequest || lines.find('\0') != lines.npos)
    return std::nullopt;
  std::optional<std::string> action, protocol, host;
  for (const std::string& line : text::split(std::string(lines), '\n')) {
    size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    std::string key = line.substr(0, equals);
    std::string value = line.substr(equals + 1);
    for (auto [name, place] :
         {std::pair{"action", &action}, {"protocol", &protocol}, {"host", &host}}) {
      if (key != name) continue;
      if (*place) return std::nullopt;  // said twice: which one counts?
      *place = value;
    }
  }
  if (action != "get" || protocol != "https" || !host || host->empty()) return std::nullopt;
  return CredentialRequest{*host};
}

}  // namespace ringwall::net
