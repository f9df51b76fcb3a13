// The audit of this machine: what a person's agents, editors, shells and tools are set to, and what
// lies in reach of whatever runs as that person. Outside, only names, owners and modes are looked
// at; what files say is read in the scanner's sandbox, which sees these files and nothing else.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/finding.h"
#include "base/result.h"
#include "machine_audit/sources.h"

namespace ringwall::machine_audit {

using audit::Finding;

// A folder of an agent that a variable of the environment names.
struct MovedFolder {
  std::string_view usual;  // in the home: ".codex/"
  std::string folder;
};

struct MachineRequest {
  std::string home;     // a real path
  std::string project;  // a real path; empty: none but the home
  uid_t uid = 0;
  std::optional<gid_t> private_group;  // that nobody else is in
  std::span<char> start_area;          // see sandbox::LaunchInputs
  bool is_inside = false;              // in a run of Ringwall, where no sandbox can be built
  std::vector<MovedFolder> moved;
  std::string root = "/";  // where managed settings are looked for
};

// A file of the table that is there.
struct MachineEntry {
  const MachineSource* source = nullptr;
  std::string path;  // as the table names it
  std::string real;  // without links
};

struct MachineFiles {
  std::vector<MachineEntry> entries;
  std::set<Topic> in_use;
  std::vector<std::string> credentials;  // below the home: ".ssh"
  std::vector<Finding> findings;         // that need no reading
  bool is_whole = true;
};

// The group that has a user's name and is theirs alone, as many systems make it.
std::optional<gid_t> find_private_group(uid_t uid, gid_t gid);

MachineFiles find_machine_files(const MachineRequest& request);

// Modes and owners. Nothing is fixed here: see fix_plan.h.
bool is_changed_by_others(const struct stat& facts, const MachineRequest& request);
bool is_read_by_others(const struct stat& facts, const MachineRequest& request);

void look_at_credentials(const MachineRequest& request, MachineFiles& files);

// Groups, sockets of daemons, and the caller's own environment.
void look_at_groups(std::span<const std::string> groups, std::vector<Finding>& findings);
void look_at_sockets(std::span<const std::string> sockets, std::vector<Finding>& findings);
void look_at_environment(std::span<const char* const> variables, std::vector<Finding>& findings);
void look_at_host(const MachineRequest& request, std::vector<Finding>& findings);

Result<audit::Report> audit_machine(const MachineRequest& request);

}  // namespace ringwall::machine_audit
