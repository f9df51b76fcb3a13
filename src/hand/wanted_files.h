// The hand's part in a run that learns: copies what a caught call names while its caller waits, and
// finds out afterwards whether that is missing inside, or cannot be written, where the host may
// have it. Addresses of the network are noted as well: the kernel refuses them by itself. It
// decides nothing, and the answer may be wrong (the caller can change its arguments): it is advice
// for a person.
#pragma once

#include <linux/seccomp.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/file_id.h"
#include "calls/file_calls.h"
#include "hand/wanted_table.h"
#include "sandbox/plan.h"

namespace ringwall::hand {

// A mount of the plan: below it, is what is missing inside missing on the host too?
struct ShownTree {
  std::string target;
  bool is_the_hosts = false;
};
std::vector<ShownTree> shown_trees(const std::vector<sandbox::Mount>& mounts);

class WantedFiles {
 public:
  struct Inputs {
    int processes = -1;  // the host's /proc
    int mask = -1;       // see NewRoot
    std::vector<ShownTree> trees;
    std::span<char> table;  // see WantedTable
  };
  explicit WantedFiles(Inputs inputs);

  struct Asked {
    calls::FileCall::Want want;
    std::string path;  // absolute
    std::string program;
  };
  // While the caller waits. Nothing if it names no file that could be missed.
  std::optional<Asked> copy_arguments(const seccomp_notif& notice);

  void judge(const Asked& asked);

 private:
  std::optional<std::string> name_of_socket(pid_t caller, const calls::FileCall& call);
  std::string link_of(const std::string& place) const;
  std::string program_of(pid_t caller, bool executes);
  void judge_change(const Asked& asked, bool is_there);
  bool is_missed_from_host(const std::string& path) const;
  bool is_masked(const struct stat& facts) const {
    return has_mask_ && file::is_same(facts, mask_);
  }

  Inputs in_;
  WantedTable table_;
  struct stat mask_ {};
  bool has_mask_;
  std::unordered_map<pid_t, std::string> programs_;
};

}  // namespace ringwall::hand
