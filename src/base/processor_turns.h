// How long this process stays on a processor once it has got one. Its share stays the same.
#pragma once

namespace ringwall {

// For long work that is in no hurry: who wakes meanwhile with less to do goes first, where else it
// would wait for a turn of ours, some 3 ms (since 6.12; before, nothing changes).
void take_long_turns();

void take_usual_turns();

}  // namespace ringwall
