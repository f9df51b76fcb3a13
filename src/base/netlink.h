// Messages to the kernel's netlink: an encoder of attributes, and the exchange of a request for the
// kernel's verdict. Answers are only looked at for errors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ringwall::netlink {

// Attributes in a row, each aligned to four bytes. Netfilter's numbers are in network order.
class Attributes {
 public:
  Attributes& bytes(uint16_t type, std::string_view value);
  Attributes& text(uint16_t type, std::string_view value);  // with its final NUL
  Attributes& number(uint16_t type, uint32_t value);        // in network order
  Attributes& host_number(uint16_t type, uint32_t value);   // in the host's
  Attributes& nest(uint16_t type, const Attributes& inner);

  const std::string& encoded() const { return encoded_; }

 private:
  std::string encoded_;
};

// One message: `head` is the fixed part that the type asks for.
std::string message(uint16_t type, uint16_t flags, std::string_view head,
                    const Attributes& attributes = {});

// Sends messages of which at least one asks for an acknowledgement (NLM_F_ACK). The first error
// that the kernel reports is the error; no verdict at all is one too.
Status request(int protocol, std::string_view messages);
// The same by a socket that is open, with no answer on its way.
Status request_by(int socket, std::string_view messages);

}  // namespace ringwall::netlink
