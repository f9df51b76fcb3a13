// Settings and shell files that are links: a person may keep them in a repository of such files.
// What they lead to is edited only where a link of that kind makes sense, since whoever could
// change the link, an agent that worked in that repository, chose what is edited.
#pragma once

#include <string>

#include "base/result.h"
#include "install/scope.h"

namespace ringwall::install {

// `named`: as the agent or the shell reads it; `real`: where links lead.
Status check_linked_file(const Scope& scope, const std::string& named, const std::string& real);

}  // namespace ringwall::install
