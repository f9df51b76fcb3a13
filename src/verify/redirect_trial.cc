#include "verify/redirect_trial.h"

#include <sched.h>

#include "net/redirect.h"

namespace ringwall::verify {

host::TrialResult try_redirect() {
  // A grant of every kind: each kind of rule needs modules of its own.
  net::Redirected redirected{{}, {80}};
  for (const char* host :
       {"granted.ringwall.invalid:1-65535", "192.0.2.0/24:80", "[2001:db8::1]:80"}) {
    if (auto pattern = policy::parse_host_pattern(host, policy::NoPort::https))
      redirected.grants.push_back(std::move(*pattern));
  }
  host::Trial trial{sandbox::Wall::network_redirect,
                    CLONE_NEWUSER | CLONE_NEWNET,
                    {"raise loopback", "take connections to the wall"}};
  trial.network = {true, false, net::encode_redirect(redirected), net::kWallPort,
                   net::kResolverPort};
  return host::attempt(trial);
}

}  // namespace ringwall::verify
