// The promises' probes: small acts of a hostile program, each tried for real, with a look at what
// happened.
//
// The same functions run in two places. `ringwall verify` has pid 1 of a sandbox run them behind
// the walls, where each must be stopped. The program ringwall-probe runs them bare, where each must
// get through: a probe that cannot fail proves nothing.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ringwall::probes {

// A credential file of the real home, so that one of the same name in a private home is not taken
// for it.
struct CredentialFile {
  std::string path;
  unsigned long inode = 0;
  long size = 0;
  long modified = 0;  // nanoseconds
};

// The usual places of ssh, cloud, package-manager, browser and agent credentials that are there
// below `home`. To be called outside.
std::vector<CredentialFile> find_credentials(const std::string& home);

// What the verifier recorded or planted outside before the start. A probe compares with it; it
// never judges by the shape of a file or the presence of a variable alone.
struct Outside {
  std::string home;         // the real home's path
  std::string workspace;    // writable inside
  std::string canary_file;  // in the real home, holds canary_secret
  std::string canary_secret;
  std::vector<CredentialFile> credentials;  // those of the real home
  std::string canary_variable;              // name of a variable in the supervisor's environment
  std::string canary_socket;                // a listening unix socket outside every grant
  std::string workspace_socket;  // one inside the workspace, there before the start; may be empty
  // One inside the workspace that somebody outside makes while ITS_NAME.wanted lies there; may be
  // empty.
  std::string late_socket;
  std::string abstract_socket;  // a listening abstract socket, without the leading zero byte
  long canary_key = 0;          // a key in the caller's session keyring, 0: none could be made
  long canary_user_key = 0;     // one in his user keyring
  int shared_memory_key = 0;    // System V key of a segment outside, 0: none could be made
  std::string message_queue;    // name of a POSIX queue outside, empty: none could be made
  int outside_pid = 0;          // a process of the caller's on the host
  unsigned long outside_pid_start = 0;      // its start time as in /proc/PID/stat; 0: not recorded
  unsigned long tcp_port = 0;               // a server on the host's loopback, not to be reached
  unsigned long udp_port = 0;               // a bound UDP port there
  std::vector<std::string> host_addresses;  // of the host's interfaces, other than loopback
  std::vector<std::string> namespaces;      // "user:[4026531837]" and so on
  std::vector<std::string> open_files;  // what the caller had open above 2 when it started the run
  std::string own_binary;               // Ringwall's own program
  std::string runs_folder;              // registry and control sockets
  std::string state_folder;             // homes, records
  std::string terminal;                 // the caller's, a pty of the verifier's; empty: none
  unsigned long terminal_device = 0;    // of the file system that it lies in
  unsigned long terminal_inode = 0;
  bool caller_is_root = false;
  // Servers of PlantedServers on the host's loopback, and what was granted; empty: nothing was.
  unsigned long greeting_port = 0;  // --reach-host: speaks first, with canary_secret
  unsigned long served_port = 0;    // --reach-host: waits to be spoken to
  unsigned long named_port = 0;     // as the first; granted by name alone
  unsigned long dns_port = 0;       // answers questions, not to be reached
  std::string granted_name;         // at ports 80 and 443
  std::string granted_zone;         // every name below it
  std::string judged_name;          // of a run that goes on: granted to it at port 443 or 80
  bool answers_names = false;       // of such a run: names without a grant have an address inside
  std::string own_name;             // granted, and leads to this machine; may be empty
  std::vector<std::string> served;  // of such a run: what Ringwall itself puts below /run
  std::vector<std::string> set_variables;  // and names of variables that its policy sets
  // What the supervisor was given and must keep, each written backwards; where it lies outside.
  std::vector<std::string> secrets_backwards;
  std::vector<std::string> secret_files;
  // What the run may use at most; 0: not known.
  unsigned long most_processes = 0;
  unsigned long most_open_files = 0;
  unsigned long most_tmp_bytes = 0;
  unsigned long most_tmp_files = 0;

  std::string to_json() const;
  static Outside from_json(std::string_view json);
};

enum class Finding {
  held,         // every act was stopped
  breached,     // an act got through
  cannot_tell,  // the act could not be tried here; says why
};

struct Act {
  std::string name;
  std::string met;  // what stopped it, such as "ENOENT"; empty: it got through
};

// "held", "breached" or "cannot_tell".
std::string_view name_of(Finding finding);

struct Verdict {
  Finding finding = Finding::held;
  std::string evidence;        // a few words: what stopped it, or what got through
  std::vector<Act> acts = {};  // each by itself, for tests
};

// A list of acts under one verdict: the acts that got through are the evidence; else what stopped
// them.
class Acts {
 public:
  // The act succeeded: a breach.
  void got_in(const std::string& act);
  // The act was stopped, with the errno that it met.
  void stopped(const std::string& act, int err);
  // Stopped, in words where no errno says it.
  void stopped(const std::string& act, const std::string& by);
  // By errno; 0: it got in.
  void tried(const std::string& act, int err);
  // The act could not be tried.
  void untried(const std::string& why);
  Verdict verdict() const;

 private:
  std::vector<Act> acts_;
  std::vector<std::string> untried_;
};

struct Probe {
  std::string_view promise;  // "P07"
  Verdict (*run)(const Outside& outside);
};

std::span<const Probe> probes();

// Runs `act` in a process of its own, since some acts end or change the process that tries them.
// Returns what the act returned, 0 if it got through, else the errno; 128 + the signal if one ended
// it.
int in_child(const std::function<int()>& act);

// True if `place` (user, mnt, pid …) is still the namespace recorded outside; false too if none was
// recorded.
bool shares_namespace(const Outside& outside, const std::string& place);

Verdict probe_inside(const Outside& outside);           // P01
Verdict probe_setuid(const Outside& outside);           // P02
Verdict probe_capabilities(const Outside& outside);     // P03
Verdict probe_system_calls(const Outside& outside);     // P04
Verdict probe_namespaces(const Outside& outside);       // P05
Verdict probe_processes(const Outside& outside);        // P06
Verdict probe_home(const Outside& outside);             // P07
Verdict probe_credentials(const Outside& outside);      // P08
Verdict probe_writes(const Outside& outside);           // P09
Verdict probe_sockets(const Outside& outside);          // P13
Verdict probe_runtime_folders(const Outside& outside);  // P14
Verdict probe_descriptors(const Outside& outside);      // P15
Verdict probe_devices(const Outside& outside);          // P16
Verdict probe_keyrings(const Outside& outside);         // P17
Verdict probe_ipc(const Outside& outside);              // P18
Verdict probe_environment(const Outside& outside);      // P19
Verdict probe_terminal(const Outside& outside);         // P20
Verdict probe_git(const Outside& outside);              // P22
Verdict probe_ungranted(const Outside& outside);        // P23
Verdict probe_names(const Outside& outside);            // P24
Verdict probe_private(const Outside& outside);          // P25
Verdict probe_granted(const Outside& outside);          // P26
Verdict probe_shown_names(const Outside& outside);      // P27
Verdict probe_families(const Outside& outside);         // P28
Verdict probe_secrets(const Outside& outside);          // P29
Verdict probe_bombs(const Outside& outside);            // P33
Verdict probe_control(const Outside& outside);          // P34

}  // namespace ringwall::probes
