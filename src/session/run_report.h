// What a run says of itself at its start and at its end, to the person and to the record.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "events/event.h"
#include "limits/cgroup.h"
#include "prepare/prepare.h"
#include "session/recorder.h"
#include "session/run.h"
#include "session/supervise.h"

namespace ringwall::session {

// Optional walls that this host does not have.
std::vector<std::string> list_missing_walls(const prepare::Preparation& prepared,
                                            const limits::Cgroup& cgroup);

events::RunStarted describe_start(const prepare::Preparation& prepared,
                                  const limits::Cgroup& cgroup);

// What of the workspace is not there inside, all of it.
events::FilesHidden describe_hidden(const prepare::Preparation& prepared);

// What a person may miss inside, and why.
void tell_start(const RunHooks& hooks, const prepare::Preparation& prepared);

void tell_outcome(const RunHooks& hooks, const prepare::Preparation& prepared,
                  const processes::Outcome& outcome);

// The answer to who asks for the run.
boost::json::object describe_run(const prepare::Preparation& prepared, const Recorder* recorder);

}  // namespace ringwall::session
