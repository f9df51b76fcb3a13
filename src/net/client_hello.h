// Watches the start of a TLS connection, as far as it is in the clear: the name that the client
// asks for there must be the one that the connection was made for. What it encrypts is not seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/judgement.h"

namespace ringwall::net {

class TlsJudge {
 public:
  static constexpr size_t kMostHello = size_t{32} * 1024;
  static constexpr size_t kMostRecords = 512;  // over which a hello may be spread
  // It never waits for more bytes than these in all.
  static constexpr size_t kMostWaiting = kMostHello + 5 * kMostRecords;

  // Without a name (the grant is an address) the client may ask for any, or for none.
  explicit TlsJudge(std::string name);

  // `bytes` are all that were not passed on yet: after `wait`, the same ones with more behind them.
  Judgement judge(std::string_view bytes);

  // The name that the client asked for, in small letters; empty as long as it asked for none.
  const std::string& shown() const { return shown_; }

 private:
  struct Record {
    uint8_t type = 0;
    uint8_t minor = 0;         // of its version, 3.x
    size_t length = 0;         // without its head
    std::string_view payload;  // as far as it is there
    bool is_whole() const { return payload.size() == length; }
  };
  Judgement refuse(std::string why);
  Judgement look(std::string_view bytes);
  Judgement look_at_hello(const Record& record);
  Judgement look_at_later(const Record& record);
  Judgement look_at_handshake(const Record& record);
  Judgement finish_hello();
  Status check_name(std::string_view server_name);

  enum class State { hello, later, passed, refused };
  State state_ = State::hello;
  std::string name_;
  std::string shown_;
  std::string why_;
  std::string hello_;        // the part that was read so far
  size_t records_ = 0;       // that it came in
  size_t taken_ = 0;         // the bytes of these records
  size_t hellos_ = 0;        // that passed
  uint64_t early_left_ = 0;  // bytes that may still be sent ahead of the server's answer
  bool cipher_changed_ = false;
  bool opaque_passed_ = false;
};

}  // namespace ringwall::net
