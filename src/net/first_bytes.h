// Which protocol a client speaks, by the first bytes that it sends, and which one is to be expected
// by the port it asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ringwall::net {

enum class Protocol {
  unknown_yet,  // the bytes are the start of more than one thing
  tls,
  // A first line with any word before, and a version of HTTP among those behind it, however it is
  // written: what a lenient server would take for a request. So is the preface of HTTP/2, and the
  // header of a proxy (PROXY), behind which a request would go unread.
  http,
  ssh,
  other,
};

// Looks at the bytes as they come, from the first one on.
class FirstBytes {
 public:
  // What they are, with these behind those before. Final but for unknown_yet, which it says only as
  // long as TLS, HTTP or SSH could still come of it.
  Protocol take(std::string_view more);

  bool may_become_tls() const;

 private:
  enum class Line { before, first_word, between, in_word, over, is_request };

  Protocol look_at(char c);
  void follow_line(char c);

  Protocol known_ = Protocol::unknown_yet;
  std::string start_;  // as much as is needed to tell
  Line line_ = Line::before;
  size_t of_version_ = 0;  // bytes of "HTTP/" that this word has begun with
};

inline Protocol recognise(std::string_view bytes) { return FirstBytes().take(bytes); }

enum class PortKind { tls, http, other };

// What must be spoken at a port. On `tls` and `http` ports the client speaks first, so nothing is
// dialled before its first bytes were judged; on others the server may be the first to speak.
PortKind kind_of_port(uint16_t port);

}  // namespace ringwall::net
