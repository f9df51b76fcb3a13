// The front end: holds the person's terminal while a run is shown on it. It decides nothing: keys
// and sizes go to the relay, signals to the supervisor, and the relay writes what the run shows.
#pragma once

#include "base/fd.h"
#include "base/result.h"
#include "terminal/detach_keys.h"
#include "terminal/own_terminal.h"

namespace ringwall::session {

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
};

// Returns with the terminal as it was found.
Parting run_front_end(FrontEnd front_end);

// What the relay is handed of a person's terminal: where to write, and the far end of the viewer's
// socket. The pump is there if the terminal could not be opened anew.
struct ViewerEnds {
  Fd near;  // stays with the front end
  Fd far;
  Fd output;
  Fd pump;
};
Result<ViewerEnds> make_viewer(const terminal::OwnTerminal& terminal);

}  // namespace ringwall::session
