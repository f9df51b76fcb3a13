// DNS messages, as far as the resolver of a run needs them: it reads one question, and answers it
// out of what it knows itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace ringwall::net {

constexpr uint16_t kDnsTypeA = 1;
constexpr uint16_t kDnsTypeAaaa = 28;
constexpr uint16_t kDnsClassInternet = 1;

struct DnsQuestion {
  uint16_t id = 0;
  bool recursion_desired = false;
  // With dots between its parts and none at its end. The bytes may be any: a dot within a part
  // stands as "\.", so that whatever is no host's name does not fit the grammar of one.
  std::string name;
  uint16_t type = 0;
  uint16_t klass = 0;
  size_t question_end = 0;  // in the message
  bool has_edns = false;
};

enum class DnsProblem {
  not_a_query,  // gets no answer: an answer to an answer could go on for ever
  malformed,    // make_dns_format_error()
};

// Strict: one question, no names that point elsewhere, at most the one record of EDNS besides, and
// nothing behind it.
std::expected<DnsQuestion, DnsProblem> parse_dns_query(std::string_view message);

enum class DnsReply { address, empty, name_error, refused, server_failure, not_implemented };

// `query` is the message that the question was read from: the name goes back in its very bytes,
// since clients mix small and large letters to recognise their answers. `ttl` is in seconds.
std::string make_dns_reply(std::string_view query, const DnsQuestion& question, DnsReply reply,
                           uint32_t ipv4_host_order = 0, uint32_t ttl = 1);

// Empty if the message is too short to say whom to answer.
std::string make_dns_format_error(std::string_view query);

}  // namespace ringwall::net
