#include "limits/limits.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringwall::limits {
namespace {

constexpr uint64_t kGiga = 1ull << 30;

LimitFacts usual_host() {
  return {.memory_bytes = 16 * kGiga,
          .soft_processes = 60'000,
          .hard_processes = 60'000,
          .hard_files = 1 << 20,
          .soft_signals = 60'000,
          .soft_queue_bytes = 819'200};
}

// What `act` returns in a process of its own, since a limit cannot be raised again.
int in_child(int (*act)()) {
  pid_t child = fork();
  if (child == 0) _exit(act());
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

}  // namespace

TEST(Limits, DefaultsOfAUsualHost) {
  auto limits = plan_limits({}, usual_host());
  ASSERT_TRUE(limits);
  EXPECT_EQ(limits->processes, 4096u);
  EXPECT_EQ(limits->open_files, 65536u);
  EXPECT_EQ(limits->file_size, kNoLimit);
  EXPECT_EQ(limits->tmp.bytes, 4 * kGiga);
  EXPECT_EQ(limits->tmp.files, 1u << 20);
  EXPECT_EQ(limits->memory, 14 * kGiga);
  EXPECT_FALSE(limits->memory_was_asked_for);
  EXPECT_EQ(limits->cpu, kNoLimit);
  EXPECT_EQ(limits->io, kNoLimit);
  EXPECT_EQ(limits->milliseconds, kNoLimit);
  EXPECT_EQ(limits->home_growth, 0u);
  EXPECT_EQ(limits->pending_signals, 30'000u);
  EXPECT_EQ(limits->queue_bytes, 409'600u);
}

TEST(Limits, DefaultsFitIntoTheCallersOwn) {
  LimitFacts host = usual_host();
  host.soft_processes = host.hard_processes = 3000;
  host.hard_files = 4096;
  auto limits = plan_limits({}, host);
  ASSERT_TRUE(limits);
  EXPECT_EQ(limits->processes, 1500u) << "half is the caller's";
  EXPECT_EQ(limits->open_files, 4096u);
  host.soft_processes = host.hard_processes = 600;
  EXPECT_EQ(plan_limits({}, host)->processes, 512u) << "never so few that nothing works";
  host.soft_processes = kNoLimit;
  EXPECT_EQ(plan_limits({}, host)->processes, 600u);
}

TEST(Limits, WhatWasAskedForMustBeHad) {
  LimitFacts host = usual_host();
  policy::Policy::Limits wanted;
  wanted.processes = {70'000, {policy::Layer::command_line, "--processes"}};
  auto refused = plan_limits(wanted, host);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what,
            "--processes: limits.processes 70000 is more than your own limit, 60000");
  EXPECT_EQ(refused.error().hint, "raise that first: ulimit -u");
  wanted.processes = {50'000, {policy::Layer::command_line, "--processes"}};
  EXPECT_EQ(plan_limits(wanted, host)->processes, 50'000u);
  wanted.file_size = {kGiga, {policy::Layer::command_line, "--file-size"}};
  EXPECT_EQ(plan_limits(wanted, host)->file_size, kGiga);
  host.hard_file_size = kGiga / 2;
  EXPECT_FALSE(plan_limits(wanted, host));
  wanted.file_size = {kNoLimit, {policy::Layer::command_line, "--file-size"}};
  EXPECT_EQ(plan_limits(wanted, host)->file_size, kGiga / 2);
}

TEST(Limits, FoldersInMemoryFollowTheMemoryThatWasAskedFor) {
  policy::Policy::Limits wanted;
  wanted.memory = {2 * kGiga, {policy::Layer::command_line, "--memory"}};
  auto limits = plan_limits(wanted, usual_host());
  ASSERT_TRUE(limits);
  EXPECT_TRUE(limits->memory_was_asked_for);
  EXPECT_EQ(limits->tmp.bytes, kGiga / 2);
  wanted.tmp_size = {kGiga, {policy::Layer::command_line, "--tmp-size"}};
  wanted.tmp_files = {100, {policy::Layer::command_line, "--tmp-files"}};
  limits = plan_limits(wanted, usual_host());
  EXPECT_EQ(limits->tmp.bytes, kGiga);
  EXPECT_EQ(limits->tmp.files, 100u);
}

TEST(Limits, NothingToSetLeavesWhatIsThere) {
  EXPECT_EQ(in_child([] {
              rlimit before, after;
              getrlimit(RLIMIT_NPROC, &before);
              bool done = apply_limits(Limits{}).has_value() && give_up_reserve(Limits{}, 1);
              getrlimit(RLIMIT_NPROC, &after);
              return done && before.rlim_max == after.rlim_max ? 0 : 1;
            }),
            0);
}

TEST(Limits, BothEndsAreSetAndPidOneKeepsAReserve) {
  EXPECT_EQ(in_child([] {
              Limits limits{.processes = 100, .open_files = 50, .file_size = 4096};
              if (!apply_limits(limits)) return 1;
              rlimit limit;
              getrlimit(RLIMIT_NPROC, &limit);
              if (limit.rlim_cur <= 101 || limit.rlim_max != limit.rlim_cur) return 2;
              if (!give_up_reserve(limits, 1)) return 3;
              getrlimit(RLIMIT_NPROC, &limit);
              if (limit.rlim_cur != 101 || limit.rlim_max != 101) return 4;
              getrlimit(RLIMIT_NOFILE, &limit);
              if (limit.rlim_cur != 50 || limit.rlim_max != 50) return 5;
              getrlimit(RLIMIT_FSIZE, &limit);
              if (limit.rlim_cur != 4096) return 6;
              getrlimit(RLIMIT_CORE, &limit);
              return limit.rlim_max <= 1 ? 0 : 7;
            }),
            0);
}

TEST(Limits, RowsTellWhoKeepsThem) {
  auto limits = plan_limits({}, usual_host());
  for (const LimitRow& row : describe_limits(*limits, false)) {
    if (row.key == "memory") {
      EXPECT_EQ(row.value, "14G");
      EXPECT_NE(row.kept_by.find("watched"), std::string_view::npos);
    }
    if (row.key == "workspace_size") {
      EXPECT_EQ(row.value, "3/4 of what is free");
    }
    if (row.key == "deleted_files") {
      EXPECT_EQ(row.value, "200");
    }
    if (row.key == "deleted_share") {
      EXPECT_EQ(row.value, "0.2");
    }
  }
  for (const LimitRow& row : describe_limits(*limits, true)) {
    if (row.key == "memory") {
      EXPECT_EQ(row.kept_by, "kernel: cgroup");
    }
  }
}

}  // namespace ringwall::limits
