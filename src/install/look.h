// Looks at everything that a plan is made from.
#pragma once

#include <string>
#include <vector>

#include "install/plan.h"

namespace ringwall::install {

// PATH, and the variables of package managers, are the caller's.
SearchRequest search_for(const Scope& scope, std::string_view command);

Result<Seen> look_around(const Scope& scope, const std::vector<const Agent*>& agents);

// Puts back what an update or a new Node version has left unwalled, of this agent alone. Gives the
// paths that were unwalled.
Result<std::vector<std::string>> repair(const Scope& scope, const Agent& agent, Manifest& manifest);

// The files that the person's shells read at their start, of those that are there; `missing`: one
// that has to be made so that the login shell reads any.
std::vector<std::string> shell_files(const std::string& home, std::string_view shell);

}  // namespace ringwall::install
