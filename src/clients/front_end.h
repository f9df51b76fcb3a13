// The front end: holds the person's terminal while a run is shown on it. It decides nothing: keys
// and sizes go to the relay, signals to the supervisor, and the relay writes what the run shows.
#pragma once

#include "base/fd.h"
#include "base/result.h"
#include "terminal/detach_keys.h"
#include "terminal/own_terminal.h"

namespace ringwall::clients {

struct FrontEnd {
  terminal::OwnTerminal& terminal;
  Fd signals;     // from take_signals
  Fd supervisor;  // a control connection
  Fd viewer;      // to the relay
  Fd messages;    // lines for the person from the supervisor, or nothing
  Fd pump;        // output to be shown here, where the relay cannot write to the terminal itself
  terminal::DetachKeys keys;
  bool watches = false;    // shows the run and types nothing
  bool foreground = true;  // false: the keyboard is somebody else's until the run reads from it
  std::string note = {};   // a line below the first picture
  bool learns = false;     // the last words of the supervisor may take their time
  bool started = true;     // false: the supervisor says `attached` when something can take keys
};

struct Parting {
  enum class Kind {
    ended,       // value: exit status, or a process's wait status; text: a run's signal
    cannot_run,  // value: errno
    detached,
    replaced,  // by another front end
    refused,   // text: why
    lost,      // the supervisor is gone
  } kind = Kind::lost;
  int value = 0;
  std::string text = {};
  bool interrupted = false;  // by the person, just before
};

// Returns with the terminal as it was found.
Parting run_front_end(FrontEnd front_end);

}  // namespace ringwall::clients
