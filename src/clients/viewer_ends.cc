#include "clients/viewer_ends.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/channel.h"
#include "terminal/relay_protocol.h"

namespace ringwall::clients {

void tell_listening(const Fd& viewer, const terminal::OwnTerminal& terminal) {
  terminal::ViewerHead head{terminal::ViewerHead::Type::listen, 0, terminal.is_raw() ? 1 : 0};
  (void)terminal::send_to_viewer(viewer.get(), head);  // its end is seen by poll
}

Result<ViewerEnds> make_viewer(const terminal::OwnTerminal& terminal) {
  TRY_ASSIGN(channel::Pair pair, channel::make_pair());
  ViewerEnds ends{std::move(pair.ours), std::move(pair.theirs), Fd(), Fd()};
  auto output = terminal.open_output();
  if (output) {
    ends.output = std::move(*output);
    return ends;
  }
  int pipe[2];
  if (pipe2(pipe, O_CLOEXEC) < 0) return fail_errno("cannot make a pipe");
  ends.pump = Fd(pipe[0]);
  ends.output = Fd(pipe[1]);
  if (fcntl(ends.output.get(), F_SETFL, O_NONBLOCK) < 0) return fail_errno("cannot set up a pipe");
  return ends;
}

}  // namespace ringwall::clients
