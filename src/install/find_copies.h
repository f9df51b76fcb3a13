// Every copy of a command that a person could start by its plain name, or has started so before:
// on PATH, in the folders of every Node version, in those of package managers and installers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "install/file_state.h"
#include "install/shim.h"

namespace ringwall::install {

struct Copy {
  std::string path;  // the folder by its real path, the name as it is
  FileState state;
  std::optional<Shim> shim;   // it is one of ours, or a link to one
  bool on_path = false;       // in a folder of PATH
  bool first = false;         // what the plain name starts now
  bool persons_own = false;   // lies in the home, or in a folder of this person's
  bool goes_by_name = false;  // it must keep its name: a manager's own switch (Volta, asdf, mise)
  bool of_a_project =
      false;  // it came with a repository's packages, which are no person's to change
  // It is started by nobody's PATH: one that an editor brings along, or that npx has fetched.
  bool bundled = false;
};

struct SearchRequest {
  std::string command;
  std::string home;         // empty: the system's folders alone
  std::string search_path;  // PATH
  uid_t uid = 0;
  // Variables that name folders of package managers: NVM_DIR, PNPM_HOME, …; as getenv().
  std::string (*variable)(const char* name) = nullptr;
};

// One of ours lies there, or a person's link leads to it, which starts nothing of its own.
std::optional<Shim> shim_at(const std::string& path);

// In the order of PATH, then the others. Each file once.
std::vector<Copy> find_copies(const SearchRequest& request);

// Those that come with an editor's extension, or lie in npx's store.
std::vector<Copy> find_bundled_copies(const SearchRequest& request);

// "a/*/b": every folder that this stands for.
std::vector<std::string> expand_folders(const std::string& pattern);

}  // namespace ringwall::install
