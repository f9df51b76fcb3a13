// What lies in the granted trees and must be guarded: protected files, hidden ones, sockets. Looked
// for before anything is mounted; what was found is planned by sandbox/file_plan.h, what appears
// later is the broker's.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "broker/leftover_sweep.h"
#include "files/hidden.h"
#include "files/index.h"
#include "files/protected.h"
#include "policy/policy.h"
#include "review/review.h"
#include "sandbox/file_plan.h"
#include "state/places.h"

namespace ringwall::prepare {

struct GuardedTree {
  std::string path;
  bool writable = false;
  std::string index_file;  // empty: it is not worth keeping
  int64_t newest = 0;      // files::ScanResult
  files::Index index;
};

struct GuardedFiles {
  files::ProtectedNames protected_names;
  files::HiddenNames hidden_names;
  std::vector<std::string> protect, unprotect;  // of protected_names, besides the table
  std::deque<GuardedTree> trees;
  std::vector<sandbox::Protection> protections;
  std::vector<std::string> sockets;
  std::vector<std::string> mounts;  // of the host, in trees under review
  std::set<std::string> kept;       // protected paths, absolute
  // In trees that may be written: what leads away, and where to; absolute
  std::map<std::string, std::string> links;
  std::vector<std::string> hidden;         // absolute
  std::set<std::string> hidden_by_policy;  // of these, what files.hide names
  std::vector<std::string> denied;         // programs that are covered, absolute
  std::vector<review::LinkEnd> ends;       // in trees under review
  // Protected configs of git folders, absolute: updates of them are judged.
  std::vector<std::string> git_configs;
};

// Without what is granted and which links there are.
files::LinkRules link_rules(const state::Places& places, const state::Caller& caller);

Result<GuardedFiles> guard_files(const policy::Policy& policy,
                                 const std::vector<sandbox::Grant>& grants,
                                 const state::Places& places, const std::string& home);

// Takes away what a run that was killed has planted.
Result<broker::Leftovers> sweep_after_killed_run(const broker::GuardList& list,
                                                 const policy::Policy& policy,
                                                 const state::Places& places,
                                                 const state::Caller& caller);

// Keeps what was found for the next run. Not on the way of the start.
void keep_indexes(const GuardedFiles& guarded);

}  // namespace ringwall::prepare
