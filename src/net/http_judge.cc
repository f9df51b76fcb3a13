#include "net/http_judge.h"

#include <utility>

#include "base/text.h"

namespace ringwall::net {
namespace {

constexpr size_t kMostDigits = 15;  // of a chunk's size

bool is_control(char c) {
  return (static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\r') || c == 0x7f;
}

// -1 if it is none.
int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

HttpJudge::HttpJudge(std::string name, uint16_t port)
    : name_(text::in_small_letters(name)), port_(port) {}

Judgement HttpJudge::refuse(std::string why) {
  state_ = State::refused;
  why_ = std::move(why);
  return Judgement::refuse(why_);
}

Judgement HttpJudge::judge(std::string_view bytes) {
  switch (state_) {
    case State::refused:
      return Judgement::refuse(why_);
    case State::passed:
      return Judgement::pass_all();
    case State::switching:
      return Judgement::wait();
    case State::chunks:
      return look_at_chunk(bytes);
    default:
      return look_at_lines(bytes);
  }
}

void HttpJudge::take_status(int status) {
  bool is_final = status == 101 || status >= 200;
  if (state_ != State::switching || !is_final) return;
  state_ = status == 101 ? State::passed : State::head;
}

// Byte by byte, so that it makes no difference in which pieces they come.
Judgement HttpJudge::look_at_lines(std::string_view bytes) {
  if (bytes.size() < scanned_) return refuse("bytes were lost before they were judged");
  while (scanned_ < bytes.size()) {
    if (scanned_ >= kMostWaiting) return refuse("the request's head is longer than 64 KB");
    if (Status taken = take_byte(bytes); !taken) return refuse(taken.error().what);
    if (bytes[scanned_++] != '\n') continue;
    size_t start = std::exchange(line_, scanned_);
    std::string_view line = bytes.substr(start, scanned_ - 2 - start);
    if (line.empty() && has_request_line_) return finish_head(scanned_);
    if (Status taken = take_line(line); !taken) return refuse(taken.error().what);
    if (state_ == State::head && head_.offers_hidden)
      crossed_out_.emplace_back(start, line.find(':'));
  }
  return Judgement::wait();
}

// A line ends with CR and LF, and has neither elsewhere.
Status HttpJudge::take_byte(std::string_view bytes) {
  char c = bytes[scanned_];
  if (!has_request_line_ && scanned_ == 0 && !is_token_letter(c))
    return fail("it does not begin with a request of HTTP/1");
  bool follows_cr = scanned_ > line_ && bytes[scanned_ - 1] == '\r';
  if (follows_cr != (c == '\n')) return fail("the request has a line that does not end with CR LF");
  if (!follows_cr && is_control(c)) return fail("the request has a control character in its head");
  return {};
}

Status HttpJudge::take_line(std::string_view line) {
  if (state_ == State::trailers) return read_trailer(line, head_);
  if (std::exchange(has_request_line_, true)) return read_field(line, head_);
  return read_request_line(line, head_);
}

// Behind the empty line that ends a head, or the trailers.
Judgement HttpJudge::finish_head(size_t length) {
  line_ = scanned_ = 0;
  if (state_ == State::trailers) {
    finish_request();
    return Judgement::pass(length);
  }
  if (Status checked = check_head(head_); !checked) return refuse(checked.error().what);
  if (Status checked = check_host(); !checked) return refuse(checked.error().what);
  if (head_.asks_switch && !is_first_)
    return refuse("the request asks to switch the protocol, which only the first one may");
  Judgement passed = Judgement::pass(length + head_.content_length.value_or(0));
  passed.crossed_out = std::exchange(crossed_out_, {});
  if (head_.is_chunked) {
    state_ = State::chunks;
    is_in_chunk_ = false;
  } else {
    finish_request();
  }
  return passed;
}

Status HttpJudge::check_host() {
  const HttpAuthority& host = *head_.host;
  std::string wanted = name_.empty() && !is_first_ ? shown_ : name_;
  shown_ = host.host;
  for (const HttpAuthority& named : {host, head_.target.value_or(host)}) {
    if (!wanted.empty() && named.host != wanted)
      return fail("the request is for " + text::quote(named.host) + ", not for " + wanted);
    if (named.port.value_or(port_) != port_)
      return fail("the request is for port " + std::to_string(*named.port) + ", not for " +
                  std::to_string(port_));
    wanted = host.host;
  }
  return {};
}

Judgement HttpJudge::look_at_chunk(std::string_view bytes) {
  size_t at = 0;
  for (char c : is_in_chunk_ ? std::string_view("\r\n") : std::string_view()) {
    if (at == bytes.size()) return Judgement::wait();
    if (bytes[at++] != c) return refuse("the request has a chunk that is longer than it says");
  }
  uint64_t size = 0;
  size_t digits = 0;
  for (; at < bytes.size() && hex_digit(bytes[at]) >= 0; at++) {
    if (++digits > kMostDigits) return refuse("the request has a chunk that is too long");
    size = size * 16 + static_cast<uint64_t>(hex_digit(bytes[at]));
  }
  if (at == bytes.size()) return Judgement::wait();
  if (digits == 0) return refuse("the request has a chunk without a size");
  for (char c : std::string_view("\r\n")) {
    if (at == bytes.size()) return Judgement::wait();
    if (bytes[at++] != c) return refuse("the request has more than a size before a chunk");
  }
  is_in_chunk_ = true;
  if (size == 0) state_ = State::trailers;
  return Judgement::pass(at + size);
}

void HttpJudge::finish_request() {
  state_ = head_.asks_switch ? State::switching : State::head;
  head_ = {};
  has_request_line_ = is_first_ = false;
}

}  // namespace ringwall::net
