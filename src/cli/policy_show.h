// How policies and the mistakes in them are shown.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "policy/load.h"

namespace ringwall::cli {

struct CheckedFile {
  std::string name;
  std::string text;
  std::vector<policy::Diagnostic> mistakes;
  std::vector<policy::Diagnostic> needs_trust;  // no mistakes, but used only if a person agrees
};

// Each with the line it stands in. True if a run would take all of them.
bool print_checked(std::span<const CheckedFile> files, bool json);

// Every field with its value and who said so, and the locks.
void print_policy(policy::Policy policy, std::span<const policy::PolicyText> texts, bool json);

}  // namespace ringwall::cli
