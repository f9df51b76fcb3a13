// The tables of each pack, one file for those that belong together; gate/packs.cc lists them.
#pragma once

#include "gate/packs.h"

namespace ringwall::gate {

extern const Pack kDestructiveFiles;
extern const Pack kGitHistory;
extern const Pack kCredentials;
extern const Pack kInfrastructure;
extern const Pack kPrivilege;
extern const Pack kPipeToShell;
extern const Pack kPublishing;
extern const Pack kNestedAgents;
extern const Pack kSelfModification;

}  // namespace ringwall::gate
