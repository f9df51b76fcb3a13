// Reads a policy file that decides what the agent gets: nobody but the caller and root may be able
// to have written it.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"

namespace ringwall::policy {

inline constexpr size_t kLargestPolicyFile = 1 << 20;

// Nothing if there is no such file. It must be a regular file, no link, of at most 1 MB, that only
// its owner (the caller or root) can write, in a folder where nobody else can put another in its
// place.
Result<std::optional<std::string>> read_policy_file(const std::string& file, unsigned caller_uid);

// The same of the folder of policies `folder`, open as `fd`: nobody else may take a file out of it.
Status check_policy_folder(int fd, const std::string& folder, unsigned caller_uid);

// `.ringwall.toml` of a workspace: it may belong to anybody, since it can only narrow, but it must
// be a regular file of the folder itself. Read once; what is judged is what is used.
inline constexpr const char* kWorkspaceFile = ".ringwall.toml";
struct WorkspaceText {
  std::string text;
  unsigned owner = 0;
};
Result<std::optional<WorkspaceText>> read_workspace_file(int folder, const std::string& named);

}  // namespace ringwall::policy
