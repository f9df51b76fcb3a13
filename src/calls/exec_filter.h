// A second, small filter for runs that decide which programs may run: refuses the calls that make
// code without a file, and has the exec stop look at those that execute one. Stacked on the list of
// rules.cc, which holds in any case.
#pragma once

#include <linux/filter.h>

#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ringwall::calls {

// Which programs may run, as far as the sandbox itself is built for it.
struct ExecPlan {
  bool only_known = false;  // allow mode: what can be written cannot be executed, but for trees
  bool has_stop = false;    // every process is held by the exec stop
  bool judges_mappings = false;  // which also judges what is mapped for execution
  bool notes_built = false;      // and what linkers make
  // Allow mode under root's guard: code that was vetted is not changed in memory either.
  bool keeps_code = false;

  bool is_on() const { return only_known || has_stop; }
  // Nobody looks at what is mapped: a file of the host's own mounts, which are not noexec, must not
  // come in.
  bool bars_files() const { return only_known && !judges_mappings && !keeps_code; }
};

struct ExecFilterRule {
  std::string_view call;
  std::string_view when;
  std::string_view what;
  std::string_view where;  // by which rules about programs it is on
};

// For the documentation.
std::span<const ExecFilterRule> exec_filter_rules();

std::vector<sock_filter> exec_filter(const ExecPlan& plan);
Status install_exec_filter(const ExecPlan& plan);

}  // namespace ringwall::calls
