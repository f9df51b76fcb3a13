// Servers that whoever checks a sandbox plants on the host's loopback: some to be reached from
// inside, some not. And the grants under which they are tried, so that no other machine is asked
// for anything.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "probes/probe.h"

namespace ringwall::probes {

inline constexpr std::string_view kStreamRequest = "stream\n";
inline constexpr size_t kStreamBytes = 4 << 20;
const std::string& long_stream();

class PlantedServers {
 public:
  // Puts the ports into `facts`, and the names that are to be granted.
  static Result<PlantedServers> open(Outside& facts);

  // Who we are here: a process that serves until its parent ends it. Answers hold the secret.
  [[noreturn]] void serve(const std::string& secret);

 private:
  enum class Kind { greets, talks, answers_questions };
  struct Listener {
    Fd socket;
    Kind kind;
  };
  Status listen_at(unsigned long& port, Kind kind);

  std::vector<Listener> listeners_;
};

// Flags of `ringwall run` that grant what the probes expect to be granted.
std::vector<std::string> grants_for(const Outside& facts);

}  // namespace ringwall::probes
