// A word for a command that a person copies to a shell: there it means what it meant here.
#pragma once

#include <string>
#include <string_view>

namespace ringwall::text {

// Plain words stay as they are, others stand in '...'. What a terminal would obey becomes \xNN in
// $'...', which bash, zsh and ksh read back.
std::string shell_word(std::string_view untrusted);

}  // namespace ringwall::text
