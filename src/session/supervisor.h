// The supervisor's state, for the files that it is written in: supervise.cc (pid 1, signals, the
// end), supervise_broker.cc (what was planted), supervise_sockets.cc (what the host has made),
// supervise_guard.cc (what did not run),
// supervise_risk.cc (what its risk leads to), supervise_network.cc and supervise_clients.cc (who is
// connected from outside).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/channel.h"
#include "base/program_pages.h"
#include "desks/risk_desk.h"
#include "sandbox/messages.h"
#include "session/lost_tries.h"
#include "session/supervise.h"
#include "state/control.h"

namespace ringwall::session {

// A connection from outside.
struct Client {
  Fd connection;
  bool is_front_end = false;  // leaves by `detach`, or takes the run along
  uint32_t viewer = 0;        // its number at the relay, 0: it looks at no terminal
  uint32_t spawned = 0;       // id of the process started for it, 0: none
  // Until the terminal of that process is there.
  Fd viewer_socket;
  Fd viewer_output;
  terminal::Size size{};
  bool utf8 = true;
  bool has_terminal = false;
  std::optional<int> finished;  // wait status, until the terminal's last output was shown
  bool awaits_end = false;      // is told when nothing of the run is left
};

// Appeared in a tree, and whose it is was not told yet.
struct SeenSocket {
  std::string path;
  Fd file;
};

// A level falls by time: how often that is looked at, in nanoseconds.
inline constexpr int64_t kBetweenRiskLooks = 1'000'000'000;

class Supervisor {
 public:
  explicit Supervisor(SupervisedRun& run);
  ~Supervisor();
  processes::Outcome run();

 private:
  // supervise.cc
  void step();
  int poll_time() const;
  void look_at_limits();
  void serve_gate(bool is_ready);
  void note(const events::Event& event);  // for the record alone
  void keep_record(bool has_failed);
  void take_signal();
  void hear_onlooker();
  void hear_last_of_onlooker();
  void hear_last_of_gate();
  void forward(int signal);
  void stop_as_a_job();
  void take_notice();
  void take_main_notice(const sandbox::Notice& notice);
  void take_relay_notice();
  void show_the_rest();
  void tell(const sandbox::Notice& notice, std::span<const int> fds = {});
  void start_deadline(processes::Outcome outcome);
  // A promise cannot be kept any more: the run ends, and says why.
  void lose_run(std::string why, std::string advice = {});

  // supervise_broker.cc
  void take_broker_notice();
  void tell_unwatched(int err);
  void take_hand_notice();
  void hear_last_of_hand();
  void tell_leading_out();
  void tell_planted(const broker::BrokerNotice& notice);
  void tell_once(std::set<std::string>& told, const std::string& what, const std::string& hint);
  void tell_saved(const broker::BrokerNotice& notice);
  void tell_other_name(const broker::BrokerNotice& notice);
  void tell_staged(const broker::BrokerNotice& notice);
  void tell_remote(const broker::BrokerNotice& notice);
  void brake(const broker::BrokerNotice::Deleted& deletions);
  void cover_again(const std::string& path, bool hidden);
  void ask_for_sweep();
  void sweep();
  bool wait_for_sweep();

  // supervise_sockets.cc
  void take_socket(const broker::BrokerNotice& notice, std::vector<Fd>& fds);
  bool judge_sockets(const std::vector<SeenSocket>& seen);
  void tell_unjudged(const Error& error);

  // supervise_keeper.cc
  void hear_keeper();
  void take_keeper_notice();
  void take_keeper_notice(const undo::KeeperNotice& notice);
  void finish_keeping();

  // supervise_programs.cc
  void take_program_notice();
  void hear_end_of_exec_stop();
  void hear_last_of_exec_stop();
  // supervise_guard.cc
  void take_guard_notice();

  // supervise_risk.cc
  void follow_risk();
  void act_on_risk();
  void narrow_network();
  void kill_run();
  void lower_risk(Client& client, const state::ControlMessage& request);
  std::string describe_after(bool was_frozen, const std::string& run) const;
  void end_probe(uint32_t id);
  void end_trial();

