// The environment inside: built from a list, never inherited.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"
#include "sandbox/plan.h"

namespace ringwall::sandbox {

struct InheritedVariable {
  std::string_view name;  // "LC_*" stands for every name that starts so
  std::string_view reason;
};

struct EnvironmentRequest {
  std::vector<std::string> caller;  // NAME=VALUE, as the caller has it
  std::vector<policy::Text> pass;   // further names to take from the caller
  std::vector<policy::Text> set;    // NAME=VALUE
  std::string home;
  std::string user;
  std::string shell;
  std::string search_path;
  std::string working_folder;
  std::string run_name;
};

std::vector<EnvironmentEntry> plan_environment(const EnvironmentRequest& request);

struct GitRequest {
  std::string workspace;
  std::string ignore_file;        // path inside; empty: none
  bool has_network = false;       // some hosts can be reached
  std::string credential_socket;  // where git asks for logins; empty: nowhere
  bool hooks = false;             // let the repository's hooks run inside
  bool is_review = false;         // the workspace is seen through an overlay
};

// Settings for git by variables: they win over every file of the repository.
std::vector<EnvironmentEntry> plan_git_settings(const GitRequest& request);

}  // namespace ringwall::sandbox
