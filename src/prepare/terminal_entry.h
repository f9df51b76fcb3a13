// What programs know of the person's terminal. Terminals that are newer than the system describe
// themselves in the person's own folders, which are not there inside: that one description is
// copied.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sandbox/file_plan.h"

namespace ringwall::prepare {

// As the variables of these names say; `home` is the real one.
struct TerminalVariables {
  std::string term, terminfo, terminfo_dirs, home;
};
TerminalVariables read_terminal_variables(const std::string& home);

// Nothing where the system knows the terminal, or nobody does.
std::optional<sandbox::MadeFile> find_terminal_entry(const TerminalVariables& variables);

// Unless the person has it copied anyway.
void add_terminal_entry(const TerminalVariables& variables, std::vector<sandbox::MadeFile>& made);

}  // namespace ringwall::prepare