  // supervise_network.cc
  void prepare_network();
  void serve_network(bool is_ready);
  void serve_keys();
  void finish_network();
  void tell_of_no_network();
  void follow_network();
  void give_socket(std::vector<Fd>& fds);

  // supervise_control.cc
  bool serve_control(Client& client, const state::ControlMessage& request);
  void change_network(Client& client, const state::ControlMessage& request);
  void answer_waiting(Client& client, const state::ControlMessage& request);
  void answer_call(Client& client, const state::ControlMessage& request);
  void finish_answer(Client& client, const state::ControlMessage& request, const std::string& what,
                     std::string kind);
  void end_by_request(Client& client, const state::ControlMessage& request);
  void answer_who_ended_it();
  state::RunStatus status() const;
  void describe_control(boost::json::object& description) const;
  void note_control(const Client& client, std::string act, std::vector<std::string> command = {});
  desks::EventWays ways();

  // supervise_clients.cc
  void accept_client();
  void take_request(size_t index);
  void drop_client(size_t index);
  bool serve(Client& client, const state::ControlMessage& request, channel::Message& message);
  void describe(Client& client);
  void attach(Client& client, const state::ControlMessage& request, std::vector<Fd>& fds);
  void spawn(Client& client, const state::ControlMessage& request, channel::Message& message);
  std::optional<std::string> judge_spawn(const state::ControlMessage& request,
                                         const channel::Message& message) const;
  bool brings_file(const channel::Message& message) const;
  void pause(bool paused);
  void wake_to_end();
  std::string why_it_stands() const;
  void hold_up(
      const events::LimitReached& limit);  // whatever becomes of the risk, the person decides
  void answer_act(std::string_view helper, std::string_view act, int err, bool done);
  void answer_spawner(const sandbox::Notice& notice);
  void give_terminal(uint32_t id, std::vector<Fd>& fds);
  void finish_spawner(uint32_t id);
  void answer(Client& client, const state::ControlMessage& message, std::span<const int> fds = {});
  void refuse(Client& client, std::string_view why);
  Client* front_end();

  SupervisedRun& run_;
  std::vector<SeenSocket> later_sockets_;
  std::set<std::string> masked_;  // sockets that were told of
  bool told_unjudged_ = false;
  const bool has_terminal_;  // the run's own command; further ones may have theirs
  processes::LimitWatch watch_;
  desks::RiskDesk risk_;
  int64_t next_risk_look_ = 0;  // 0: only when something was heard
  bool frozen_by_risk_ = false;
  bool was_paused_ = false;  // before that, by the person or at a limit
  bool only_known_programs_ = false;
  std::set<uint32_t> probes_;  // of a verification, by the numbers of their processes
  int64_t trial_ends_ = 0;     // for the risk; 0: none, or it goes on
  std::vector<Client> clients_;
  uint32_t next_id_ = 1;
  uint32_t next_viewer_ = kFirstViewer + 1;
  uint32_t acts_asked_by_ = 0;  // index + 1 of the client that had the helpers tried
  int acts_awaited_ = 0;        // helpers that have not said all
  int64_t deadline_ = 0;
  std::vector<std::string> leading_out_;  // links, and where to
  size_t planted_ = 0;
  size_t refused_programs_ = 0;
  uint64_t changes_ = 1;  // by the person, while it went on; who looks at its terminal
  bool sweep_asked_ = false;
  bool swept_ = false;
  bool paused_ = false;
  std::string paused_by_;  // what the run does that a limit does not allow; empty: no limit did
  bool held_ = false;      // still while the watch measures; nobody is told
  bool main_drained_ = false;
  IdleThrift thrift_;
  bool ended_ = false;
  bool is_lost_ = false;
  std::set<std::string> told_once_, told_remotes_;
  std::set<std::string> told_programs_;
  processes::Outcome outcome_;
  LostTries lost_tries_;
};

}  // namespace ringwall::session
