#include "net/name_service.h"

#include <arpa/inet.h>

#include <cerrno>

#include "base/fixed_message.h"
#include "policy/hosts.h"

namespace ringwall::net {
namespace {

constexpr size_t kMostWaiting = 4096;
constexpr size_t kLongestDatagram = 4096;
constexpr int kMostAtOnce = 256;   // datagrams before others get their turn
constexpr uint32_t kSeconds = 60;  // that an answer holds; the address stands for the name for good
constexpr uint32_t kLoopback = 0x7f000001;

// Of DNS.
constexpr uint16_t kTypeA = 1;
constexpr uint16_t kTypeAaaa = 28;
constexpr uint16_t kClassInternet = 1;

bool is_localhost(std::string_view name) {
  return name == "localhost" || name.ends_with(".localhost");
}

}  // namespace

// What can be said without asking; empty: it has to be asked.
std::string NameService::answer_at_once(const DnsQuestion& question, std::string_view query,
                                        const Asker& asker) {
  if (question.klass != kClassInternet) return make_dns_reply(query, question, DnsReply::refused);
  auto name = policy::parse_host_name(question.name);
  if (!name) {
    // Services and the like have names that no host has; only who wants an address is told of.
    if (question.type == kTypeA || question.type == kTypeAaaa) {
      RelayNotice notice{RelayNotice::Type::refused};
      fixed::put(notice.to.name, question.name);
      notice.asker = asker;
      fixed::put(notice.why, "is no name of a host: it " + name.error().what);
      tell_(notice);
    }
    return make_dns_reply(query, question, DnsReply::name_error);
  }
  if (is_localhost(*name)) {
    return question.type == kTypeA
               ? make_dns_reply(query, question, DnsReply::address, kLoopback, kSeconds)
               : make_dns_reply(query, question, DnsReply::empty);
  }
  if (waiting_.size() >= kMostWaiting)
    return make_dns_reply(query, question, DnsReply::server_failure);
  return {};
}

uint32_t NameService::ask(Waiting waiting, const Asker& asker) {
  uint32_t id = kFirstQuestion | (next_++ & ~kFirstQuestion);
  RelayNotice notice{RelayNotice::Type::name, id};
  auto name = policy::parse_host_name(waiting.question.name);
  fixed::put(notice.to.name, name ? *name : "");
  notice.asker = asker;
  waiting_.insert_or_assign(id, std::move(waiting));
  tell_(notice);
  return id;
}

NameService::Outcome NameService::take_question(std::string_view query, const Asker& asker) {
  auto question = parse_dns_query(query);
  if (!question) return {make_dns_format_error(query), 0};
  std::string reply = answer_at_once(*question, query, asker);
  if (!reply.empty()) return {std::move(reply), 0};
  return {{}, ask({std::string(query), *question}, asker)};
}

void NameService::take_datagrams(int socket, bool is_ipv6) {
  char buffer[kLongestDatagram];
  for (int i = 0; i < kMostAtOnce; i++) {
    Waiting waiting;
    waiting.socket = socket;
    waiting.from_size = sizeof waiting.from;
    auto* from = reinterpret_cast<sockaddr*>(&waiting.from);
    ssize_t count = recvfrom(socket, buffer, sizeof buffer, MSG_DONTWAIT, from, &waiting.from_size);
    if (count < 0) return;
    std::string_view query(buffer, static_cast<size_t>(count));
    // The port lies at the same place for both families.
    Asker asker{1, is_ipv6, ntohs(waiting.from.sin6_port)};
    auto question = parse_dns_query(query);
    std::string reply =
        question ? answer_at_once(*question, query, asker) : make_dns_format_error(query);
    if (question && reply.empty()) {
      waiting.query = query;
      waiting.question = *question;
      ask(std::move(waiting), asker);
    } else if (!reply.empty()) {
      // Lost, as datagrams may be, if nobody takes it.
      (void)sendto(socket, reply.data(), reply.size(), MSG_DONTWAIT | MSG_NOSIGNAL, from,
                   waiting.from_size);
    }
  }
}

std::string NameService::answer_granted(const Waiting& waiting, bool is_exact) {
  if (waiting.question.type != kTypeA)
    return make_dns_reply(waiting.query, waiting.question, DnsReply::empty);
  auto name = policy::parse_host_name(waiting.question.name);
  auto address = name ? names_.address_of(*name, is_exact) : std::nullopt;
  if (!address) return make_dns_reply(waiting.query, waiting.question, DnsReply::server_failure);
  return make_dns_reply(waiting.query, waiting.question, DnsReply::address, *address, kSeconds);
}

std::string NameService::take_answer(uint32_t id, bool granted, bool is_exact) {
  auto found = waiting_.find(id);
  if (found == waiting_.end()) return {};
  Waiting waiting = std::move(found->second);
  waiting_.erase(found);
  std::string reply = granted
                          ? answer_granted(waiting, is_exact)
                          : make_dns_reply(waiting.query, waiting.question, DnsReply::name_error);
  if (waiting.socket < 0) return reply;
  (void)sendto(waiting.socket, reply.data(), reply.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
               reinterpret_cast<const sockaddr*>(&waiting.from), waiting.from_size);
  return {};
}

}  // namespace ringwall::net
