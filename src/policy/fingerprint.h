// A policy in one word: two runs with the same fingerprint were given the same.
#pragma once

#include <string>

#include "policy/policy.h"

namespace ringwall::policy {

// SHA-256 over every value that is set, in the order of the field table; where values came from
// does not count.
std::string fingerprint(const Policy& policy);

}  // namespace ringwall::policy
