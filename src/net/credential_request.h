// What git's credential-cache asks its daemon for; here it asks us. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ringwall::net {

struct CredentialRequest {
  std::string host;  // with its port, if it has one: "git.example.com:8443"
};

inline constexpr size_t kLongestCredentialRequest = 4096;

// A request for a login by https. None: whatever else it is, there is nothing to say to it.
std::optional<CredentialRequest> parse_credential_request(std::string_view lines);

}  // namespace ringwall::net
