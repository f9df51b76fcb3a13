// Text that is spelled in another way, so that a reader passes over it and an assistant decodes it.
#pragma once

#include <string_view>
#include <vector>

#include "instructions/result_scan.h"

namespace ringwall::instructions {

// Adds encoded instructions (base64, hex, escapes of HTML, URLs and programs, rot13, backwards),
// and blobs that stand beside an order to decode and run them.
void find_encoded(std::string_view text, std::vector<Finding>& findings);

}  // namespace ringwall::instructions
