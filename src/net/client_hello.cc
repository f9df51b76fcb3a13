#include "net/client_hello.h"

#include <arpa/inet.h>

#include <algorithm>

#include "base/text.h"
#include "net/byte_reader.h"
#include "net/hello_message.h"
#include "policy/hosts.h"

namespace ringwall::net {
namespace {

constexpr size_t kHead = 5;
constexpr size_t kMostPayload = 16384;
constexpr size_t kMostEncrypted = kMostPayload + 2048;

constexpr uint8_t kChangeCipherSpec = 20;
constexpr uint8_t kAlert = 21;
constexpr uint8_t kHandshake = 22;
constexpr uint8_t kApplicationData = 23;
constexpr char kClientHello = 1;

// What clients send before the server has answered can be rejected, and a second hello in the clear
// follows. Servers skip some 16 KB of it and give up, so none comes after as much as this.
constexpr uint64_t kMostEarlyData = 256 * 1024;

// With a session resumed, TLS 1.2 goes on behind the change of ciphers with a handshake record that
// is encrypted (Finished), and one of 256 begins like a hello. It has this many bytes, its length
// does not add up and its version is none. A part of a hello in the clear could look so too, if a
// server did not mind the version; but then the rest would have to follow in further records of the
// handshake, where TLS 1.2 has nothing more to say.
bool may_be_encrypted(std::string_view payload) {
  if (payload.size() < 24 || payload.size() > 128) return false;
  ByteReader reader(payload.substr(1));
  bool adds_up = reader.u24() == payload.size() - 4;
  bool has_version = reader.u8() == 3 && reader.u8() <= 4;
  return !adds_up && !has_version;
}

// Some clients ask for the address they connect to, which is no harm where an address was granted.
bool is_address(const std::string& text) {
  unsigned char bytes[16];
  return inet_pton(AF_INET, text.c_str(), bytes) == 1 ||
         inet_pton(AF_INET6, text.c_str(), bytes) == 1;
}

}  // namespace

TlsJudge::TlsJudge(std::string name) : name_(text::in_small_letters(name)) {}

Judgement TlsJudge::refuse(std::string why) {
  state_ = State::refused;
  why_ = std::move(why);
  hello_ = {};
  return Judgement::refuse(why_);
}

Judgement TlsJudge::judge(std::string_view bytes) {
  if (state_ == State::refused) return Judgement::refuse(why_);
  while (state_ != State::passed) {
    size_t before = taken_;
    if (bytes.size() < before) return refuse("bytes were lost before they were judged");
    Judgement judgement = look(bytes.substr(before));
    bool took_record = judgement.kind == Judgement::Kind::wait && taken_ > before;
    if (!took_record) return judgement;
  }
  return Judgement::pass_all();
}

// The next record, of which some bytes may be missing yet.
Judgement TlsJudge::look(std::string_view bytes) {
  if (bytes.empty()) return Judgement::wait();
  Record record;
  ByteReader reader(bytes);
  record.type = reader.u8();
  bool reads_hello = state_ == State::hello || !hello_.empty();
  if (reads_hello && record.type != kHandshake)
    return refuse(hellos_ == 0 && hello_.empty()
                      ? "it does not begin with a ClientHello of TLS"
                      : "the ClientHello is interrupted by a record of another kind");
  uint8_t major = reader.u8();
  record.minor = reader.u8();
  record.length = reader.u16();
  if (reader.failed()) return Judgement::wait();
  if (major != 3 || record.minor > 4 || (reads_hello && record.minor < 1))
    return refuse("a record of TLS has a version that is not in use");
  if (record.length == 0) return refuse("a record of TLS is empty");
  if (record.length > (reads_hello ? kMostPayload : kMostEncrypted))
    return refuse("a record of TLS is too long");
  record.payload = reader.take(std::min(record.length, reader.left()));
  return reads_hello ? look_at_hello(record) : look_at_later(record);
}

Judgement TlsJudge::look_at_hello(const Record& record) {
  if (records_ >= kMostRecords) return refuse("the ClientHello is spread over too many records");
  // The length of the message, as soon as it can be known: nothing is waited for beyond it.
  std::string start = hello_.substr(0, 4);
  start += record.payload.substr(0, 4 - start.size());
  if (!start.empty() && start[0] != kClientHello)
    return refuse("it does not begin with a ClientHello of TLS");
  if (start.size() == 4) {
    ByteReader reader(std::string_view(start).substr(1));
    size_t whole = 4 + size_t{reader.u24()};
    if (whole > kMostHello) return refuse("the ClientHello is too long");
    if (hello_.size() + record.length > whole)
      return refuse("a record holds more than the ClientHello");
  }
  if (!record.is_whole()) return Judgement::wait();
  hello_ += record.payload;
  records_++;
  taken_ += kHead + record.length;
  if (hello_.size() < 4) return Judgement::wait();
  ByteReader reader(std::string_view(hello_).substr(1));
  return hello_.size() - 4 < reader.u24() ? Judgement::wait() : finish_hello();
}

Judgement TlsJudge::finish_hello() {
  auto facts = parse_client_hello(hello_);
  if (!facts) return refuse(facts.error().what);
  if (Status checked = check_name(facts->server_name.value_or("")); !checked)
    return refuse(checked.error().what);
  if (facts->has_early_data) early_left_ = kMostEarlyData;
  Judgement judgement = Judgement::pass(taken_);
  state_ = State::later;
  hellos_++;
  records_ = taken_ = 0;
  hello_ = {};
  return judgement;
}

// An empty name is none.
Status TlsJudge::check_name(std::string_view server_name) {
  std::string asked = text::in_small_letters(server_name);
  std::string before = shown_;
  bool is_plain = policy::parse_host_name(asked) || (name_.empty() && is_address(asked));
  if (is_plain) shown_ = asked;
  if (!name_.empty() && asked.empty()) return fail("the ClientHello asks for no name");
  if (!name_.empty() && asked != name_)
    return fail("the ClientHello asks for " + told(server_name) + ", not for " + name_);
  if (!asked.empty() && !is_plain)
    return fail("the ClientHello asks for " + told(server_name) + ", which is no host's name");
  if (hellos_ > 0 && asked != before) return fail("a second ClientHello asks for another name");
  return {};
}

Judgement TlsJudge::look_at_later(const Record& record) {
  size_t size = kHead + record.length;
  switch (record.type) {
    case kHandshake:
      return look_at_handshake(record);
    case kChangeCipherSpec:
      if (record.length != 1) return refuse("a change_cipher_spec is malformed");
      if (!record.is_whole()) return Judgement::wait();
      if (record.payload[0] != 1) return refuse("a change_cipher_spec is malformed");
      cipher_changed_ = true;
      return Judgement::pass(size);
    case kAlert:
      return Judgement::pass(size);
    case kApplicationData:
      if (early_left_ >= size) {
        early_left_ -= size;
        return Judgement::pass(size);
      }
      state_ = State::passed;
      return Judgement::pass_all();
    default:
      return refuse("a record of TLS is of a kind that is not in use");
  }
}

Judgement TlsJudge::look_at_handshake(const Record& record) {
  if (opaque_passed_) return refuse("the handshake goes on with something that cannot be judged");
  if (record.payload.empty()) return Judgement::wait();
  if (record.payload[0] != kClientHello) {
    state_ = State::passed;
    return Judgement::pass_all();
  }
  if (cipher_changed_) {
    if (!record.is_whole()) return Judgement::wait();
    if (may_be_encrypted(record.payload)) {
      opaque_passed_ = true;
      return Judgement::pass(kHead + record.length);
    }
  }
  if (hellos_ > 1) return refuse("a third ClientHello follows");
  if (record.length > kMostPayload || record.minor < 1)
    return refuse("a record of TLS has a version or length that is not in use");
  return look_at_hello(record);
}

}  // namespace ringwall::net
