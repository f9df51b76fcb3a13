// The supervisor of one run: waits for pid 1, forwards signals, answers the control socket, and
// tells the relay what to show to whom. It parses nothing from inside but fixed-size notices.
#pragma once

#include <boost/json.hpp>
#include <functional>
#include <memory>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "desks/gate_desk.h"
#include "events/event.h"
#include "guard/guard_client.h"
#include "processes/limit_watch.h"
#include "processes/onlooker.h"
#include "processes/outcome.h"
#include "sandbox/launch.h"
#include "session/broker_link.h"
#include "session/exec_stop_link.h"
#include "session/hand_link.h"
#include "session/keeper_link.h"
#include "session/listeners.h"
#include "session/recorder.h"
#include "session/relay_link.h"
#include "session/repository_look.h"
#include "session/run_network.h"

namespace ringwall::session {

inline constexpr uint32_t kFirstViewer = 1;  // the front end that the run was started with

struct SupervisedRun {
  sandbox::Launched sandbox;
  Fd signals;
  Fd control;  // listening
  std::string run_name;
  boost::json::object description;  // the answer to `describe`
  sandbox::Identity identity;
  bool masks_later = false;       // see sandbox::Plan
  bool landlock = false;          // that wall stands
  bool bars_files = false;        // see calls::ExecPlan
  bool tells_use = false;         // of the network, in the end
  bool strict = false;            // an optional wall that is missing ends it
  std::function<void()> tidy_up;  // what can be done while the kernel takes the sandbox apart
  processes::WatchInputs watch;
  std::function<void(const events::Event&)> tell;  // the person, and the record
  Listeners* listeners = nullptr;                  // whom that reaches
  Recorder* record = nullptr;  // for what only the record has; null in the build for tests
  std::string network_lock;    // where network.allow is locked; empty: it is not
  policy::Policy::Risk risk;
  bool record_required = false;      // the run ends when its record cannot be written
  RelayLink relay;                   // running if the run has a terminal
  RelayedTerminalRequest terminals;  // how terminals of further processes are to be shown
  std::span<char> start_area;        // see sandbox::LaunchInputs
  BrokerLink broker;                 // running if there is a writable tree to watch
  KeeperLink keeper;                 // running if what it changes can be put back
  HandLink hand;                     // running if mounts may have to be renewed
  ExecStopLink exec_stop;            // running if programs are judged when they are executed
  policy::Policy::Exec exec_policy;  // for what is told of programs
  RunNetwork network;
  processes::Onlooker onlooker;
  RepositoryLook repository;              // at work if something is new in the workspace
  std::unique_ptr<desks::GateDesk> gate;  // if an agent's hooks are heard
  guard::GuardLink guard;                 // connected if root's guard enforces rules over it
  Fd front_end;  // a control connection: when it ends without `detach`, the run ends
};

// Returns when the command and everything below it have ended, and its last output was shown. The
// front end, if any is there, has been told. Helpers that have said their last word end beside what
// the caller still does: the end of `run` waits for theirs.
processes::Outcome supervise(SupervisedRun& run);

}  // namespace ringwall::session
