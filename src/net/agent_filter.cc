#include "net/agent_filter.h"

#include <algorithm>

#include "net/byte_reader.h"

namespace ringwall::net {
namespace {

// Of the ssh-agent protocol.
constexpr uint8_t kFailure = 5;
constexpr uint8_t kSuccess = 6;
constexpr uint8_t kRequestIdentities = 11;
constexpr uint8_t kIdentities = 12;
constexpr uint8_t kSignRequest = 13;
constexpr uint8_t kSignResponse = 14;
constexpr uint8_t kExtension = 27;
// Of the ssh protocol.
constexpr uint8_t kUserAuthRequest = 50;
constexpr uint32_t kMostKeys = 2048;

std::string one_byte(uint8_t type) { return std::string(1, static_cast<char>(type)); }

std::string_view take_text(ByteReader& reader) { return reader.take(reader.u32()); }

void put_text(std::string& out, std::string_view text) {
  for (int shift : {24, 16, 8, 0})
    out += static_cast<char>(text.size() >> shift & 0xff);
  out += text;
}

bool is_among(const std::vector<std::string>& all, std::string_view one) {
  return std::ranges::find(all, one) != all.end();
}

AgentFilter::Step refuse(std::string why = {}) { return {false, one_byte(kFailure), why}; }

}  // namespace

AgentFilter::Step AgentFilter::take_request(std::string_view request) {
  ByteReader reader(request);
  uint8_t type = reader.u8();
  std::string_view body = request.substr(std::min<size_t>(1, request.size()));
  if (type == kRequestIdentities && body.empty()) {
    awaits_ = Awaits::keys;
    return {true, {}, {}};
  }
  if (type == kSignRequest) return judge_signature(body);
  if (type == kExtension) return judge_bind(body);
  return refuse();  // adding, removing and locking keys is the person's
}

AgentFilter::Step AgentFilter::judge_bind(std::string_view body) {
  ByteReader reader(body);
  if (take_text(reader) != "session-bind@openssh.com") return refuse();
  std::string_view host_key = take_text(reader);
  std::string_view session = take_text(reader);
  take_text(reader);  // the host's signature, which the agent checks
  bool forwards = reader.u8() != 0;
  if (!reader.is_whole() || session.empty()) return refuse();
  if (forwards) return refuse("the agent cannot be forwarded to another host");
  if (!is_among(rules_.host_keys, host_key))
    return refuse("a login to a host that is not granted, or whose key is not in known_hosts");
  // A second one would leave open which of the two a signature is for.
  if (!session_.empty()) return refuse();
  awaits_ = Awaits::bind;
  binding_ = session;
  binding_host_ = host_key;
  return {true, {}, {}};
}

// What is signed must be a login, in the session whose host is known, by a key that was named.
AgentFilter::Step AgentFilter::judge_signature(std::string_view body) {
  ByteReader reader(body);
  std::string_view key = take_text(reader);
  std::string_view data = take_text(reader);
  reader.u32();  // flags: which hash
  if (!reader.is_whole()) return refuse();
  if (!is_among(rules_.keys, key)) return refuse("a signature by a key that was not named");
  if (session_.empty())
    return refuse("a signature for a host that ssh has not told of (OpenSSH 8.9 or later does)");
  ByteReader login(data);
  std::string_view session = take_text(login);
  uint8_t type = login.u8();
  take_text(login);  // who logs in
  std::string_view service = take_text(login);
  std::string_view method = take_text(login);
  bool has_signature = login.u8() != 0;
  take_text(login);  // the algorithm
  std::string_view login_key = take_text(login);
  bool names_host = method == "publickey-hostbound-v00@openssh.com";
  std::string_view host_key = names_host ? take_text(login) : std::string_view(host_key_);
  bool is_login = login.is_whole() && type == kUserAuthRequest && service == "ssh-connection" &&
                  (names_host || method == "publickey") && has_signature && login_key == key;
  if (!is_login) return refuse("a signature of something that is no login");
  if (!is_among(rules_.host_keys, host_key_))
    return refuse("a login to a host that is not granted any more");
  if (session != session_ || host_key != host_key_)
    return refuse("a signature for another host than the one that ssh has told of");
  awaits_ = Awaits::signature;
  return {true, {}, {}};
}

std::string AgentFilter::keep_named_keys(std::string_view answer) const {
  ByteReader reader(answer.substr(1));
  uint32_t count = reader.u32();
  std::string kept;
  uint32_t kept_count = 0;
  for (uint32_t i = 0; i < count && i < kMostKeys && !reader.failed(); i++) {
    std::string_view key = take_text(reader);
    std::string_view comment = take_text(reader);
    if (reader.failed() || !is_among(rules_.keys, key)) continue;
    put_text(kept, key);
    put_text(kept, comment);
    kept_count++;
  }
  std::string out = one_byte(kIdentities);
  for (int shift : {24, 16, 8, 0})
    out += static_cast<char>(kept_count >> shift & 0xff);
  return out + kept;
}

std::string AgentFilter::take_answer(std::string_view answer) {
  Awaits awaited = awaits_;
  awaits_ = Awaits::nothing;
  uint8_t type = answer.empty() ? kFailure : static_cast<uint8_t>(answer[0]);
  if (awaited == Awaits::keys && type == kIdentities) return keep_named_keys(answer);
  if (awaited == Awaits::bind && type == kSuccess) {
    session_ = binding_;
    host_key_ = binding_host_;
    return one_byte(kSuccess);
  }
  if (awaited == Awaits::signature && type == kSignResponse) return std::string(answer);
  return one_byte(kFailure);
}

}  // namespace ringwall::net
