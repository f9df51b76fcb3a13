// Stands between a program inside and the person's ssh-agent: shows it the keys that were named and
// no other, and lets it sign logins to hosts that were granted, nothing else. Pure: requests in,
// decisions out.
//
// Which host a signature is for is told by the client before (session-bind of OpenSSH 8.9 and
// later) and proved to the agent by the host's own signature, which the agent checks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringwall::net {

struct AgentRules {
  std::vector<std::string> keys;       // that may be used, as the protocol has them
  std::vector<std::string> host_keys;  // of the hosts that may be logged in to
};

class AgentFilter {
 public:
  // The rules may change while it lives: each request is judged by what they are then.
  explicit AgentFilter(const AgentRules& rules) : rules_(rules) {}

  struct Step {
    bool forward = false;  // the request goes to the agent as it is
    std::string answer;    // else this goes back
    std::string why;       // of a refusal that is worth telling
  };
  // One request, without its length. Only when the one before was answered.
  Step take_request(std::string_view request);

  // What the agent says to what was forwarded, without its length; what the program gets of it.
  std::string take_answer(std::string_view answer);

 private:
  Step judge_bind(std::string_view body);
  Step judge_signature(std::string_view body);
  std::string keep_named_keys(std::string_view answer) const;

  enum class Awaits { nothing, keys, bind, signature };

  const AgentRules& rules_;
  Awaits awaits_ = Awaits::nothing;
  std::string binding_;  // the session that the agent is being told of
  std::string binding_host_;
  std::string session_;  // that it knows the host of
  std::string host_key_;
};

inline constexpr size_t kLongestAgentMessage = 256 << 10;

}  // namespace ringwall::net
