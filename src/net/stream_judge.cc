#include "net/stream_judge.h"

#include <utility>

namespace ringwall::net {
namespace {

// Of a first line that goes on and on; each connection can make us keep so much.
constexpr size_t kMostKept = 4096;

}  // namespace

StreamJudge::StreamJudge(std::string name, uint16_t port)
    : name_(std::move(name)), port_(port), kind_(kind_of_port(port)) {}

Judgement StreamJudge::recognise_first(std::string_view bytes) {
  if (bytes.size() <= looked_at_) return Judgement::wait();
  protocol_ = first_.take(bytes.substr(looked_at_));
  looked_at_ = bytes.size();
  std::string port = std::to_string(port_);
  switch (protocol_) {
    case Protocol::unknown_yet:
      return pass_meanwhile(bytes);
    case Protocol::tls:
      judge_.emplace<TlsJudge>(name_);
      return judge(bytes);
    case Protocol::http:
      if (kind_ == PortKind::tls)
        return Judgement::refuse("port " + port + " is for TLS, and plain HTTP was spoken");
      if (passed_too_much_) return Judgement::refuse("the request's first line is too long");
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

// Where anything may be spoken, a client may wait for the answer to half a line. Nothing is lost if
// the line becomes a request's: which host it is for comes behind it, or the rest of the head does,
// and without its end no server acts on it.
Judgement StreamJudge::pass_meanwhile(std::string_view bytes) {
  if (kind_ != PortKind::other || first_.may_become_tls()) return Judgement::wait();
  passed_too_much_ = passed_too_much_ || passed_.size() + bytes.size() > kMostKept;
  if (!passed_too_much_) passed_ += bytes;
  looked_at_ = 0;
  return Judgement::pass(bytes.size());
}

Judgement StreamJudge::judge_request(HttpJudge& http, std::string_view bytes) {
  if (passed_.empty()) return http.judge(bytes);
  Judgement judgement = http.judge(passed_ + std::string(bytes));
  if (judgement.kind != Judgement::Kind::pass) return judgement;
  judgement.length -= passed_.size();
  for (auto& [at, count] : judgement.crossed_out)
    at -= passed_.size();
  std::string().swap(passed_);
  return judgement;
}

Judgement StreamJudge::judge(std::string_view bytes) {
  if (auto* tls = std::get_if<TlsJudge>(&judge_)) return tls->judge(bytes);
  if (auto* http = std::get_if<HttpJudge>(&judge_)) return judge_request(*http, bytes);
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
