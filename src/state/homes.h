// Private homes: named folders that hold what persists between runs.
#pragma once

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "policy/policy.h"
#include "sandbox/file_plan.h"
#include "state/places.h"

namespace ringwall::state {

struct PrivateHome {
  std::string name;
  std::vector<sandbox::HomeState> state;
  std::vector<sandbox::OwnPlace> own;  // over what lies in folders of `state`
  std::vector<sandbox::CacheLayer> caches;
  std::vector<sandbox::MadeFile> copies;  // settings, in memory
  std::vector<Fd> locks;                  // one run at a time changes a cache's upper layer
};

// True if this folder was the workspace of a run before.
bool was_workspace(const std::string& workspace, const Places& places);

// True if `path` lies in a folder that a run before this one could change: a link there may be an
// agent's.
bool was_in_reach(const std::string& path, const Places& places);

// For a run that keeps its state elsewhere, or none: that this was a workspace is known all the
// same.
Status note_workspace(const std::string& workspace, const Places& places);

// What else a run may change, so that was_in_reach() knows it.
Status note_in_reach(const std::vector<std::string>& folders, const Places& places);

// Makes what is missing, unless `only_look`, and copies settings (state/logins.h). `workspace`
// chooses the default home: one per workspace. `search_path` is the PATH inside, which tells whose
// packages to keep.
Result<PrivateHome> prepare_home(const policy::Policy::Home& wanted, const std::string& workspace,
                                 const std::string& search_path, const Caller& caller,
                                 const Places& places, bool only_look);

}  // namespace ringwall::state
