// A cgroup (version 2) for one sandbox, where one can be had without root: below one that was given
// to the caller, or as a scope of the user's service manager. Asked for only when a limit needs it,
// since it takes milliseconds.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "limits/limits.h"

namespace ringwall::limits {

// One cgroup on the way from this process's own up to the root.
struct CgroupLevel {
  std::string path;              // as a folder
  bool writable = false;         // by this process
  bool delegated = false;        // marked so by the service manager
  bool others = false;           // holds processes besides this one and its ancestors
  std::string controllers = {};  // that it may hand on
  std::string handed_on = {};    // to the ones below it
};

struct CgroupFacts {
  std::vector<CgroupLevel> levels;  // own first; empty: version 2 is not mounted
  bool systemd = false;             // owns every cgroup that it did not delegate
  std::string manager;              // socket of the user's service manager
  std::string managers = {};        // controllers that it was given; empty: not known
};
CgroupFacts read_cgroup_facts();

// The folder of a process's cgroup; empty: not known.
std::string read_cgroup_folder(pid_t process);

struct CgroupPlan {
  enum class Way {
    none,
    below,  // below `parent`
    aside,  // below `parent`, which is our own: we step aside first, since the kernel wants no
            // processes in a cgroup that hands controllers on
    scope,  // by the manager at `parent`
  };
  Way way = Way::none;
  std::string parent;
  std::string why_not;
  std::string mend;
};
// Besides memory and processes, for which every cgroup is good that can be had.
struct Controllers {
  bool cpu = false;
  bool io = false;
};
Controllers wanted_controllers(const Limits& limits);
CgroupPlan plan_cgroup(const CgroupFacts& facts, const Controllers& wanted);

class Cgroup {
 public:
  Cgroup() = default;  // none
  Cgroup(Cgroup&& other) noexcept;
  Cgroup& operator=(Cgroup&& other) noexcept;
  ~Cgroup();  // removes it; its processes must be gone

  bool is_there() const { return static_cast<bool>(folder_); }

  // For CLONE_INTO_CGROUP; -1 if the process is taken in after it was made.
  int entry() const { return folder_.get(); }

  // The first process of the sandbox, which waits meanwhile. Does nothing where it was born inside.
  Status take_in(pid_t process);

  Status freeze(bool frozen);
  Status kill();

  // How often the kernel has ended a process here for want of memory.
  uint64_t count_kills() const;

 private:
  friend Result<Cgroup> make_cgroup(const Limits& limits, const CgroupPlan& plan,
                                    const std::string& run, const std::string& disk);
  Status step_aside(const std::string& parent);
  void step_back();
  Status make_below(const std::string& parent, const std::string& run);
  Status bound_traffic();
  void remove();

  Fd folder_;
  std::string path_;   // empty: not ours to remove
  std::string aside_;  // where we went ourselves; empty: nowhere
  std::string manager_;
  std::string unit_;
  Limits limits_;
  std::string disk_;  // "8:0", that `limits_.io` is about
};

// True for limits that the kernel keeps best by a cgroup.
bool wants_cgroup(const Limits& limits);

// The cgroup that these limits need: none if they need none, or can be watched where none can be
// had. A limit of processors or of disk traffic cannot be kept without.
Result<Cgroup> make_cgroup(const Limits& limits, const std::string& run,
                           const std::string& workspace);
// `disk`: the workspace's, where its traffic has a limit.
Result<Cgroup> make_cgroup(const Limits& limits, const CgroupPlan& plan, const std::string& run,
                           const std::string& disk);

}  // namespace ringwall::limits
