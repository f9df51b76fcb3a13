// What an agent has of its own in the private home: one login store for all workspaces, and the
// person's settings, copied from the real home at every start.
//
// A store outlives the run, and settings can name programs. So what a run wrote over the settings
// is gone at the next start, in whichever workspace: the real home decides what they are.
#pragma once

#include <vector>

#include "base/result.h"
#include "policy/policy.h"
#include "state/homes.h"
#include "state/places.h"

namespace ringwall::state {

// Where the stores are.
std::vector<sandbox::HomeState> login_folders(const policy::Policy::Home& wanted,
                                              const Caller& caller, const Places& places);

// Into the store that `home.state` has for it, else into `home.copies`. With `only_look` no store
// is made or changed.
Status copy_settings(PrivateHome& home, const policy::Policy::Home& wanted, const Caller& caller,
                     const Places& places, bool only_look);

}  // namespace ringwall::state
