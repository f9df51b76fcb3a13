// Environment variables that mean more than a value: those that load code or lead programs
// elsewhere, and those that name certificates. One table with a reason for each.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ringwall::policy {

enum class VariableKind {
  harmless,     // an exception to a pattern below it
  injects,      // makes programs run code: neither passed on nor set
  steers,       // changes whom programs trust or where they look: not passed on, but may be set
  certificate,  // names a file of certificates, or several with ':'
  certificate_folder,
};

struct KnownVariable {
  std::string_view name;  // "LC_*" stands for every name that starts so
  VariableKind kind;
  std::string_view reason;
};
std::span<const KnownVariable> known_variables();

// The first row that fits, or null: an ordinary variable.
const KnownVariable* known_variable(std::string_view name);

}  // namespace ringwall::policy
