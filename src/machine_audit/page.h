// docs/audit.md with the part about this machine: what is read, and what --fix does.
#pragma once

#include <string>

namespace ringwall::machine_audit {

std::string audit_page();

}  // namespace ringwall::machine_audit
