#include "net/hello_message.h"

#include <bitset>

#include "net/byte_reader.h"

namespace ringwall::net {
namespace {

constexpr uint8_t kClientHello = 1;
constexpr size_t kRandom = 32;
constexpr size_t kLongestSessionId = 32;
constexpr uint8_t kHostName = 0;

constexpr uint16_t kServerName = 0;
constexpr uint16_t kEarlyData = 42;
constexpr uint16_t kEncryptedServerName = 0xffce;  // a draft that came before encrypted hellos

std::unexpected<Error> bad(std::string_view why) {
  return fail("the ClientHello " + std::string(why));
}

// All that stands before the extensions. Its lengths must be right; the rest is the server's
// affair.
bool skip_to_extensions(ByteReader& reader) {
  bool is_known = reader.u8() == 3;
  uint8_t minor = reader.u8();
  is_known = is_known && minor >= 1 && minor <= 4;
  reader.take(kRandom);
  size_t session_id = reader.u8();
  reader.take(session_id);
  size_t suites = reader.u16();
  reader.take(suites);
  size_t compressions = reader.u8();
  reader.take(compressions);
  return !reader.failed() && is_known && session_id <= kLongestSessionId && suites >= 2 &&
         suites % 2 == 0 && compressions >= 1;
}

Result<std::string_view> parse_server_name(std::string_view extension) {
  ByteReader reader(extension);
  std::string_view list = reader.take(reader.u16());
  if (!reader.is_whole()) return bad("has a list of names that does not add up");
  ByteReader entries(list);
  uint8_t kind = entries.u8();
  std::string_view name = entries.take(entries.u16());
  if (entries.failed()) return bad("has a list of names that does not add up");
  if (entries.left() > 0) return bad("asks for two names");
  if (kind != kHostName || name.empty()) return bad("asks for something that is no host");
  return name;
}

}  // namespace

Result<HelloFacts> parse_client_hello(std::string_view message) {
  ByteReader reader(message);
  if (reader.u8() != kClientHello || reader.u24() != message.size() - 4 || reader.failed())
    return bad("is none");
  if (!skip_to_extensions(reader)) return bad("is malformed");
  HelloFacts facts;
  // TLS 1.2 and before: a hello may end here.
  if (reader.is_whole()) return facts;
  ByteReader extensions(reader.take(reader.u16()));
  if (!reader.is_whole()) return bad("has extensions that do not add up");
  std::bitset<65536> seen;
  while (extensions.left() > 0) {
    uint16_t type = extensions.u16();
    std::string_view extension = extensions.take(extensions.u16());
    if (extensions.failed()) return bad("has extensions that do not add up");
    if (seen[type])
      return bad(type == kServerName ? "asks for names twice" : "has an extension twice");
    seen[type] = true;
    if (type == kEncryptedServerName) return bad("hides the name that it asks for");
    if (type == kEarlyData) facts.has_early_data = true;
    if (type != kServerName) continue;
    TRY_ASSIGN(facts.server_name, parse_server_name(extension));
  }
  return facts;
}

}  // namespace ringwall::net
