// The settings that an agent obeys first, and the hooks of the gate: which files a run gets of
// them, and whose they are inside.
#pragma once

#include <string>

#include "sandbox/file_plan.h"
#include "sandbox/host_facts.h"

namespace ringwall::prepare {

struct Preparation;

// Adds them to `files`. Where one is of use only if it is root's inside, an id of this host is
// found that shows as 0 (Identity::shown_as_root), or `run.unmanaged` says why there is none: the
// agent then runs without that file, which is a rail and no wall.
void plan_managed_files(Preparation& run, const sandbox::HostFacts& host,
                        sandbox::FileGrants& files);

}  // namespace ringwall::prepare
