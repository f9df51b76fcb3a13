// What a result holds to be taken for something else than a result.
#pragma once

#include <string_view>
#include <vector>

#include "instructions/result_scan.h"

namespace ringwall::instructions {

// Adds marks that pretend to be the agent's own: of turns, of its system, of results.
void find_fake_marks(std::string_view text, std::vector<Finding>& findings);

// Adds images whose address is to be filled with data.
void find_carrying_images(std::string_view text, std::vector<Finding>& findings);

}  // namespace ringwall::instructions
