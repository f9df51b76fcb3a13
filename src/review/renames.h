// Tells a person that a file was moved where it would otherwise be one deleted and one added.
#pragma once

#include "changes/change.h"

namespace ringwall::review {

// Pairs deleted files with added ones of the same content; `real` holds the former, `upper` the
// latter. Bounded work: beyond that, nothing is told as a renaming.
void find_renames(changes::Changes& changes, int upper, int real);

}  // namespace ringwall::review
