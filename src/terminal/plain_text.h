// The fast way over bytes that may pass as they are: almost all output is this.
#pragma once

namespace ringwall::terminal {

// What the sequences on the way have done to the colours.
enum class Colours : unsigned char { as_before, none, some };

// The first byte in [at, end) that has to be looked at: a control other than BEL, BS, HT, LF and
// CR, a broken or unfinished character, a C1 control, or a sequence that is more than a simple SGR
// ("\x1b[1;31m"), which the table lets through always. `end` if there is none.
const char* end_of_plain_text(const char* at, const char* end, bool utf8, Colours& colours);

}  // namespace ringwall::terminal
