// Fuzz target: DNS questions and the replies to them. Whatever the bytes, a question that is read
// is the one a second, slower reader sees, and every reply is a whole message about that question.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "net/dns_message.h"
#include "policy/hosts.h"

using namespace ringwall::net;

namespace {

void check(bool holds) {
  if (!holds) abort();
}

unsigned at16(const std::string& message, size_t at) {
  return static_cast<unsigned>(static_cast<uint8_t>(message.at(at)) << 8 |
                               static_cast<uint8_t>(message.at(at + 1)));
}

// The parts of the name that begins at `at`, which then is behind it.
std::vector<std::string> labels_of(const std::string& message, size_t& at) {
  std::vector<std::string> labels;
  while (message.at(at) != 0) {
    check(static_cast<uint8_t>(message[at]) < 64);
    labels.push_back(message.substr(at + 1, static_cast<uint8_t>(message[at])));
    at += 1 + labels.back().size();
  }
  at++;
  return labels;
}

void check_question(const std::string& message, const DnsQuestion& question) {
  check((static_cast<uint8_t>(message[2]) & 0xf8) == 0 && at16(message, 4) == 1);
  check(at16(message, 0) == question.id);
  size_t at = 12;
  std::string name;
  bool has_dots = false;
  for (const std::string& label : labels_of(message, at)) {
    name += (name.empty() ? "" : ".") + label;
    has_dots = has_dots || label.find('.') != std::string::npos;
  }
  check(at16(message, at) == question.type && at16(message, at + 2) == question.klass);
  check(at + 4 == question.question_end && at - 12 <= 255);
  // What fits the grammar of a host's name is the name, part by part.
  if (ringwall::policy::parse_host_name(question.name)) check(name == question.name && !has_dots);
  size_t end = question.question_end;
  if (question.has_edns) end += 11 + at16(message, end + 9);
  check(end == message.size() && at16(message, 10) == (question.has_edns ? 1u : 0u));
}

// Skips a record of a reply; its name is a pointer to the question or the root.
size_t behind_record(const std::string& reply, size_t at) {
  at += reply.at(at) == '\0' ? 1 : 2;
  return at + 10 + at16(reply, at + 8);
}

void check_reply(const std::string& message, const DnsQuestion& question, DnsReply kind) {
  std::string reply = make_dns_reply(message, question, kind, 0xc6120001);
  check(reply.substr(12, question.question_end - 12) ==
        message.substr(12, question.question_end - 12));
  check(at16(reply, 0) == question.id && at16(reply, 4) == 1);
  size_t at = question.question_end;
  for (unsigned records = at16(reply, 6) + at16(reply, 8) + at16(reply, 10); records > 0; records--)
    at = behind_record(reply, at);
  check(at == reply.size() && reply.size() <= 512);
  auto again = parse_dns_query(reply);
  check(!again && again.error() == DnsProblem::not_a_query);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string message(reinterpret_cast<const char*>(data), size);
  std::string error = make_dns_format_error(message);
  check(error.size() == (size < 4 ? 0u : 12u));
  auto question = parse_dns_query(message);
  if (!question) return 0;
  check_question(message, *question);
  for (DnsReply kind : {DnsReply::address, DnsReply::empty, DnsReply::name_error, DnsReply::refused,
                        DnsReply::server_failure, DnsReply::not_implemented})
    check_reply(message, *question, kind);
  return 0;
}
