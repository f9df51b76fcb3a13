#include "net/dns_message.h"

#include "net/byte_reader.h"

namespace ringwall::net {
namespace {

constexpr size_t kHeader = 12;
constexpr size_t kMostBytes = 4096;
constexpr size_t kLongestName = 255;  // as it stands in the message
constexpr size_t kLongestLabel = 63;  // beyond it a length is a pointer

constexpr uint16_t kIsResponse = 0x8000;
constexpr uint16_t kOpcode = 0x7800;
constexpr uint16_t kRecursionDesired = 0x0100;
constexpr uint16_t kRecursionAvailable = 0x0080;

constexpr uint16_t kTypeSoa = 6;
constexpr uint16_t kTypeOpt = 41;
// What passes every network in one piece; answers are far smaller.
constexpr uint16_t kUdpSize = 1232;
constexpr uint16_t kNameOfQuestion = 0xc000 | kHeader;

constexpr uint16_t kFormatError = 1;

// False if it is no name.
bool read_name(ByteReader& reader, std::string& name) {
  size_t start = reader.at();
  for (bool is_first = true;; is_first = false) {
    size_t length = reader.u8();
    if (reader.failed() || length > kLongestLabel) return false;
    if (length == 0) return reader.at() - start <= kLongestName;
    std::string_view label = reader.take(length);
    if (reader.failed() || reader.at() - start > kLongestName) return false;
    if (!is_first) name += '.';
    for (char c : label) {
      if (c == '.') name += '\\';
      name += c;
    }
  }
}

// The one record that may follow a question. Its options are for servers that do more.
bool read_edns(ByteReader& reader) {
  bool has_root = reader.u8() == 0;
  bool is_opt = reader.u16() == kTypeOpt;
  reader.u16();  // what the client can take in; more than it will ever get
  bool is_version_0 = (reader.u32() & 0x00ff0000) == 0;
  reader.take(reader.u16());
  return !reader.failed() && has_root && is_opt && is_version_0;
}

void put16(std::string& out, uint16_t value) {
  out += static_cast<char>(value >> 8);
  out += static_cast<char>(value & 0xff);
}

void put32(std::string& out, uint32_t value) {
  put16(out, static_cast<uint16_t>(value >> 16));
  put16(out, static_cast<uint16_t>(value & 0xffff));
}

void put_address(std::string& out, uint32_t address, uint32_t ttl) {
  put16(out, kNameOfQuestion);
  put16(out, kDnsTypeA);
  put16(out, kDnsClassInternet);
  put32(out, ttl);
  put16(out, sizeof address);
  put32(out, address);
}

// Says how long an empty answer may be remembered. The zone is the root, which holds every name.
void put_authority(std::string& out, uint32_t ttl) {
  constexpr uint32_t kNumbers[] = {1, 3600, 600, 86400};  // serial, refresh, retry, expire
  out += '\0';
  put16(out, kTypeSoa);
  put16(out, kDnsClassInternet);
  put32(out, ttl);
  put16(out, 2 + sizeof kNumbers + sizeof ttl);
  out += '\0';  // the first server
  out += '\0';  // whom to write to
  for (uint32_t number : kNumbers)
    put32(out, number);
  put32(out, ttl);
}

void put_edns(std::string& out) {
  out += '\0';
  put16(out, kTypeOpt);
  put16(out, kUdpSize);
  put32(out, 0);
  put16(out, 0);
}

uint16_t code_of(DnsReply reply) {
  switch (reply) {
    case DnsReply::address:
    case DnsReply::empty:
      return 0;
    case DnsReply::server_failure:
      return 2;
    case DnsReply::name_error:
      return 3;
    case DnsReply::not_implemented:
      return 4;
    case DnsReply::refused:
      return 5;
  }
  return 2;
}

}  // namespace

std::expected<DnsQuestion, DnsProblem> parse_dns_query(std::string_view message) {
  ByteReader reader(message);
  DnsQuestion question;
  question.id = reader.u16();
  uint16_t flags = reader.u16();
  uint16_t questions = reader.u16(), answers = reader.u16();
  uint16_t authorities = reader.u16(), others = reader.u16();
  if (reader.failed() || (flags & (kIsResponse | kOpcode)) != 0)
    return std::unexpected(DnsProblem::not_a_query);
  bool fits = message.size() <= kMostBytes && questions == 1 && answers == 0 && authorities == 0 &&
              others <= 1;
  if (!fits || !read_name(reader, question.name)) return std::unexpected(DnsProblem::malformed);
  question.recursion_desired = (flags & kRecursionDesired) != 0;
  question.type = reader.u16();
  question.klass = reader.u16();
  question.question_end = reader.at();
  question.has_edns = others == 1;
  if (question.has_edns && !read_edns(reader)) return std::unexpected(DnsProblem::malformed);
  if (!reader.is_whole()) return std::unexpected(DnsProblem::malformed);
  return question;
}

std::string make_dns_reply(std::string_view query, const DnsQuestion& question, DnsReply reply,
                           uint32_t ipv4_host_order, uint32_t ttl) {
  if (question.question_end < kHeader || question.question_end > query.size()) return {};
  uint16_t flags = kIsResponse | kRecursionAvailable | code_of(reply);
  if (question.recursion_desired) flags |= kRecursionDesired;
  std::string out;
  put16(out, question.id);
  put16(out, flags);
  put16(out, 1);
  put16(out, reply == DnsReply::address ? 1 : 0);
  put16(out, reply == DnsReply::empty ? 1 : 0);
  put16(out, question.has_edns ? 1 : 0);
  out += query.substr(kHeader, question.question_end - kHeader);
  if (reply == DnsReply::address) put_address(out, ipv4_host_order, ttl);
  if (reply == DnsReply::empty) put_authority(out, ttl);
  if (question.has_edns) put_edns(out);
  return out;
}

std::string make_dns_format_error(std::string_view query) {
  ByteReader reader(query);
  uint16_t id = reader.u16(), flags = reader.u16();
  if (reader.failed()) return {};
  std::string out;
  put16(out, id);
  put16(out,
        kIsResponse | kRecursionAvailable | (flags & (kRecursionDesired | kOpcode)) | kFormatError);
  out.resize(kHeader, '\0');
  return out;
}

}  // namespace ringwall::net
