// Finds the program to run and what it needs of the real home: version managers, packages,
// interpreters.
//
// Follows PATH, symlinks and first lines (#!) of the person's own programs, and grants exactly what
// they lead to. Nothing that lies in a writable tree is followed: a repository must not name what
// is granted.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sandbox/file_plan.h"

namespace ringwall::sandbox {

// An installation below the home folder that is granted as a whole once something of it is used.
// `*` stands for one component.
struct InstallRoot {
  std::string_view pattern;
  std::string_view
      grants;  // separated by blanks, relative to the home; empty: what the pattern matched
  std::string_view reason;
};
std::span<const InstallRoot> install_roots();

struct ToolchainRequest {
  std::string program;      // as typed
  std::string search_path;  // the caller's PATH
  std::string home;
  std::string working_folder;
  std::vector<std::string> writable;  // granted for writing: visible inside, never followed
  std::vector<std::string> readable;  // granted for reading besides
  // True for what an earlier run could write: its links, its first lines and what lies around it
  // are an agent's.
  std::function<bool(const std::string&)> was_writable = [](const std::string&) { return false; };
};

struct Toolchain {
  std::string program;  // absolute path on the host, empty if it was not found
  bool executable = false;
  std::vector<Grant> grants;
  std::vector<LinkOnTheWay> links;
  std::string search_path;  // PATH inside
};

Toolchain collect_toolchain(const ToolchainRequest& request);

// As execvp finds it, but never by a relative folder of the search path. Empty: it is not there.
std::string locate_program(const std::string& name, const std::string& search_path,
                           const std::string& working_folder);

// "#!/usr/bin/env -S node --x" -> {"/usr/bin/env", "node"}: everything on the first line of a
// script that may be a program. Empty if it is none.
std::vector<std::string> programs_of_first_line(const std::string& file);

// Every symlink met on the way to `path`, in the order in which they are met, and where the way
// ends.
struct Way {
  std::vector<LinkOnTheWay> links;
  std::string end;  // real path; may not exist
};
Way follow_links(const std::string& path);

}  // namespace ringwall::sandbox
