#include "sandbox/exec_mounts.h"

#include <gtest/gtest.h>

namespace ringwall::sandbox {
namespace {

std::vector<Mount> some_mounts() {
  return {{.kind = Mount::Kind::bind, .target = "/usr", .source = "/usr", .access = Access::read},
          {.kind = Mount::Kind::tmpfs, .target = "/tmp", .access = Access::write},
          {.kind = Mount::Kind::bind, .target = "/w", .source = "/w", .access = Access::write},
          {.kind = Mount::Kind::read_only, .target = "/w/.git/hooks", .access = Access::read}};
}

Access access_of(const std::vector<Mount>& mounts, const std::string& target) {
  for (const Mount& mount : mounts) {
    if (mount.target == target) return mount.access;
  }
  return Access::none;
}

TEST(ExecMounts, WhatCanBeWrittenCannotBeExecuted) {
  std::vector<Mount> mounts = some_mounts();
  withhold_execution(mounts, {});
  EXPECT_EQ(mounts.size(), 4u);
  EXPECT_EQ(access_of(mounts, "/usr"), Access::read);
  EXPECT_EQ(access_of(mounts, "/tmp"), Access::write_data);
  EXPECT_EQ(access_of(mounts, "/w"), Access::write_data);
  // Read-only here, but perhaps writable under another name.
  EXPECT_EQ(access_of(mounts, "/w/.git/hooks"), Access::none);
}

TEST(ExecMounts, ATreeKeepsExecution) {
  std::vector<Mount> mounts = some_mounts();
  withhold_execution(mounts, {"/w"});
  EXPECT_EQ(access_of(mounts, "/w"), Access::write);
  EXPECT_EQ(access_of(mounts, "/w/.git/hooks"), Access::read);
  EXPECT_EQ(access_of(mounts, "/tmp"), Access::write_data);
}

TEST(ExecMounts, APartOfAMountGetsItsOwn) {
  std::vector<Mount> mounts = some_mounts();
  withhold_execution(mounts, {"/w/out"});
  EXPECT_EQ(access_of(mounts, "/w"), Access::write_data);
  EXPECT_EQ(access_of(mounts, "/w/out"), Access::write);
}

}  // namespace
}  // namespace ringwall::sandbox
