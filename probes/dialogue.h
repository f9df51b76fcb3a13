// What a program without any library says to others over a network, made by hand: connections,
// questions of DNS, the first message of TLS. Nothing waits for long.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "probes/probe.h"

namespace ringwall::probes {

// Milliseconds that an answer may take. Bare, whoever is silent stays so.
int patience(const Outside& outside);

struct Heard {
  int err = 0;          // why there is no connection, or how it broke
  std::string bytes;    // what came
  bool silent = false;  // nothing more came in time, and the connection stands
};

// Connects to an address, says something, and hears at most `most` bytes.
struct Saying {
  std::string address;
  unsigned long port = 0;
  std::string_view words;
  size_t most = 4096;
  bool framed = false;  // the answer tells its own length in two bytes, as in DNS
};
Heard say(const Saying& saying, int milliseconds);

// Sends one datagram; an errno, 0: it is on its way.
int send_datagram(const std::string& address, unsigned long port, std::string_view bytes);

struct Question {
  std::string name;
  uint16_t type = 1;
  std::string server = "127.0.0.1";
  unsigned long port = 53;
  bool by_tcp = false;
};

struct Answer {
  int err = 0;  // ETIMEDOUT: nobody answered
  int code = 0;
  unsigned records = 0;
  std::string address;  // of the first record, if it is one
};
Answer ask(const Question& question, int milliseconds);

// Where a program connects for this name: the wall's address for it. Bare, where no resolver is
// asked, the machine itself. Empty: there is no such name.
std::string address_of(const Outside& outside, const std::string& name);

// A ClientHello that shows `name`, or none if it is empty; with an encrypted one beside it.
std::string client_hello(std::string_view name, bool with_encrypted = false);

// A connection that must not lead anywhere: judged by what was heard on it.
void judge_reached(Acts& acts, const std::string& act, const Heard& heard);

}  // namespace ringwall::probes
