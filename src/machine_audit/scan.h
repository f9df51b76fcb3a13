// The reading part of the audit of this machine. It runs in the scanner's sandbox, where each file
// lies under a number.
#pragma once

#include <string>
#include <vector>

#include "audit/scanner.h"
#include "machine_audit/machine.h"
#include "machine_audit/scene.h"

namespace ringwall::machine_audit {

// Where the scanner finds the n-th file.
std::string machine_place(size_t number);

// What the scanner is told, and back. Files that are not shown are opened where they lie.
std::vector<std::string> tell_scanner(const MachineRequest& request, const MachineFiles& files,
                                      bool is_shown);

struct Telling {
  Scene scene;  // its documents without their texts
  std::vector<std::string> places;
};
Result<Telling> hear_telling(const std::vector<std::string>& arguments);

Status scan_machine(const std::vector<std::string>& arguments, audit::Reporter& reporter);

}  // namespace ringwall::machine_audit
