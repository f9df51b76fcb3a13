// What a choice of changes means for others that hang together with them.
#pragma once

#include <vector>

#include "review/apply_items.h"

namespace ringwall::review {

// After the choice: new folders come with what is chosen in them; a folder goes only if all that
// lies in it goes; and nothing goes for the sake of what is left out: neither an old name without
// its new one, nor what lies in a folder without what takes the folder's place.
void complete_choice(std::vector<ApplyTree>& trees);

}  // namespace ringwall::review
