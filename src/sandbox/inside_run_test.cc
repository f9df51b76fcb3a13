#include "sandbox/inside_run.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace ringwall::sandbox {
namespace {

constexpr const char* kInside =
    "Name:\tsh\nCapPrm:\t0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1\nSeccomp:"
    "\t2\n";

TEST(InsideRun, needs_the_first_process_and_every_mark) {
  EXPECT_TRUE(looks_like_a_run("ringwall-init", kInside));
  EXPECT_FALSE(looks_like_a_run("/sbin/init", kInside));
  EXPECT_FALSE(looks_like_a_run("", kInside));
  for (std::string mark : {"CapPrm:\t0", "CapBnd:\t0", "NoNewPrivs:\t1", "Seccomp:\t2"}) {
    std::string status = kInside;
    status[status.find(mark) + mark.size() - 1] = '3';
    EXPECT_FALSE(looks_like_a_run("ringwall-init", status)) << mark;
  }
}

TEST(InsideRun, no_variable_says_inside) {
  setenv("RINGWALL_RUN", "project-1", 1);
  EXPECT_FALSE(is_inside_run());
  unsetenv("RINGWALL_RUN");
}

}  // namespace
}  // namespace ringwall::sandbox
