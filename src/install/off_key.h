// A key of the kernel's that says: the person turned an agent's walls off, and its time is not
// over. Notes in files could be brought by whoever names another home in a variable; keys could
// not, no run may use them, and the kernel ends them by itself.
#pragma once

#include <string>

#include "base/result.h"

namespace ringwall::install {

Status put_off_key(const std::string& name, int64_t seconds);
bool has_off_key(const std::string& name);
void remove_off_key(const std::string& name);

// Of one agent, for the person whose home this is.
std::string off_key_name(std::string_view agent, std::string_view home);

}  // namespace ringwall::install
