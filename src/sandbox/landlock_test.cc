#include "sandbox/landlock.h"

#include <gtest/gtest.h>

namespace ringwall::sandbox {
namespace {

uint64_t rights_of(const std::vector<LandlockRule>& rules, const std::string& path) {
  for (const LandlockRule& rule : rules) {
    if (rule.path == path) return rule.rights;
  }
  return 0;
}

constexpr uint64_t kWriteFile = 2, kReadFile = 4, kExecute = 1, kTruncate = 1 << 14,
                   kRefer = 1 << 13;

}  // namespace

TEST(LandlockPlan, FollowsThePlanOfMounts) {
  std::vector<Mount> mounts = {
      {.kind = Mount::Kind::bind, .target = "/usr", .access = Access::read},
      {.kind = Mount::Kind::bind, .target = "/w", .access = Access::write},
      {.kind = Mount::Kind::tmpfs, .target = "/dev/shm", .access = Access::write_data},
      {.kind = Mount::Kind::symlink, .target = "/bin", .source = "usr/bin"},
  };
  auto rules = plan_landlock(mounts, 7);
  EXPECT_EQ(rights_of(rules, "/usr") & (kReadFile | kWriteFile | kExecute), kReadFile | kExecute);
  EXPECT_EQ(rights_of(rules, "/w") & (kWriteFile | kRefer), kWriteFile | kRefer);
  EXPECT_EQ(rights_of(rules, "/dev/shm") & kExecute, 0u);
  EXPECT_EQ(rights_of(rules, "/bin"), 0u);
  EXPECT_EQ(rights_of(rules, "/") & kReadFile, 0u);
}

TEST(LandlockPlan, LeavesOutRulesThatServeNobodyButIsNearWhereFilesAreMade) {
  std::vector<Mount> mounts = {
      {.kind = Mount::Kind::tmpfs, .target = "/home/me", .access = Access::write},
      {.kind = Mount::Kind::bind, .target = "/home/me/.nvm", .access = Access::read},
      {.kind = Mount::Kind::tmpfs, .target = "/home/me/tmp", .access = Access::write},
      {.kind = Mount::Kind::bind, .target = "/home/me/work", .access = Access::write},
      {.kind = Mount::Kind::overlay, .target = "/home/me/seen", .access = Access::write},
  };
  auto rules = plan_landlock(mounts, 7);
  EXPECT_NE(rights_of(rules, "/home/me"), 0u);
  EXPECT_EQ(rights_of(rules, "/home/me/.nvm"), 0u);
  EXPECT_EQ(rights_of(rules, "/home/me/tmp"), 0u);
  EXPECT_EQ(rights_of(rules, "/home/me/work"), rights_of(rules, "/home/me"));
  EXPECT_EQ(rights_of(rules, "/home/me/seen"), rights_of(rules, "/home/me"));
}

TEST(LandlockPlan, AsksAnOlderKernelForNothingItDoesNotKnow) {
  std::vector<Mount> mounts = {
      {.kind = Mount::Kind::bind, .target = "/w", .access = Access::write}};
  EXPECT_EQ(rights_of(plan_landlock(mounts, 2), "/w") & kTruncate, 0u);
  EXPECT_NE(rights_of(plan_landlock(mounts, 3), "/w") & kTruncate, 0u);
  for (int abi = 1; abi < 8; abi++) {
    for (const LandlockRule& rule : plan_landlock(mounts, abi)) {
      EXPECT_EQ(rule.rights & ~landlock_handled_rights(abi), 0u) << abi << " " << rule.path;
    }
  }
}

}  // namespace ringwall::sandbox
