// Judges what a client inside sends on a connection to a granted name: recognises the protocol,
// then lets the judge of TLS or of HTTP compare the names that are shown in the clear.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "net/client_hello.h"
#include "net/first_bytes.h"
#include "net/http_judge.h"
#include "net/judgement.h"

namespace ringwall::net {

class StreamJudge {
 public:
  StreamJudge(std::string name, uint16_t port);

  // All bytes that were not passed on yet.
  Judgement judge(std::string_view bytes);

  // How a refusal can be told to the client.
  Protocol protocol() const { return protocol_; }

  // A request to go on with another protocol was passed: the server's status decides.
  bool awaits_switch() const;
  void take_status(int status);

 private:
  Judgement recognise_first(std::string_view bytes);
  Judgement pass_meanwhile(std::string_view bytes);
  Judgement judge_request(HttpJudge& http, std::string_view bytes);

  std::string name_;
  uint16_t port_;
  PortKind kind_;
  Protocol protocol_ = Protocol::unknown_yet;
  FirstBytes first_;
  size_t looked_at_ = 0;          // of the bytes that were not passed on
  std::string passed_;            // before it was known what they are
  bool passed_too_much_ = false;  // more than is kept
  std::variant<std::monostate, TlsJudge, HttpJudge> judge_;
};

}  // namespace ringwall::net
