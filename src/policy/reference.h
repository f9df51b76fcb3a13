// The documents made from the field table: docs/policy.md and the JSON schema for editors.
#pragma once

#include <string>

namespace ringwall::policy {

std::string reference_page();
std::string json_schema();

}  // namespace ringwall::policy
