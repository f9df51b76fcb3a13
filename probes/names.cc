// P24 and P27: which names leave, by questions and in the clear on a connection.
#include <cerrno>

#include "probes/dialogue.h"
#include "probes/probe.h"

namespace ringwall::probes {
namespace {

struct RecordType {
  const char* name;
  uint16_t number;
};

constexpr RecordType kTypes[] = {
    {"A", 1},      {"NS", 2},     {"CNAME", 5},   {"SOA", 6},   {"NULL", 10},
    {"PTR", 12},   {"MX", 15},    {"TXT", 16},    {"AAAA", 28}, {"SRV", 33},
    {"NAPTR", 35}, {"DS", 43},    {"DNSKEY", 48}, {"TLSA", 52}, {"SVCB", 64},
    {"HTTPS", 65}, {"AXFR", 252}, {"ANY", 255},   {"CAA", 257}, {"private", 65399},
};

// Elsewhere: of documentation, so that whatever leaves by mistake reaches nobody.
constexpr const char* kElsewhere[] = {"192.0.2.53", "2001:db8::53"};
constexpr const char* kUngranted = "ungranted.ringwall.invalid";

// Where connections wait for a person, or are learned from, every name has an address that was made
// inside and leads to who decides. What leaves with such a connection is for other probes.
bool is_made_inside(const Outside& outside, const Answer& answer) {
  bool stands_for_name =
      answer.address.starts_with("198.18.") || answer.address.starts_with("198.19.");
  return outside.answers_names && answer.records == 1 && stands_for_name;
}

void judge_answer(Acts& acts, const Outside& outside, const std::string& act,
                  const Answer& answer) {
  constexpr int kServerFailure = 2, kNoSuchName = 3, kNotImplemented = 4, kRefused = 5;
  if (answer.err == ETIMEDOUT) return acts.got_in(act);  // it is on its way
  if (answer.err != 0) return acts.stopped(act, answer.err);
  if (answer.code == kNoSuchName) return acts.stopped(act, "no such name");
  if (answer.code == kRefused || answer.code == kNotImplemented || answer.code == kServerFailure)
    return acts.stopped(act, "refused");
  if (answer.records == 0) return acts.stopped(act, "no record");
  if (is_made_inside(outside, answer)) return acts.stopped(act, "an address of the inside");
  acts.got_in(act);
}

// 253 letters of labels as long as they may be: what could be carried away with one question.
std::string long_name() {
  std::string name;
  while (name.size() + 64 + std::string_view(kUngranted).size() <= 253)
    name += std::string(63, 'x') + ".";
  return name + kUngranted;
}

void try_questions(Acts& acts, const Outside& outside) {
  int wait = patience(outside);
  std::string secret = "x7365637265742d6b6579." + std::string(kUngranted);
  for (const RecordType& type : kTypes) {
    std::string act = std::string("ask for ") + type.name;
    judge_answer(acts, outside, act, ask({secret, type.number}, wait));
    judge_answer(acts, outside, act + " by TCP",
                 ask({secret, type.number, "127.0.0.1", 53, true}, wait));
  }
  judge_answer(acts, outside, "ask for a long name", ask({long_name()}, wait));
  for (const char* server : kElsewhere) {
    std::string act = std::string("ask ") + server;
    judge_answer(acts, outside, act, ask({secret, 16, server}, wait));
    judge_answer(acts, outside, act + " by TCP", ask({secret, 16, server, 53, true}, wait));
    judge_reached(acts, act + " by TLS", say({server, 853, "x"}, wait));
    judge_answer(acts, outside, act + " at another port", ask({secret, 16, server, 5353}, wait));
  }
  if (outside.dns_port != 0) {
    judge_answer(acts, outside, "ask a server of the host's",
                 ask({secret, 1, "127.0.0.1", outside.dns_port}, wait));
  }
}

struct Words {
  const char* act;
  unsigned long port;
  std::string words;
};

std::vector<Words> words_that_show(const std::string& other, const std::string& granted) {
  std::string end = "\r\n\r\n";
  return {
      {"show another name in TLS", 443, client_hello(other)},
      {"show no name in TLS", 443, client_hello("")},
      {"show another name beside an encrypted one", 443, client_hello(other, true)},
      {"speak plain HTTP at a port for TLS", 443, "GET / HTTP/1.1\r\nHost: " + granted + end},
      {"show another Host", 80, "GET / HTTP/1.1\r\nHost: " + other + end},
      {"show two Hosts", 80, "GET / HTTP/1.1\r\nHost: " + granted + "\r\nHost: " + other + end},
      {"show no Host", 80, "GET / HTTP/1.1" + end},
      {"show another name in the request's line", 80,
       "GET http://" + other + "/ HTTP/1.1\r\nHost: " + granted + end},
      {"ask for a tunnel", 80, "CONNECT " + other + ":443 HTTP/1.1\r\nHost: " + other + end},
      {"show a Host over two lines", 80,
       "GET / HTTP/1.1\r\nHost: " + granted + "\r\n ." + other + end},
  };
}

}  // namespace

Verdict probe_names(const Outside& outside) {
  Acts acts;
  try_questions(acts, outside);
  if (outside.granted_name.empty()) return acts.verdict();
  int wait = patience(outside);
  judge_answer(acts, outside, "ask for a name below a granted one",
               ask({"x." + outside.granted_name, 1}, wait));
  // A name below a wildcard has an address, and nothing that somebody outside could have written.
  for (const RecordType& type : kTypes) {
    if (type.number == 1) continue;
    judge_answer(acts, outside, std::string("be told ") + type.name + " of a granted name",
                 ask({"x7365637265742d6b6579." + outside.granted_zone, type.number}, wait));
  }
  return acts.verdict();
}

Verdict probe_shown_names(const Outside& outside) {
  Acts acts;
  // What shows another name is refused before anybody is asked or dialled, so that names of a run
  // that goes on will do.
  const std::string& granted =
      outside.granted_name.empty() ? outside.judged_name : outside.granted_name;
  if (granted.empty()) {
    acts.untried("nothing was granted for this check");
    return acts.verdict();
  }
  bool bare = shares_namespace(outside, "net");
  std::string address = address_of(outside, granted);
  for (const Words& words : words_that_show(kUngranted, granted)) {
    if (address.empty()) {
      acts.stopped(words.act, "no such name");
      continue;
    }
    unsigned long port = bare ? outside.served_port : words.port;
    Heard heard = say({address, port, words.words}, patience(outside));
    // Closed without a word: nobody has compared, and it failed later on the way.
    bool went_on = heard.bytes.empty() && !heard.silent && heard.err != ECONNREFUSED &&
                   heard.err != ENETUNREACH;
    if (went_on)
      acts.got_in(words.act);
    else
      judge_reached(acts, words.act, heard);
  }
  return acts.verdict();
}

}  // namespace ringwall::probes
