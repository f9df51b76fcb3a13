// Which protocol a client speaks, by the first bytes that it sends, and which one is to be expected
// by the port it asked for.
#pragma once

#include <cstdint>
#include <string_view>

namespace ringwall::net {

enum class Protocol {
  unknown_yet,  // the bytes are the start of more than one thing
  tls,
  http,  // 1.x, or the preface of HTTP/2 in the clear
  ssh,
  other,
};

// All bytes so far, from the first one on. What it says is final but for unknown_yet, which it
// says only as long as TLS, HTTP or SSH could still come of it.
Protocol recognise(std::string_view bytes);

enum class PortKind { tls, http, other };

// What must be spoken at a port. On `tls` and `http` ports the client speaks first, so nothing is
// dialled before its first bytes were judged; on others the server may be the first to speak.
PortKind kind_of_port(uint16_t port);

}  // namespace ringwall::net
