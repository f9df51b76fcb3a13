// What the toolchains of a workspace would bring, and the one question about it.
#pragma once

#include "prepare/policy_layers.h"
#include "prepare/prepare.h"

namespace ringwall::cli {

// Before a run. On a terminal the person is asked; elsewhere it is told once how to agree. True if
// the person has agreed: the policy has to be read anew.
Result<bool> settle_offers(const prepare::PolicyLayers& layers, const state::Places& places,
                           bool json);

// ringwall trust --workspace: an exit status.
Result<int> agree_to_workspace(const std::string& typed, bool yes, const state::Caller& caller,
                               const state::Places& places);

}  // namespace ringwall::cli
