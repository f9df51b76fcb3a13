// What a few programs print, as far as it follows from their words: echo, printf, pwd, cat of a
// here-document. So a command that is only put together by a substitution or a pipe is still found.
#pragma once

#include "shell/analysis.h"

namespace ringwall::shell {

// Without line ends at its end; an unknown word if it is not known.
Word known_output(const Act& act);

}  // namespace ringwall::shell
