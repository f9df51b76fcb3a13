// The policy of a run as its command line asks for it: every layer, and what is wrong in them told.
#pragma once

#include <string>

#include "cli/options.h"
#include "prepare/policy_layers.h"
#include "prepare/prepare.h"

namespace ringwall::cli {

// Caller, places, policy and the files it stands in. `policy_file` is --policy, as typed; empty:
// none. Several mistakes are told one by one on stderr, and
// the error counts them. The program of `request.command` chooses a profile. `layers_read` gets the
// layers one by one, for those who explain them.
Status load_policy(const std::string& policy_file, const PolicyFlags& flags, bool json,
                   prepare::RunRequest& request, prepare::PolicyLayers* layers_read = nullptr);

}  // namespace ringwall::cli
