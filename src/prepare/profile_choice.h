// Which profile belongs to a program: decided by the file that would really run, and only if no
// agent can have put it there.
#pragma once

#include <string>
#include <vector>

#include "policy/profiles.h"
#include "state/places.h"

namespace ringwall::prepare {

struct ProgramRequest {
  std::string program;  // as typed
  std::string search_path;
  std::string working_folder;
  std::vector<std::string> writable;  // real paths of the trees that the run may change
  const state::Places& places;
};

// Null: the program belongs to no agent, or it may be an agent's work.
const policy::Profile* profile_of_program(const ProgramRequest& request);

// PATH, or where programs usually are.
std::string callers_search_path();

}  // namespace ringwall::prepare
