// The resolver that programs inside talk to. It knows names that the supervisor grants and forwards
// nothing: a granted name is answered with an address that stands for it, every other question with
// "there is no such name". So no question ever leaves, whatever it holds.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "net/dns_message.h"
#include "net/name_table.h"
#include "net/relay_protocol.h"

namespace ringwall::net {

class NameService {
 public:
  // Questions have the upper half of the ids, connections the lower.
  static constexpr uint32_t kFirstQuestion = 0x80000000;

  // Puts a question to the supervisor, or tells it of one that needs no answer.
  using Tell = std::function<void(const RelayNotice&)>;
  NameService(NameTable& names, Tell tell) : names_(names), tell_(std::move(tell)) {}

  // Everything that lies at a socket of UDP; answers go back the same way.
  void take_datagrams(int socket, bool is_ipv6);

  // A question that came by TCP. Either the reply, or the id by which the supervisor was asked.
  struct Outcome {
    std::string reply;
    uint32_t id = 0;
  };
  Outcome take_question(std::string_view query, const Asker& asker);

  // The supervisor's word. Gives the reply if the question came by TCP, else sends it.
  std::string take_answer(uint32_t id, bool granted, bool is_exact);

 private:
  struct Waiting {
    std::string query;
    DnsQuestion question;
    int socket = -1;  // -1: by TCP
    sockaddr_in6 from{};
    socklen_t from_size = 0;
  };

  std::string answer_at_once(const DnsQuestion& question, std::string_view query,
                             const Asker& asker);
  std::string answer_granted(const Waiting& waiting, bool is_exact);
  uint32_t ask(Waiting waiting, const Asker& asker);

  NameTable& names_;
  Tell tell_;
  std::map<uint32_t, Waiting> waiting_;
  uint32_t next_ = 0;
};

}  // namespace ringwall::net
