// What `ringwall apply` has replaced becomes part of the history, so that `ringwall undo` puts it
// back.
#pragma once

#include "base/result.h"
#include "session/places.h"

namespace ringwall::session {

// Every apply that is not there yet: right after it, and before the history is looked at. An apply
// that was killed in between is found the next time.
Status note_applied_reviews(const Places& places);

}  // namespace ringwall::session
