// Places in folders that outlive a run and that several runs have before them at once, an agent's
// login store above all: what is taken away there, and what a run mounts something of its own over.
//
// The place itself stays from run to run, empty. Were it replaced, runs that go on would lose what
// they have mounted there: the kernel takes a mount away with the name that it stands on.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "sandbox/file_plan.h"

namespace ringwall::state {

// For as long as places are made. A start that replaced what another has just made, and is about to
// cover, would uncover it. No sandbox sees the folders that are locked.
Result<std::vector<Fd>> lock_stores(std::span<const std::string> stores);

// `name` of the folder `parent` in the open `store`, in one step.
Status take_away(int store, int parent, const std::string& name);

// Of runs that were ended while they took something away.
void remove_what_was_left(const std::string& store);

// A folder at `target`, whatever an agent has left there.
Status make_mount_point(const sandbox::HomeState& store, const std::string& target);

// The same for what a run covers: nothing of an earlier run lies in it.
Status make_own_place(const sandbox::HomeState& store, const sandbox::OwnPlace& place);

}  // namespace ringwall::state
