// The guard's one socket: takes requests of supervisors, each for a sandbox of its own user, and
// keeps a scope for each as long as its connection lasts.
#pragma once

#include <sys/types.h>

#include <list>
#include <memory>
#include <string>
#include <vector>

#include "base/channel.h"
#include "base/fd.h"
#include "base/result.h"
#include "guard/exec_scope.h"
#include "guard/kernel_gate.h"

namespace ringwall::guard {

class GuardServer {
 public:
  // `why_not`: why the kernel gives no stronger kind; for whoever asks for one.
  GuardServer(KernelGate& gate, Fd listener, std::string pins_root, std::string pins,
              std::string why_not);

  // Until `stop` can be read.
  void run(int stop);

 private:
  struct Peer {
    Fd socket;
    uid_t uid = 0;
    int64_t deadline = 0;  // for its request; 0: it came
    size_t digests = 0;
    std::unique_ptr<ExecScope> scope;
  };

  void accept_peer();
  // False: the peer goes.
  bool serve(Peer& peer);
  bool serve_request(Peer& peer, const GuardRequest& request, std::vector<Fd>& fds);
  Status enforce(Peer& peer, const GuardRequest& request, std::vector<Fd>& fds);
  Result<ScopeRules> read_rules(const Peer& peer, const GuardRequest& request, int fd) const;
  void drop(Peer& peer);
  void take_refusals();
  void tidy_up();
  int wait_time() const;

  KernelGate& gate_;
  Fd listener_;
  const std::string pins_root_, pins_;
  const std::string why_not_;
  DigestCache cache_;
  std::list<Peer> peers_;
  std::vector<Fd> lingering_;  // sandboxes whose supervisor is gone
  int64_t idle_since_ = 0;
  bool has_abandoned_ = true;
};

// At `path`, for everybody to connect to.
Result<Fd> listen_at(const std::string& path);

}  // namespace ringwall::guard
