// The variables that a policy asks for and that bring files with them. Which are refused is
// decided where they are written (policy/values.h).
#pragma once

#include <vector>

#include "base/result.h"
#include "policy/policy.h"
#include "prepare/grants.h"

namespace ringwall::prepare {

// The files that variables like SSL_CERT_FILE name. Each must hold certificates and no private key.
Result<std::vector<NamedFile>> find_certificates(const policy::Policy::Environment& wanted);

}  // namespace ringwall::prepare
