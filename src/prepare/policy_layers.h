// Collects the layers of the policy where they lie, and merges them. What decides is
// policy/merge.h; here is only who reads what, in which order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "policy/merge.h"
#include "policy/profiles.h"
#include "prepare/toolchain_offers.h"
#include "state/places.h"

namespace ringwall::prepare {

inline constexpr const char* kOrganisationFolder = "/etc/ringwall";

struct LayerRequest {
  const state::Caller& caller;
  const state::Places& places;
  std::string working_folder;
  std::string policy_file;             // --policy, absolute; empty: none
  std::vector<policy::Setting> flags;  // the command line's
  std::string program = {};            // that is to run, as typed; empty: none
  std::string organisation = kOrganisationFolder;
};

struct PolicyLayers {
  std::optional<policy::Policy> policy;  // not there if anything is wrong
  std::vector<policy::PolicyText> texts;
  std::vector<const policy::Profile*> profiles;  // that were taken
  std::vector<policy::Refusal> left_out;         // of them, by locks
  std::string workspace;                         // real path
  std::vector<Offer> offers;                     // of its toolchains, not agreed to
  std::vector<std::string> files;                // that were read; the agent may write none of them
  std::vector<policy::Diagnostic> diagnostics;
};

// Files that cannot be used at all are an error, mistakes in them are diagnostics.
Result<PolicyLayers> load_layers(const LayerRequest& request);

// All but the workspace's file.
Result<PolicyLayers> load_own_layers(const LayerRequest& request);

// The file of the workspace by itself: what it holds, and what of it would need the person's trust.
struct WorkspaceFile {
  std::string file;  // real path
  std::string content;
  uid_t owner = 0;
  policy::LoadedText loaded;
  bool trusted = false;
};
Result<std::optional<WorkspaceFile>> read_workspace_file(const std::string& workspace,
                                                         const LayerRequest& request);

}  // namespace ringwall::prepare
