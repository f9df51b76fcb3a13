// Which files a run may see: the workspace, and what the person grants besides. Checks every path
// before anything is built, and says why one cannot be granted.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"
#include "sandbox/file_plan.h"
#include "state/places.h"

namespace ringwall::prepare {

// The current folder by the name the caller knows it under (PWD), if that is true.
Result<std::string> read_working_folder();

// The nearest folder from `folder` upward that holds a .git entry, below the home; else `folder`
// itself. Looks at the entry's existence alone: git is not run, and what the entry says is not
// believed (CVE-2026-40068: a spoofed commondir named another workspace).
std::string find_workspace(const std::string& folder, const state::Caller& caller);

// The workspace by its name: what the policy says, else the nearest repository.
Result<std::string> choose_workspace(const policy::Policy& policy,
                                     const std::string& working_folder, const state::Caller& caller,
                                     const state::Places& places);

// A file that comes with something else: certificates with the variable that names them.
struct NamedFile {
  std::string path;
  std::string reason;
  policy::Rule rule;
};

struct GrantedFiles {
  std::string workspace;       // real path
  std::string working_folder;  // inside the workspace, by the caller's name for it
  std::vector<sandbox::Grant> grants;
  std::vector<sandbox::LinkOnTheWay> links;
};

// `named_files` are shown read-only besides what the policy names.
Result<GrantedFiles> resolve_grants(const policy::Policy& policy, const std::string& working_folder,
                                    const state::Caller& caller, const state::Places& places,
                                    const std::vector<NamedFile>& named_files = {});

// Whether this path could be granted at all; an error says why not.
Status check_grant(const std::string& path, sandbox::Access access, const state::Caller& caller,
                   const state::Places& places);

}  // namespace ringwall::prepare
