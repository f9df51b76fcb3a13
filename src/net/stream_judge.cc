#include "net/stream_judge.h"

#include <utility>

namespace ringwall::net {

StreamJudge::StreamJudge(std::string name, uint16_t port)
    : name_(std::move(name)), port_(port), kind_(kind_of_port(port)) {}

Judgement StreamJudge::recognise_first(std::string_view bytes) {
  if (bytes.empty()) return Judgement::wait();
  protocol_ = recognise(bytes);
  std::string port = std::to_string(port_);
  switch (protocol_) {
    case Protocol::unknown_yet:
      return Judgement::wait();
    case Protocol::tls:
      judge_.emplace<TlsJudge>(name_);
      return judge(bytes);
    case Protocol::http:
      if (kind_ == PortKind::tls)
        return Judgement::refuse("port " + port + " is for TLS, and plain HTTP was spoken");
      judge_.emplace<HttpJudge>(name_, port_);
      return judge(bytes);
    case Protocol::ssh:
      // Some serve it at 443, where others are kept out; no server of TLS takes it for a request.
      if (kind_ == PortKind::http)
        return Judgement::refuse("port " + port + " is for HTTP, and SSH was spoken");
      return Judgement::pass_all();
    case Protocol::other:
      // What a server could take for a request with another name must not pass unread.
      if (kind_ == PortKind::tls)
        return Judgement::refuse("port " + port + " is for TLS, and something else was spoken");
      if (kind_ == PortKind::http)
        return Judgement::refuse("port " + port + " is for HTTP, and something else was spoken");
      return Judgement::pass_all();
  }
  return Judgement::refuse("it cannot be judged");
}

Judgement StreamJudge::judge(std::string_view bytes) {
  if (auto* tls = std::get_if<TlsJudge>(&judge_)) return tls->judge(bytes);
  if (auto* http = std::get_if<HttpJudge>(&judge_)) return http->judge(bytes);
  return recognise_first(bytes);
}

bool StreamJudge::awaits_switch() const {
  const auto* http = std::get_if<HttpJudge>(&judge_);
  return http != nullptr && http->awaits_switch();
}

void StreamJudge::take_status(int status) {
  if (auto* http = std::get_if<HttpJudge>(&judge_)) http->take_status(status);
}

}  // namespace ringwall::net
