// The start of a run reads most of the program, what follows only little of it.
#pragma once

namespace ringwall {

// Lets go of the program's code and constants in memory: what is needed again comes again. For who
// has nothing to do just then, since it takes a while, and the end of the process would take it.
void forget_program_pages();

}  // namespace ringwall
