// The fast way over bytes that may pass as they are: almost all output is this.
#pragma once

namespace ringwall::terminal {

// The first byte in [at, end) that has to be looked at: a control other than BEL, BS, HT, LF and
// CR, a broken or unfinished character, or a C1 control. `end` if there is none.
const char* end_of_plain_text(const char* at, const char* end, bool utf8);

}  // namespace ringwall::terminal
