// A second, small filter for runs that decide which programs may run: refuses the calls that make
// code without a file, and has the exec stop look at those that execute one. Stacked on the list of
// syscall_rules.cc, which holds in any case.
#pragma once

#include <linux/filter.h>

#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sandbox/plan.h"

namespace ringwall::sandbox {

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

}  // namespace ringwall::sandbox
