// A run under review: every folder that it may change gets a layer of its own, and the real one
// stays as it is until a person applies what is in the layer (room review/).
#pragma once

#include "base/result.h"
#include "prepare/prepare.h"

namespace ringwall::prepare {

// Before the trees are searched: which of them are under review.
Status choose_reviewed(Preparation& run);

// After: makes the layers, and says what of the trees is not reviewed.
Status make_the_review(Preparation& run);

// What is mounted over a tree under review: mounts of the host in it, read-only, and folders apart.
std::vector<sandbox::Mount> mounts_in_review(const Preparation& run);

}  // namespace ringwall::prepare
