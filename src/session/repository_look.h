// The quick part of `ringwall audit repo`, at the start of a run: what could run or steer something
// in the workspace is compared with the last time, by a stat for each such file; only if something
// is new or changed, a scanner looks at these files while the run goes on. What it finds that was
// not there the last time is told in one line.
//
// Nothing here is on the way to the command, and nothing depends on it: who cannot look says
// nothing, and looks again at the next start.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "events/event.h"
#include "prepare/guarded_files.h"
#include "processes/helper_process.h"
#include "state/places.h"

namespace ringwall::session {

class RepositoryLook {
 public:
  RepositoryLook() = default;  // none
  // `workspace` is a real path. Only if there is news something is started, and by another process:
  // the supervisor has a broker to answer.
  static RepositoryLook start(const std::string& workspace, const prepare::GuardedFiles& guarded,
                              const state::Places& places, std::string run,
                              std::span<char> start_area);

  int fd() const { return link_.channel.get(); }  // -1: nothing to wait for

  using Tell = std::function<void(const events::Event&)>;
  // There is an answer, or whoever looks is gone.
  void step(const Tell& tell);
  // The run has ended: it gets a moment more.
  void finish(const Tell& tell);

 private:
  processes::HelperLink link_;
  std::string run_;
};

}  // namespace ringwall::session
