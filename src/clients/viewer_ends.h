// What the relay is handed of a person's terminal before a front end shows a run on it.
#pragma once

#include "base/fd.h"
#include "base/result.h"
#include "terminal/own_terminal.h"

namespace ringwall::clients {

// Tells the relay whether this process reads what the terminal answers; before the relay has the
// viewer, so that no question comes first.
void tell_listening(const Fd& viewer, const terminal::OwnTerminal& terminal);

// What the relay is handed of a person's terminal: where to write, and the far end of the viewer's
// socket. The pump is there if the terminal could not be opened anew.
struct ViewerEnds {
  Fd near;  // stays with the front end
  Fd far;
  Fd output;
  Fd pump;
};
Result<ViewerEnds> make_viewer(const terminal::OwnTerminal& terminal);

}  // namespace ringwall::clients
