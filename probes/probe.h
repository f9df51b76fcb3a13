// The promises' probes: small acts of a hostile program, each tried for real, with a look at what
// happened.
//
// The same functions run in two places. `ringwall verify` has pid 1 of a sandbox run them behind
// the walls, where each must be stopped. The program ringwall-probe runs them bare, where each must
// get through: a probe that cannot fail proves nothing.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ringwall::probes {

// What the verifier recorded or planted outside before the start. A probe compares with it; it
// never judges by the shape of a file or the presence of a variable alone.
struct Outside {
  std::string home;         // the real home's path
  std::string workspace;    // writable inside
  std::string canary_file;  // in the real home, holds canary_secret
  std::string canary_secret;
  std::string canary_variable;   // name of a variable in the supervisor's environment
  std::string canary_socket;     // a listening unix socket outside every grant
  std::string workspace_socket;  // one inside the workspace, there before the start; may be empty
  std::string
      abstract_socket;         // name of a listening abstract socket, without the leading zero byte
  long canary_key = 0;         // a key in the caller's session keyring, 0: none could be made
  int shared_memory_key = 0;   // System V key of a segment outside, 0: none could be made
  std::string message_queue;   // name of a POSIX queue outside, empty: none could be made
  int outside_pid = 0;         // a process of the caller's on the host
  unsigned long tcp_port = 0;  // a listening port on the host's loopback
  std::vector<std::string> host_addresses;  // of the host's interfaces, other than loopback
  std::vector<std::string> namespaces;      // "user:[4026531837]" and so on
  std::vector<std::string> open_files;  // what the caller had open above 2 when it started the run
  std::string own_binary;               // Ringwall's own program
  std::string runs_folder;              // registry and control sockets
  std::string state_folder;             // homes, records
  bool caller_is_root = false;

  std::string to_json() const;
  static Outside from_json(std::string_view json);
};

enum class Finding {
  held,         // every act was stopped
  breached,     // an act got through
  cannot_tell,  // the act could not be tried here; says why
};

struct Verdict {
  Finding finding = Finding::held;
  std::string evidence;  // a few words: what stopped it, or what got through
};

// A list of acts under one verdict: the first act that gets through is the evidence; else the
// errors met.
class Acts {
 public:
  // The act succeeded: a breach.
  void got_in(const std::string& act);
  // The act was stopped, with the errno that it met.
  void stopped(const std::string& act, int err);
  // The act could not be tried.
  void untried(const std::string& why);
  Verdict verdict() const;

 private:
  std::vector<std::string> breaches_, untried_;
  std::vector<int> errors_;
  size_t stopped_ = 0;
};

struct Probe {
  std::string_view promise;  // "P07"
  Verdict (*run)(const Outside& outside);
};

std::span<const Probe> probes();

// Runs `act` in a process of its own, since some acts end the process that tries them. Returns its
// exit status, or 128 + the signal that ended it. The act returns 0 if it got through, else the
// errno.
int in_child(int (*act)(const Outside&), const Outside& outside);

}  // namespace ringwall::probes
