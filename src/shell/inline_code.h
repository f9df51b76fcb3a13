// Code for interpreters in their arguments or on their standard input: python -c, node -e, awk …
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shell/analysis.h"

namespace ringwall::shell {

std::vector<InlineCode> inline_code_of(const std::vector<Word>& words,
                                       const std::optional<Word>& input);

// Texts in the code that look as if a shell would get them: os.system("…"), `…` in Perl. A guess.
std::vector<std::string> shell_commands_in(const InlineCode& code);

}  // namespace ringwall::shell
