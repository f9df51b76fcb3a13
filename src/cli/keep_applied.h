// What an apply has replaced becomes an entry of the history, which ringwall undo can put back.
#pragma once

#include <string>

#include "base/result.h"
#include "session/places.h"

namespace ringwall::cli {

// Of every apply that has left something, also of one that was killed after its work. What cannot
// be kept stays where it is; the error says where.
Status keep_applied(const session::Places& places);

// Where applies leave it.
std::string applied_folder(const session::Places& places);

}  // namespace ringwall::cli
