#include "sandbox/inside_run.h"

#include <algorithm>

#include "base/file.h"
#include "base/text.h"

namespace ringwall::sandbox {
namespace {

// What every process of a run has for good: nothing inside can take it off, and outside nothing but
// a sandbox has all of it.
constexpr std::string_view kLines[] = {
    "NoNewPrivs:\t1",
    "Seccomp:\t2",
    "CapPrm:\t0000000000000000",
    "CapBnd:\t0000000000000000",
};

}  // namespace

bool looks_like_a_run(std::string_view first_process, std::string_view status) {
  // The first process of a pid namespace is whoever made it; on a host it is root's.
  if (!first_process.starts_with("ringwall-init")) return false;
  auto lines = text::split_in_place(status, '\n');
  return std::ranges::all_of(kLines, [&](std::string_view wanted) {
    return std::ranges::find(lines, wanted) != lines.end();
  });
}

bool is_inside_run() {
  auto first = file::read("/proc/1/cmdline"), status = file::read("/proc/self/status");
  return first && status && looks_like_a_run(*first, *status);
}

}  // namespace ringwall::sandbox
