// Files that a run asked for and did not get, as wishes for a proposal: only what is on the host,
// may be read or written there by the person, and is not given by the plan already. Looks at the
// host by names that somebody inside chose, so after the end of the run, and where looking has
// consequences (an automounter) not at all.
#pragma once

#include <vector>

#include "hand/wanted_table.h"
#include "learn/sensitive_places.h"
#include "policy/proposal.h"
#include "prepare/prepare.h"

namespace ringwall::learn {

std::vector<policy::Wish> wishes_for_files(const hand::WantedPaths& wanted,
                                           const prepare::Preparation& prepared,
                                           const SensitivePlaces& sensitive);

// See policy::ProposalRules.
std::string why_not_the_folder(const std::string& folder, bool writes,
                               const prepare::Preparation& prepared,
                               const SensitivePlaces& sensitive);

}  // namespace ringwall::learn
