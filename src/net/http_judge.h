// Watches what a client sends over plaintext HTTP/1: every request on the connection must name the
// host that the connection was made for. Bodies pass, and are followed to their end so that the
// next request is found where a server finds it. An offer to go on in HTTP/2 or TLS is crossed out,
// as a proxy that knows neither would leave it out: the server answers in HTTP/1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/http_head.h"
#include "net/judgement.h"

namespace ringwall::net {

class HttpJudge {
 public:
  // It never waits for more bytes than these in all.
  static constexpr size_t kMostWaiting = size_t{64} * 1024;

  // Without a name (the grant is an address) requests may name any host, but all the same.
  HttpJudge(std::string name, uint16_t port);

  // `bytes` are all that were not passed on yet: after `wait`, the same ones with more behind them.
  Judgement judge(std::string_view bytes);

  // A request has passed that asks to switch to another protocol (a websocket). What follows it
  // waits for the server's answer.
  bool awaits_switch() const { return state_ == State::switching; }
  // The status of that answer: with 101 everything passes from now on.
  void take_status(int status);

  // The host that the latest request named, in small letters and without its port.
  const std::string& shown() const { return shown_; }

 private:
  enum class State { head, chunks, trailers, switching, passed, refused };
  Judgement refuse(std::string why);
  Judgement look_at_lines(std::string_view bytes);
  Status take_byte(std::string_view bytes);
  Status take_line(std::string_view line);
  Judgement finish_head(size_t length);
  Status check_host();
  Judgement look_at_chunk(std::string_view bytes);
  void finish_request();

  State state_ = State::head;
  std::string name_;
  uint16_t port_;
  std::string shown_;
  std::string why_;
  HttpHead head_;
  std::vector<std::pair<size_t, size_t>> crossed_out_;  // names of fields, in this head
  size_t line_ = 0;                                     // where the line begins that is being read
  size_t scanned_ = 0;                                  // how far it was read
  bool is_first_ = true;                                // no request has passed yet
  bool has_request_line_ = false;
  bool is_in_chunk_ = false;  // the end of a chunk's data is due
};

}  // namespace ringwall::net
