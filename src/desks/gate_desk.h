// The supervisor's desk for the hooks of the agent inside: notes what they decided, and lets the
// person answer what a rule asks for. Whatever comes by its socket may be forged by anything
// inside: messages are of fixed layout, few at a time and few a second, and none of them allows
// anything. Who answers is the person, over the control socket, which no sandbox sees.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/fd.h"
#include "base/result.h"
#include "desks/advisor.h"
#include "desks/mcp_servers.h"
#include "desks/network_ledger.h"
#include "desks/waiting_requests.h"
#include "gate/gate_channel.h"

namespace ringwall::desks {

// A tool call that waits: shown as a whole, and known again by all of it.
struct AskedCall {
  std::string agent;
  std::string tool;
  std::string folder;
  std::string text;
  std::string rule;

  // Of what the person sees, made here: nothing that a message claims counts.
  Digest digest() const;
  std::string shown() const;
};
bool is_same(const AskedCall& one, const AskedCall& other);

using WaitingCall = Waiting<AskedCall>;

class GateDesk {
 public:
  // Beside the number of a visitor: the end of the advisor's process for it.
  static constexpr uint64_t kAdvice = uint64_t{1} << 32;

  // `patience` in nanoseconds: how long a call waits for the person.
  static Result<std::unique_ptr<GateDesk>> open(Fd listener, std::string run, int64_t patience,
                                                EventWays ways, AdvisorPlan advisor = {});

  // MCP servers that the inside may ask for.
  void offer(McpServers servers) { servers_ = std::move(servers); }

  // What an agent would ask at its own prompt is the person's to answer, and refused if nobody
  // does.
  void be_wary(bool is_wary) { is_wary_ = is_wary; }

  int fd() const { return epoll_.get(); }
  int64_t next_deadline() const;
  void step();

  const std::vector<WaitingCall>& waiting() const { return waiting_.all(); }
  bool has(uint64_t id) const;
  // `until` on the monotonic clock, 0: the run; nothing: those that wait now alone.
  std::optional<WaitingCall> approve(uint64_t id, std::optional<int64_t> until);
  std::optional<WaitingCall> reject(uint64_t id, bool for_the_run);

 private:
  struct Visitor {
    Fd connection;
    int64_t until = 0;  // it has to have spoken; 0: it has, and waits
  };

  GateDesk(Fd listener, std::string run, int64_t patience, EventWays ways, AdvisorPlan advisor);

  void accept_visitors(int64_t now);
  void hear(uint32_t number, int64_t now);
  void take(uint32_t number, const gate::GateNotice& notice, int64_t now);
  void ask(uint32_t number, AskedCall call, int64_t now);
  void note(const gate::GateNotice& notice, int64_t now);
  void note_result(const gate::GateNotice& notice, int64_t now);
  // gate_desk_advice.cc
  void advise(uint32_t number, const gate::GateNotice& notice);
  void end_advice(uint32_t number);
  void end_late_advice(int64_t now);
  void answer_advice(uint32_t number, const gate::Advice& advice);
  void serve(uint32_t number, const gate::GateNotice& notice);
  void answer(uint32_t number, const gate::GateAnswer& answer, std::span<const int> fds = {});
  void answer_all(const WaitingCall& call, gate::GateAnswer::Type type);
  bool watch(int fd, uint64_t number, uint32_t events);
  void refuse_unanswered(int64_t now);
  void drop_silent(int64_t now);
  void tell_noise(int64_t now);
  bool has_line_for(std::string_view kind, int64_t now);
  void count_unheard(int64_t now, std::string_view kind = {});
  void tell_once(const std::string& key, const events::Event& event);
  void refill(int64_t now);
  void listen_again(bool listens);

  std::string run_;
  int64_t patience_;
  EventWays ways_;
  Fd epoll_;
  Fd listener_;
  bool listens_ = true;
  bool is_wary_ = false;
  std::map<uint32_t, Visitor> visitors_;
  AdvisorPlan advisor_;
  struct Question {
    gate::AdviceQuestion asked;
    processes::OutsideProcess process;
  };
  std::map<uint32_t, Question> questions_;  // on their way, by visitor
  uint32_t next_ = 1;
  WaitingLine<AskedCall> waiting_;
  std::map<Digest, int64_t> approved_;  // until when; 0: the run
  std::set<Digest> rejected_;           // for the run
  std::set<std::string> told_;
  double visits_left_;  // may be accepted now
  // Of each kind, so many are worth a line each now: whoever says much of one mutes no other.
  std::map<std::string_view, double> lines_left_;
  int64_t refilled_ = 0;
  McpServers servers_;
  uint64_t unheard_ = 0;  // messages beyond those
  std::map<std::string, uint64_t> unheard_of_;
  int64_t noise_told_ = 0;
};

}  // namespace ringwall::desks
